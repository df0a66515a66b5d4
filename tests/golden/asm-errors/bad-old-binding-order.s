        B.IOT   last, t#1
