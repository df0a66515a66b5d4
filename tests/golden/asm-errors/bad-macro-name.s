        .macro  add x
        .endm
