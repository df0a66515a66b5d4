        .byte   007, 010
        addi    a0, 08, ->a1
