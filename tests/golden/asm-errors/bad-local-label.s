        j       1f
1:      BSTOP
        j       2b
