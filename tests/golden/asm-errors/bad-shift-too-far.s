        .quad   1 << 64, 2
        .quad   1 >> -1
