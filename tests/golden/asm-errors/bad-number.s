        addi    a0, 12z, ->a1
