# run: --max-steps 1001
# An endless loop of five instructions: one before it, then exactly 200 turns of them.
        addi    zero, 0, ->a0
loop:   BSTART  COND, loop
        addi    a0, 1, ->a0
        addi    zero, 1, ->t
        setc.ne t#1, zero
        BSTOP
#> unfinished: step limit, at step-limit.s:4 after 1,001 steps
#>    a0 0xc8
#> [exit 3]
