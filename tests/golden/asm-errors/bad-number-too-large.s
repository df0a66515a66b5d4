        .quad   0x1ffffffffffffffff
