# run: --ring 0 --traps=deliver --max-steps 1000
# A load from nowhere is delivered to the handler, which puts -1 where the value should be and goes on behind the load.
_start:
        HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01                # EVBASE
        BSTOP
        HL.LIU  0x700000, ->s0
        addi    zero, 5, ->t
load:   ldi     [s0, 0], ->a0
        addi    t#1, 0, ->a1                # the queues are as before the fault: 5
        j       end
handler:
        addi    t#1, 1000, ->t              # the handler's own pushes do not outlive it
        HL.LIS  -1, ->a0
        BSTART.SYS FALL
        hl.ssrget 0xf02, ->x0               # TRAPNO: 35 data page, bit 62: TRAPARG0 is valid
        hl.ssrget 0xf03, ->x1               # TRAPARG0
        hl.ssrget 0xf43, ->x2               # EBARG_TPC
        addi    x2, 4, ->t
        hl.ssrset t#1, 0xf43
        BSTOP
        BSTART.SYS FALL
        acre    0
end:
#> completed: reached the end of its section after 20 steps
#>    a0 0xffffffffffffffff   a1 0x5                  s0 0x700000             x0 0x4000000000000023
#>    x1 0x700000             x2 0x1001e
#> [exit 0]
