        B.IOR   t#1, zero, zero, ->zero
