# A loop overwrites one of its own instructions: addi a0, 1 becomes addi a0, 16 after the first of three turns. What
# executes is what memory holds: 1 + 16 + 16 = 33 = 0x21.
        .section .code, "wx"
_start:
        addi    zero, 3, ->s0
        c.movi  0, ->a0                     # two bytes: what is patched lies on a multiple of four
        HL.LIU  patched, ->s1
        lwui    [s1, 0], ->s2
        addi    zero, 1, ->t
        xor     s2, t#1<<20, ->s2           # the immediate stands in bits 31:20: 1 becomes 0 ...
        addi    zero, 16, ->t
        or      s2, t#1<<20, ->s2           # ... and then 16
patched: addi   a0, 1, ->a0
        swi     s2, [s1, 0]
        BSTART  COND, patched
        subi    s0, 1, ->s0
        setc.ne s0, zero
        BSTOP
#> completed: reached the end of its section after 26 steps
#>    a0 0x21                 s1 0x10020              s2 0x1010115
#> [exit 0]
