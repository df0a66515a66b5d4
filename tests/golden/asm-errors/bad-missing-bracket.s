        ldi     [sp, 8, ->a0
