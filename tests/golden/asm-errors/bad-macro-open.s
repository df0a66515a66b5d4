        .macro  open
        BSTOP
