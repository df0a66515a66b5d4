        ldi     [sp, 4], ->a0
