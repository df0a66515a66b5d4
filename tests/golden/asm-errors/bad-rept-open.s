        .rept   3
        BSTOP
