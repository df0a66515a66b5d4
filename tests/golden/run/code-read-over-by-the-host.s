# run: <<<$'abcd\x15\x04\x04\x01' --max-steps 1000
# The host reads over an instruction that was executed: the next turn executes what it read.
        .section .code, "wx"
_start:
        addi    zero, 2, ->s0
        HL.LIU  buffer, ->a4
loop:   addi    zero, 63, ->a7
        addi    zero, 0, ->a0
        add     a4, zero, ->a1
        addi    zero, 4, ->a2
        BSTART.SYS FALL
        acrc    1
        BSTOP
patched:
        addi    a6, 1, ->a6
        HL.LIU  patched, ->a4
        BSTART  COND, loop
        subi    s0, 1, ->s0
        setc.ne s0, zero
        BSTOP
        .data
buffer: .word 0
#> completed: reached the end of its section after 28 steps
#>    a0 0x4                  a1 0x10026              a2 0x4                  a4 0x10026
#>    a6 0x11                 a7 0x3f
#> [exit 0]
