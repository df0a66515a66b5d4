        .zero   -1
        .fill   -1, 4, 0
        .fill   1, -4, 0
        .rept   -2
        .byte   1
        .endr
        .balign -8
        .org    -4
