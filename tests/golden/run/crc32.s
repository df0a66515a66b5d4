# CRC-32 of "123456789", whose check value every description of it gives: 0xcbf43926. A table of 256 words is made first.
_start:
        HL.LIU  table, ->s0
        HL.LIU  0xedb88320, ->s1            # the reversed polynomial
        addi    zero, 0, ->a0
1:      addi    a0, 0, ->a1
        addi    zero, 8, ->a2
2:      andi    a1, 1, ->t
        sub     zero, t#1, ->t              # all ones if the bit was set
        and     t#1, s1, ->t
        srli    a1, 1, ->a1
        xor     a1, t#1, ->a1
        BSTART  COND, 2b
        subi    a2, 1, ->a2
        setc.ne a2, zero
        BSTOP
        sw      a1, [s0, a0<<2]
        BSTART  COND, 1b
        addi    a0, 1, ->a0
        setc.ltui a0, 256
        BSTOP
        HL.LIU  0xffffffff, ->a0
        HL.LIU  text, ->a1
        HL.LIU  text_end, ->a2
3:      hl.lbui.po [a1, 1], ->a3, a1
        xor     a0, a3, ->t
        andi    t#1, 255, ->t
        lwu     [s0, t#1<<2], ->t
        srli    a0, 8, ->a0
        BSTART  COND, 3b
        xor     a0, t#1, ->a0
        setc.ltu a1, a2
        BSTOP
        HL.LIU  0xffffffff, ->t
        xor     a0, t#1, ->a0
        .data
text:   .ascii  "123456789"
text_end:
        .bss
table:  .zero   1024
#> completed: reached the end of its section after 20,313 steps
#>    a0 0xcbf43926           a1 0x11009              a2 0x11009              a3 0x39
#>    s0 0x12000              s1 0xedb88320
#> [exit 0]
