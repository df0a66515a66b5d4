# Every atomic answers what memory held before. Signed and unsigned minima differ: 0xffffffff is -1 and 4294967295.
        HL.LIU  word, ->s0
        addi    zero, 7, ->t
        ld.add  [s0], t#1, ->a0             # 100, memory 107
        addi    zero, 0x0f, ->t
        ld.and.aqrl [s0], t#1, ->a1         # 107 = 0x6b, memory 0x0b
        addi    zero, 0x40, ->t
        ld.or   [s0], t#1, ->a2             # 0x0b, memory 0x4b
        addi    zero, 0xff, ->t
        ld.xor  [s0], t#1, ->a3             # 0x4b, memory 0xb4
        addi    zero, 1, ->t
        swapd   [s0], t#1, ->a4             # 0xb4, memory 1
        addi    zero, 1, ->t
        addi    zero, 42, ->u
        hl.casd [s0], t#1, u#1, ->a5        # held 1 as expected: memory 42
        hl.casd [s0], t#1, zero, ->a6       # held 42, not 1: memory unchanged
        ldi     [s0, 0], ->a7               # 42
        addi    s0, 8, ->x0
        addi    zero, 9, ->t
        lw.smin [x0], t#1, ->s1             # -1 < 9: stays -1, answered sign-extended
        lwi     [x0, 0], ->s2
        addi    s0, 12, ->x0
        lw.umin [x0], t#1, ->s3             # 9 < 4294967295: memory 9
        lwi     [x0, 0], ->s4
        sw.add  [x0], s4                    # no answer: 9 + 9
        lwi     [x0, 0], ->s5
        .data
        .balign 8
word:   .dword  100
signed: .word   0xffffffff
unsigned_: .word 0xffffffff
#> completed: reached the end of its section after 25 steps
#>    a0 0x64                 a1 0x6b                 a2 0xb                  a3 0x4b
#>    a4 0xb4                 a5 0x1                  a6 0x2a                 a7 0x2a
#>    s0 0x11000              s1 0xffffffffffffffff   s2 0xffffffffffffffff   s3 0xffffffffffffffff
#>    s4 0x9                  s5 0x12                 x0 0x1100c
#> [exit 0]
