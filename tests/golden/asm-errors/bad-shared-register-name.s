        B.IOS   T3, mask=1111
