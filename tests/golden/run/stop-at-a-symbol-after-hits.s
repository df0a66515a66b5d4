# run: --stop here --stop-hits 4
# Stops before the fourth time: three turns have gone through it.
        addi    zero, 10, ->s0
again:  subi    s0, 1, ->s0
here:   addi    a0, 1, ->a0
        BSTART  COND, again
        setc.ne s0, zero
        BSTOP
#> completed: reached stop-at-a-symbol-after-hits.s:5 after 17 steps
#>    a0 0x3                  s0 0x6
#> [exit 0]
