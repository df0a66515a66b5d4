# JR jumps to a computed address: the digits 2, 0, 1 select three pieces of code in that order, each shifting its own
# number into a0: the bytes of a0 are 0x33, 0x11, 0x22.
_start:
        HL.LIU  table, ->s0
        HL.LIU  order, ->s1
again:  lbui    [s1, 0], ->t
        ld      [s0, t#1<<3], ->u
        slli    a0, 8, ->a0
        jr      u#1, 0
zero_:  ori     a0, 0x11, ->a0
        j       join
one:    ori     a0, 0x22, ->a0
        j       join
two:    ori     a0, 0x33, ->a0
join:   addi    s1, 1, ->s1
        BSTART  COND, again
        HL.LIU  order_end, ->t
        setc.ltu s1, t#1
        BSTOP
        .data
table:  .dword  zero_, one, two
order:  .byte   2, 0, 1
order_end:
#> completed: reached the end of its section after 34 steps
#>    a0 0x331122             s0 0x11000              s1 0x1101b
#> [exit 0]
