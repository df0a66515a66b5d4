# run: --ring 0 --traps=deliver --max-steps 1000
# A copy that overwrites the handler of its own fault before it faults: the handler that runs is the new one.
_start: HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01            # EVBASE
        BSTOP
        HL.LIU  source, ->s1
        HL.LIU  0x700000, ->s0          # turn 1: nothing there
        addi    zero, 32, ->s2
        addi    zero, 2, ->s3
copy:   MCOPY   [s0, s1, s2]
        .balign 4
next:   HL.LIU  handler, ->s0           # turn 2: 16 bytes of the handler, then the source ends
        BSTART  COND, copy
        subi    s3, 1, ->s3
        setc.ne s3, zero
        BSTOP
        j       end
end:
        .section .code, "wx"
handler:
        addi    x0, 1, ->x0
        HL.LIU  next, ->t
        jr      t#1, 0
        .balign 4
        .section .source, "ax"
        .zero 4096-16
source: addi    x0, 100, ->x0
        HL.LIU  next, ->t
        jr      t#1, 0
#> completed: reached the end of its section after 27 steps
#>    s0 0x11000              s1 0x12ff0              s2 0x20                 x0 0x65
#> [exit 0]
