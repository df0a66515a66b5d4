        B.IOT   t#1, last, ->q<1KB>
