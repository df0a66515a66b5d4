        B.IOT   t#17, mask=1111, last
