here:   lui     here, ->a0
        hl.lui  here, ->a0
