        B.IOR   a0, a1, a2, a3
        B.CATR  foo
        B.HINT  foo
