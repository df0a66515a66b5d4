        B.IOT   t#1, mask=1010, last
