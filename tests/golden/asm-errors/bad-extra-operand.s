        addi    a0, 1, ->a1, a2
