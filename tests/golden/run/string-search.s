# Horspool's search: a table says how far to move on when the text under the pattern's last letter is some byte. Finds
# "needle" in a text of near misses; the answer is its offset, counted here: 45 = 0x2d. A second search finds nothing: -1.
search:                                     # a0 text, a1 its length, a2 pattern, a3 its length -> a0 offset or -1
        HL.LIU  shifts, ->a4
        addi    zero, 0, ->a5
1:      add     a4, a5, ->t                 # every byte: the whole pattern
        sbi     a3, [t#1, 0]
        BSTART  COND, 1b
        addi    a5, 1, ->a5
        setc.ltui a5, 256
        BSTOP
        subi    a3, 1, ->a6                 # index of the last letter
        addi    zero, 0, ->a5
2:      lbu     [a2, a5], ->t               # letters of the pattern: their distance from its end
        add     a4, t#1, ->u
        sub     a6, a5, ->t
        sbi     t#1, [u#1, 0]
        BSTART  COND, 2b
        addi    a5, 1, ->a5
        setc.ltu a5, a6
        BSTOP
        sub     a1, a3, ->a1                # last place where it fits
        addi    zero, 0, ->x0
3:      BSTART  COND, none
        setc.lt a1, x0
        BSTOP
        addi    a6, 0, ->a5
        add     a0, x0, ->x1
4:      lbu     [x1, a5], ->t
        lbu     [a2, a5], ->u
        BSTART  COND, differ
        setc.ne t#1, u#1
        BSTOP
        BSTART  COND, 4b
        subi    a5, 1, ->a5
        setc.gei a5, 0
        BSTOP
        addi    x0, 0, ->a0
        BSTART.STD RET
        BSTOP
differ: lbu     [x1, a6], ->t
        lbu     [a4, t#1], ->t
        add     x0, t#1, ->x0
        j       3b
none:   HL.LIS  -1, ->a0
        BSTART.STD RET
        BSTOP

_start:
        HL.LIU  text, ->a0
        addi    zero, text_end - text, ->a1
        HL.LIU  present, ->a2
        addi    zero, 6, ->a3
        BSTART.CALL search, 1f, ->ra
        BSTOP
1:      addi    a0, 0, ->s0
        HL.LIU  text, ->a0
        addi    zero, text_end - text, ->a1
        HL.LIU  absent, ->a2
        addi    zero, 7, ->a3
        BSTART.CALL search, 2f, ->ra
        BSTOP
2:      addi    a0, 0, ->s1
        .data
text:   .ascii  "noodles are needy: kneedl and needlf; then a needle"
text_end:
present: .ascii "needle"
absent: .ascii  "needles"
        .bss
shifts: .zero   256
#> completed: reached the end of its section after 3,668 steps
#>    a0 0xffffffffffffffff   a1 0x2c                 a2 0x11039              a3 0x7
#>    a4 0x12000              a5 0x6                  a6 0x6                  ra 0x100f0
#>    s0 0x2d                 s1 0xffffffffffffffff   x0 0x2d                 x1 0x1102c
#> [exit 0]
