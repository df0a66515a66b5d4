t#1:    bstop
