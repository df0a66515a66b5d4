# SC answers 0 when its reservation still holds and 1 when it is gone; a store into the reserved 64 bytes ends it, one
# to the next 64 bytes does not. The counter goes 5 -> 6 by the undisturbed pair, stays when disturbed, then 6 -> 7.
        HL.LIU  counter, ->a0
        lr.d.aq [a0], ->t
        addi    t#1, 1, ->t
        sc.d.rl t#1, [a0], ->a1             # undisturbed: 0
        ldi     [a0, 0], ->a2               # 6
        lr.d    [a0], ->t
        sdi     zero, [a0, 8]               # the same granule
        addi    t#1, 1, ->t
        sc.d    t#1, [a0], ->a3             # 1
        ldi     [a0, 0], ->a4               # still 6
        lr.d    [a0], ->t
        sdi     zero, [a0, 64]              # the next granule
        addi    t#1, 1, ->t
        sc.d    t#1, [a0], ->a5             # 0
        sc.d    zero, [a0], ->a6            # the reservation is used up: 1
        ldi     [a0, 0], ->a7               # 7
        .data
        .balign 64
counter: .dword 5, 0, 0, 0, 0, 0, 0, 0
next:   .dword  0
#> completed: reached the end of its section after 16 steps
#>    a0 0x11000              a2 0x6                  a3 0x1                  a4 0x6
#>    a6 0x1                  a7 0x7
#> [exit 0]
