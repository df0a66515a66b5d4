# run: one two "three words" --exit-code
# argc in a0, argv in a1: the program's name comes first. It writes each argument on a line and exits with argc = 4.
        .equ    WRITE, 64
        .equ    EXIT, 93
_start: addi    a0, 0, ->s0
        addi    a1, 0, ->s1
        addi    a0, 0, ->s2
next:   ldi     [s1, 0], ->a1
        addi    a1, 0, ->a2
length: hl.lbui.po [a2, 1], ->t, a2
        BSTART  COND, length
        setc.ne t#1, zero
        BSTOP
        subi    a2, 1, ->s3                 # the final zero becomes a line end
        addi    zero, 10, ->t
        sbi     t#1, [s3, 0]
        sub     a2, a1, ->a2
        addi    zero, 1, ->a0
        addi    zero, WRITE, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    s1, 8, ->s1
        BSTART  COND, next
        subi    s2, 1, ->s2
        setc.ne s2, zero
        BSTOP
        addi    s0, 0, ->a0
        addi    zero, EXIT, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
#> arguments.s
#> one
#> two
#> three words
#> completed: exit 4 after 199 steps
#>    a1 0x7ffeffffffe0       a2 0xc                  a7 0x5d                 s0 0x4
#>    s1 0x7ffeffffffd0       s3 0x7ffeffffffeb
#> [exit 4]
