        add     a0, q1, ->a1
