        .rept   1000
        .rept   1000
        BSTOP
        .endr
        .endr
