        B.IOS   S64, mask=1111
