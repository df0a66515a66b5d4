        .byte   1
        BSTOP
