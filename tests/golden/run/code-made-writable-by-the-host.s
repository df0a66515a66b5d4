# Code lies in pages that may not be written. Every turn asks the host for something; turn 3 of 4 asks it to add "write" to
# the page of the code (222), and from then on the store replaces an instruction that was decoded before.
_start:
        addi    zero, 4, ->s0
        HL.LIU  buf, ->s1
        HL.LIU  requests, ->s6
        HL.LIU  targets, ->s7
        HL.LIU  new, ->s3
        lwui    [s3, 0], ->s2
        addi    zero, 0, ->a4
        j       loop
        .balign 4
new:    addi    a4, 16, ->a4
        .balign 4
loop:
patched: addi   a4, 1, ->a4
        HL.LIU  0x10000, ->a0
        addi    zero, 1, ->a1
        addi    zero, 2, ->a2
        ldi     [s6, 0], ->a7
        addi    s6, 8, ->s6
        BSTART.SYS FALL
        acrc    1
        BSTOP
        ldi     [s7, 0], ->s1
        addi    s7, 8, ->s7
        swi     s2, [s1, 0]
        BSTART  COND, loop
        subi    s0, 1, ->s0
        setc.ne s0, zero
        BSTOP
        .data
requests: .quad 113+1000, 113+1000, 222, 1113
targets:  .quad buf, buf, patched, patched
buf:    .word 0
#> ptosim: warning: 3 host requests were refused (served: 63 read, 64 write, 93 and 94 exit, 113 clock, 222 map, 1024 release tiles)
#> completed: reached the end of its section after 72 steps
#>    a0 0xffffffffffffffda   a1 0x1                  a2 0x2                  a4 0x13
#>    a7 0x459                s1 0x1002c              s2 0x1030315            s3 0x10028
#>    s6 0x11020              s7 0x11040
#> [exit 0]
