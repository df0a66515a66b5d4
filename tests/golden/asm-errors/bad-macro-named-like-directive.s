        .macro  .byte x
        .endm
