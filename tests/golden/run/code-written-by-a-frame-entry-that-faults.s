# run: --ring 0 --traps=deliver --max-steps 1000
# A frame entry that stores over the handler of its own fault before it faults: the handler that runs is the new one.
_start: HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01
        BSTOP
        HL.LIU 0x700000, ->sp
        addi zero, 2, ->x3
        HL.LIU new, ->s0
        ldi [s0, 0], ->s5
        ldi [s0, 8], ->s6
        HL.LIU handler+16, ->s8
        add s6, zero, ->s0              # stored behind s1
        add s5, zero, ->s1
go:     FENTRY  [s0 ~ s3], sp!, 32
cont:   add s8, zero, ->sp
        BSTART COND, go
        subi x3, 1, ->x3
        setc.ne x3, zero
        BSTOP
        j end
end:
        .section .code, "wx"
handler: addi   x1, 1, ->x1
        addi    x0, 1, ->x0
        HL.LIU  cont, ->t
        jr      t#1, 0
        .balign 4
        .section .src, "ax"
        .balign 8
new:    addi    x1, 1, ->x1
        addi    x0, 100, ->x0
        HL.LIU  cont, ->t
        jr      t#1, 0
#> completed: reached the end of its section after 33 steps
#>    sp 0x11010              s0 0x60271003ef9d000e   s1 0x64a0a15001a8a95    s5 0x64a0a15001a8a95
#>    s6 0x60271003ef9d000e   s8 0x11010              x0 0x65                 x1 0x2
#> [exit 0]
