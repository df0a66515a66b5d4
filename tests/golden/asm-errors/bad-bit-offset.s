        bxu     a0, 64, 1, ->a1
