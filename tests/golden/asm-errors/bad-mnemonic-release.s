# --isa 0.58.3
        B.SUBVIEW a0, 0, 1KB
