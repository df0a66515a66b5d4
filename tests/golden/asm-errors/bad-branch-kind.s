        BSTART  MAYBE, .+8
