        BSTOP
        .org    2
