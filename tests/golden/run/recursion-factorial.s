# Each activation keeps n in a frame: FENTRY saves ra and s0, FRET.STK restores both and returns. 20! is the largest
# factorial that fits 64 bits: 2432902008176640000 = 0x21c3677c82b40000.
factorial:
        FENTRY  [ra ~ s0], sp!, 16
        addi    a0, 0, ->s0
        addi    zero, 1, ->a0
        BSTART  COND, 2f
        setc.eq s0, zero
        BSTOP
        subi    s0, 1, ->a0
        BSTART.CALL factorial, 1f, ->ra
        BSTOP
1:      mul     a0, s0, ->a0
2:      FRET.STK [ra ~ s0], sp!, 16
_start:
        addi    zero, 20, ->a0
        BSTART.CALL factorial, 1f, ->ra
        BSTOP
1:
#> completed: reached the end of its section after 251 steps
#>    a0 0x21c3677c82b40000   ra 0x10038
#> [exit 0]
