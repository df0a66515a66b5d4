        .data
        BSTOP
