        BSTOP
        j~ÿ
