        .zero   4 5
        .balign 8 8
        .if     1 2
        .endif
        .size   f, 4 4
        .text   1
        .rept   1 1
        .endr
