        B.DATR  ND2M64
