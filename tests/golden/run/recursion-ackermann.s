# The inner call's result is the outer call's argument; the last call of an activation is a jump after FEXIT, so
# only the inner ones deepen the stack. ackermann(2, 9) = 2 * 9 + 3 = 21 = 0x15.
ackermann:                                  # a0 = m, a1 = n
        BSTART  COND, 1f
        setc.nei a0, 0
        BSTOP
        addi    a1, 1, ->a0                 # A(0, n) = n + 1
        BSTART.STD RET
        BSTOP
1:      BSTART  COND, 2f
        setc.nei a1, 0
        BSTOP
        subi    a0, 1, ->a0                 # A(m, 0) = A(m - 1, 1)
        addi    zero, 1, ->a1
        j       ackermann
2:      FENTRY  [ra ~ s0], sp!, 16          # A(m, n) = A(m - 1, A(m, n - 1))
        addi    a0, 0, ->s0
        subi    a1, 1, ->a1
        BSTART.CALL ackermann, 3f, ->ra
        BSTOP
3:      addi    a0, 0, ->a1
        subi    s0, 1, ->a0
        FEXIT   [ra ~ s0], sp!, 16
        j       ackermann
_start:
        addi    zero, 2, ->a0
        addi    zero, 9, ->a1
        BSTART.CALL ackermann, 1f, ->ra
        BSTOP
1:
#> completed: reached the end of its section after 2,508 steps
#>    a0 0x15                 a1 0x14                 ra 0x10064
#> [exit 0]
