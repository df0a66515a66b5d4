        addi    a0, 5000, ->a1
