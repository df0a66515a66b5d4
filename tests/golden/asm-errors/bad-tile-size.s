        B.IOT   t#1, last, ->t<3KB>
