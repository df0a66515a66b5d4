# SETC.TGT names the target inside an open block, the ICALL block takes it and sets the return address. Three functions
# from a table: 10 doubled, then squared, then minus one: 399 = 0x18f.
_start:
        HL.LIU  table, ->s0
        addi    s0, 24, ->s1
        addi    zero, 10, ->a0
next:   BSTART.STD FALL
        ldi     [s0, 0], ->t
        setc.tgt t#1
        BSTART.ICALL 1f, ->ra
        BSTOP
1:      BSTART  COND, next
        addi    s0, 8, ->s0
        setc.ltu s0, s1
        BSTOP
        j       end
double: add     a0, a0, ->a0
        BSTART.STD RET
        BSTOP
square: mul     a0, a0, ->a0
        BSTART.STD RET
        BSTOP
lower:  subi    a0, 1, ->a0
        BSTART.STD RET
        BSTOP
end:
        .data
table:  .dword  double, square, lower
#> completed: reached the end of its section after 40 steps
#>    a0 0x18f                ra 0x10022              s0 0x11018              s1 0x11018
#> [exit 0]
