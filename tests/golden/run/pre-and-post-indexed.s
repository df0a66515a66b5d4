# .po uses the base as it is and answers the moved one, .pr moves first. The walk sums 1, 2, 3, 4 forwards by .po and
# backwards by .pr, then copies two words with a store of each kind.
        HL.LIU  words, ->s0
        addi    s0, 0, ->a0
        hl.ldi.po [a0, 8], ->a1, a0         # 1
        hl.ldi.po [a0, 8], ->a2, a0         # 2
        hl.ldi.po [a0, 8], ->a3, a0         # 3
        addi    s0, 32, ->a4
        hl.ldi.pr [a4, -8], ->a5, a4        # 4
        hl.ldi.pr [a4, -8], ->a6, a4        # 3
        HL.LIU  copy, ->s1
        hl.sdi.po a1, [s1, 8], ->s1         # copy[0] = 1
        hl.sdi.pr a2, [s1, 8], ->s2         # copy[2] = 2: moved before the store
        HL.LIU  copy, ->s3
        ldi     [s3, 0], ->s4
        ldi     [s3, 8], ->s5
        ldi     [s3, 16], ->s6
        .data
words:  .dword  1, 2, 3, 4
        .bss
copy:   .zero   24
#> completed: reached the end of its section after 15 steps
#>    a0 0x11018              a1 0x1                  a2 0x2                  a3 0x3
#>    a4 0x11010              a5 0x4                  a6 0x3                  s0 0x11000
#>    s1 0x12008              s2 0x12010              s3 0x12000              s4 0x1
#>    s6 0x2
#> [exit 0]
