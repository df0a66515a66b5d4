        B.IOT   t#1, ->t<1KB>, last
