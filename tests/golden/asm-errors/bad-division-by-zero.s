        .word   1 / 0
