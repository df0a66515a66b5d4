# Two recursive calls per activation: fibonacci(20) = 6765 = 0x1a6d after 21891 activations, counted in x0.
fibonacci:
        FENTRY  [ra ~ s1], sp!, 24
        addi    x0, 1, ->x0
        addi    a0, 0, ->s0
        BSTART  COND, 3f                    # fibonacci(0) = 0, fibonacci(1) = 1
        setc.ltui a0, 2
        BSTOP
        subi    s0, 1, ->a0
        BSTART.CALL fibonacci, 1f, ->ra
        BSTOP
1:      addi    a0, 0, ->s1
        subi    s0, 2, ->a0
        BSTART.CALL fibonacci, 2f, ->ra
        BSTOP
2:      add     a0, s1, ->a0
3:      FRET.STK [ra ~ s1], sp!, 24
_start:
        addi    zero, 20, ->a0
        BSTART.CALL fibonacci, 1f, ->ra
        BSTOP
1:
#> completed: reached the end of its section after 262,691 steps
#>    a0 0x1a6d               ra 0x10048              x0 0x5583
#> [exit 0]
