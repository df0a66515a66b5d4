        ldi     [sp, 1 << 20], ->a0
