        .align  4
