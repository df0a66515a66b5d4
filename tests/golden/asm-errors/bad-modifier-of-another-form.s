        add     a0, a1.not, ->a2
