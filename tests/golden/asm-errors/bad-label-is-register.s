a0:     BSTOP
