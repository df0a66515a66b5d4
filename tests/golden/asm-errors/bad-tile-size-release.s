# --isa 0.58.3
        B.IOT   t#1, last, ->t<128KB>
