        adi     a0, 1, ->a1
