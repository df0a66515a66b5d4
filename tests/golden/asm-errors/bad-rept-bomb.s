        .rept   1 << 40
        BSTOP
        .endr
