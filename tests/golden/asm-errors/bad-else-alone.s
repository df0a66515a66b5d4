        .else
