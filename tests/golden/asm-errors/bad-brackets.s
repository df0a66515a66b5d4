        B.IOT   [t#1, mask=1111
        B.IOT   t#1], mask=1111
        B.IOR   [a0, [a1]]
        B.DATR  {NORM]
