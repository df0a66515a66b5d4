        add     a0
