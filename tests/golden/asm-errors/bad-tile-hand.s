        B.IOT   x#1, mask=1111, last
