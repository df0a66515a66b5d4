        .bss
        .word   1
