        add     a0, a1
