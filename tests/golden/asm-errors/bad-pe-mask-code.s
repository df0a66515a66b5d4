        B.IOT   t#1, mask=2, last
