        swi     a0
