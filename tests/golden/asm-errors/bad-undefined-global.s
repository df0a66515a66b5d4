        .globl  start
        BSTOP
