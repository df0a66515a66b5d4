        .if     1
        BSTOP
