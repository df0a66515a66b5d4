# run: --ring 0 --traps=deliver --max-steps 1000
# A fault in the body of a conditional block, behind its SETC: the trap saves the open block with its condition, the
# handler runs blocks of its own and skips the load, and ACRE brings the saved block back; its transfer is taken as decided
# before the trap. a0 counts turns, a1 traps: three each.
_start:
        HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01                # EVBASE
        BSTOP
        addi    zero, 3, ->s0
loop:   BSTART  COND, loop
        subi    s0, 1, ->s0
        setc.nei s0, 0
        ldi     [s1, 0], ->u
        addi    a0, 1, ->a0
        BSTOP
        j       end
handler:
        BSTART.SYS FALL
        addi    a1, 1, ->a1
        hl.ssrget 0xf02, ->a2               # TRAPNO: 35 data page
        hl.ssrget 0xf43, ->t
        addi    t#1, 4, ->t
        hl.ssrset t#1, 0xf43                # behind the load
        BSTOP
        BSTART.SYS FALL
        acre    0
end:
#> completed: reached the end of its section after 51 steps
#>    a0 0x3                  a1 0x3                  a2 0x4000000000000023
#> [exit 0]
