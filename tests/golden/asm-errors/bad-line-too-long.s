        .macro  d a
        e       \a\a\a\a\a\a\a\a\a\a\a\a\a\a\a\a
        .endm
        .macro  e a
        f       \a\a\a\a\a\a\a\a\a\a\a\a\a\a\a\a
        .endm
        .macro  f a
        g       \a\a\a\a\a\a\a\a\a\a\a\a\a\a\a\a
        .endm
        .macro  g a
        h       \a\a\a\a\a\a\a\a\a\a\a\a\a\a\a\a
        .endm
        .macro  h a
        .byte   \a\a\a\a\a\a\a\a\a\a\a\a\a\a\a\a
        .endm
        d       1+1+
