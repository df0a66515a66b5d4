        .byte   'ab'
