        .if     1
        BSTOP
        .else
        BSTOP
        .else
        BSTOP
        .elseif 1
        BSTOP
        .endif
