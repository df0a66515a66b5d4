        B.DIM   a0, 16, ->LB3
