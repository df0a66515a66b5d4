        bxu     a0, 0, 65, ->a1
