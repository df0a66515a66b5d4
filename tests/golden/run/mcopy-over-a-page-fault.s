# run: --ring 0 --traps=deliver --max-steps 1000
# MCOPY runs into a page nobody mapped. The handler reads where (TRAPARG0), has the host map that page, overwrites the
# registers that hold the operands, and returns: the copy goes on where it stopped, with the operands it began with.
# 64 bytes to 0x21fe0: 32 of them lie before the page boundary at 0x22000.
        .equ    MAP, 222                    # host request: a0 address, a1 length, a2 permissions
        .equ    READ_WRITE, 3
        .macro  get register, number
        BSTART.SYS FALL
        hl.ssrget \number, ->\register
        BSTOP
        .endm
_start:
        HL.LIU  0x21000, ->a0
        HL.LIU  0x1000, ->a1
        addi    zero, READ_WRITE, ->a2
        addi    zero, MAP, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01                # EVBASE
        BSTOP
        HL.LIU  0x21fe0, ->s0
        HL.LIU  text, ->s1
        addi    zero, 64, ->s2
        MCOPY   [s0, s1, s2]
        HL.LIU  0x21fe0, ->s0
        ldi     [s0, 0], ->a3               # "64 bytes"
        ldi     [s0, 24], ->a4              # the last before the boundary
        ldi     [s0, 32], ->a5              # the first behind it
        ldi     [s0, 56], ->a6
        addi    zero, 0, ->a7
        j       end
handler:
        addi    x0, 1, ->x0                 # how often it ran
        get     x1, 0xf02                   # TRAPNO: 35 data page; the argument is valid
        get     x2, 0xf03                   # TRAPARG0: the address
        get     x3, 0xf43                   # EBARG_TPC: the instruction
        addi    zero, 0, ->s0
        addi    zero, 0, ->s1
        addi    zero, 0, ->s2
        addi    x2, 0, ->a0
        HL.LIU  0x1000, ->a1
        addi    zero, READ_WRITE, ->a2
        addi    zero, MAP, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        BSTART.SYS FALL
        acre    0
end:
        .data
text:   .ascii  "64 bytes, eight at a time, so that every eight of them differ...."
#> completed: reached the end of its section after 45 steps
#>    a0 0x22000              a1 0x1000               a2 0x3                  a3 0x7365747962203436
#>    a4 0x6874206f73202c65   a5 0x7972657665207461   a6 0x2e2e2e7265666669   s0 0x21fe0
#>    x0 0x1                  x1 0x4000000000000023   x2 0x22000              x3 0x10044
#> [exit 0]
