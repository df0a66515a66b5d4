# A conditional block is a loop: SETC in its body decides whether its transfer is taken.
        addi    zero, 5, ->a0
        addi    zero, 0, ->a1
loop:
        BSTART  COND, loop
        add     a1, a0, ->a1
        subi    a0, 1, ->a0
        setc.ne a0, zero
        BSTOP
#> completed: reached the end of its section after 27 steps
#>    a1 0xf
#> [exit 0]
