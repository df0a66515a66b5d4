        B.DIM   zero, 131072, ->LB0
