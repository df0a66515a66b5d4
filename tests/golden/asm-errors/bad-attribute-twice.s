        B.IOT   t#1, mask=1111, last, last
        B.DATR  ND2M32, ND2M16
        B.DATR  U32, FP32, Null
