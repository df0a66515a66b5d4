        adi     a0, 1, ->a1
        addi    a0, 1, ->a1
        addi    a0, 9999, ->a1
        B.IOT   t#0, last
