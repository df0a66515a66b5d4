        BSTART  DIRECT, lop
loop:   BSTOP
