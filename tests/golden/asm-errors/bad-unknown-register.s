        add     a0, a9, ->a1
