        .macro  pair a, b
        add     \a, \b, ->a0
        .endm
        pair    a0
        pair    a0, a1, a2
        pair    a0, b7
