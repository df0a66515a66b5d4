        andi    a0, 2048, ->a1
