        .balign 3
