# Quicksort in place over 24 signed words, recursive on the left part, looping on the right one; then the words are
# written in decimal. The list contains equal values, the extremes and an already sorted run.
        .equ    WRITE, 64
sort:                                       # a0 first, a1 last (addresses, last included)
        FENTRY  [ra ~ s3], sp!, 40
        addi    a0, 0, ->s0
        addi    a1, 0, ->s1
again:  BSTART  COND, done
        setc.geu s0, s1
        BSTOP
# Partition around the last word: s2 is where the next smaller one goes.
        lwi     [s1, 0], ->s3
        addi    s0, 0, ->s2
        addi    s0, 0, ->a2
scan:   lwi     [a2, 0], ->a3
        BSTART  COND, 1f
        setc.ge a3, s3
        BSTOP
        lwi     [s2, 0], ->t
        swi     a3, [s2, 0]
        swi     t#1, [a2, 0]
        addi    s2, 4, ->s2
1:      BSTART  COND, scan
        addi    a2, 4, ->a2
        setc.ltu a2, s1
        BSTOP
        lwi     [s2, 0], ->t
        swi     s3, [s2, 0]
        swi     t#1, [s1, 0]
        addi    s0, 0, ->a0
        subi    s2, 4, ->a1
        addi    s2, 4, ->s0                 # the right part, next turn
        BSTART.CALL sort, 2f, ->ra
        BSTOP
2:      j       again
done:   FRET.STK [ra ~ s3], sp!, 40

# Appends a0 in decimal and a blank at a1; answers the new end in a1.
decimal:
        BSTART  COND, 1f
        setc.gei a0, 0
        BSTOP
        addi    zero, '-', ->t
        sbi     t#1, [a1, 0]
        addi    a1, 1, ->a1
        sub     zero, a0, ->a0
1:      addi    zero, 10, ->a2
        addi    zero, 0, ->a3               # digits, last one first
        addi    zero, 0, ->a4
2:      hl.divu a0, a2, ->a0, t
        slli    a3, 4, ->a3
        addi    a4, 1, ->a4
        BSTART  COND, 2b
        add     a3, t#1, ->a3
        setc.ne a0, zero
        BSTOP
3:      andi    a3, 15, ->t
        srli    a3, 4, ->a3
        addi    t#1, '0', ->t
        sbi     t#1, [a1, 0]
        addi    a1, 1, ->a1
        BSTART  COND, 3b
        subi    a4, 1, ->a4
        setc.ne a4, zero
        BSTOP
        addi    zero, ' ', ->t
        sbi     t#1, [a1, 0]
        addi    a1, 1, ->a1
        BSTART.STD RET
        BSTOP

_start:
        HL.LIU  words, ->a0
        HL.LIU  words_end - 4, ->a1
        BSTART.CALL sort, 1f, ->ra
        BSTOP
1:      HL.LIU  words, ->s0
        HL.LIU  text, ->a1
        HL.LIU  words_end, ->s1
2:      lwi     [s0, 0], ->a0
        BSTART.CALL decimal, 3f, ->ra
        BSTOP
3:      BSTART  COND, 2b
        addi    s0, 4, ->s0
        setc.ltu s0, s1
        BSTOP
        addi    zero, 10, ->t
        sbi     t#1, [a1, -1]
        addi    zero, 1, ->a0
        addi    a1, 0, ->a2
        HL.LIU  text, ->a1
        sub     a2, a1, ->a2
        addi    zero, WRITE, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        .data
words:  .word   5, -3, 99, 0, 12, 12, -2147483648, 7, 1, 2, 3, 4, 2147483647, -1, 12, 64, -64, 1000, 999, 8
        .word   -7, 31, 6, 100
words_end:
        .bss
text:   .zero   256
#> -2147483648 -64 -7 -3 -1 0 1 2 3 4 5 6 7 8 12 12 12 31 64 99 100 999 1000 2147483647
#> completed: reached the end of its section after 2,611 steps
#>    a0 0x55                 a1 0x12000              a2 0x55                 a7 0x40
#>    ra 0x1012c              s0 0x11060              s1 0x11060
#> [exit 0]
