        c.movi  3, ->ra
