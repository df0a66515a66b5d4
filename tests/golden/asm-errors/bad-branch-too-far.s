        C.BSTART DIRECT, far
        .zero   8192
far:    BSTOP
