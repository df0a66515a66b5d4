here:   BSTOP
here:   BSTOP
