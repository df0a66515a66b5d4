        .macro  store what, where=a0, count:req
        .byte   \\count
        .endm
        store   1, count=2, 3
        store   1, what=2
        store   1, a1
        store   1, count=
