        .set    far, 0x10000 + (1 << 40)
        addtpc  . + (1 << 40), ->a0
        addtpc  1 << 20, ->a0
