# Moves three discs from A to C and writes every move through the host: 2^3 - 1 moves, ending with C's smallest.
        .equ    WRITE, 64
hanoi:                                      # a0 discs from a1 to a2 over a3
        BSTART  COND, 1f
        setc.nei a0, 0
        BSTOP
        BSTART.STD RET
        BSTOP
1:      FENTRY  [ra ~ s3], sp!, 40
        subi    a0, 1, ->s0
        addi    a1, 0, ->s1
        addi    a2, 0, ->s2
        addi    a3, 0, ->s3
        addi    s0, 0, ->a0
        addi    s3, 0, ->a2
        addi    s2, 0, ->a3
        BSTART.CALL hanoi, 2f, ->ra
        BSTOP
2:      HL.LIU  move, ->a1
        sbi     s1, [a1, 0]
        sbi     s2, [a1, 2]
        addi    zero, 1, ->a0
        addi    zero, 4, ->a2
        addi    zero, WRITE, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    x0, 1, ->x0
        addi    s0, 0, ->a0
        addi    s3, 0, ->a1
        addi    s2, 0, ->a2
        addi    s1, 0, ->a3
        BSTART.CALL hanoi, 3f, ->ra
        BSTOP
3:      FRET.STK [ra ~ s3], sp!, 40
_start:
        addi    zero, 3, ->a0
        addi    zero, 'A', ->a1
        addi    zero, 'C', ->a2
        addi    zero, 'B', ->a3
        BSTART.CALL hanoi, 1f, ->ra
        BSTOP
1:      addi    zero, 0, ->a1
        .data
move:   .ascii  "A>C\n"
#> A>C
#> A>B
#> C>B
#> A>C
#> B>A
#> B>C
#> A>C
#> completed: reached the end of its section after 272 steps
#>    a2 0x43                 a3 0x41                 a7 0x40                 ra 0x1009a
#>    x0 0x7
#> [exit 0]
