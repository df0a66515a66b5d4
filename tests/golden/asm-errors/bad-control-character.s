        BSTOP
        BSTOP
