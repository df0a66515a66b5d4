# Three nested loops: the 3x4 matrix of 1..12 times the 4x2 matrix of 1..8, as 64-bit words. By hand: row 1 gives
# 1*1+2*3+3*5+4*7 = 50 and 1*2+2*4+3*6+4*8 = 60, row 2 114 and 140, row 3 178 and 220.
        .equ    ROWS, 3
        .equ    INNER, 4
        .equ    COLUMNS, 2
_start:
        HL.LIU  left, ->s0
        HL.LIU  right, ->s1
        HL.LIU  product, ->s2
        addi    zero, COLUMNS, ->s3
        addi    zero, INNER, ->s4
row:    addi    zero, 0, ->a1               # column
column: addi    zero, 0, ->a2               # inner index
        addi    zero, 0, ->a3               # sum
inner:  madd    a0, s4, a2, ->t             # row * INNER + index
        madd    a2, s3, a1, ->u             # index * COLUMNS + column
        ld      [s0, t#1<<3], ->t
        ld      [s1, u#1<<3], ->u
        BSTART  COND, inner
        madd    t#1, u#1, a3, ->a3
        addi    a2, 1, ->a2
        setc.ltu a2, s4
        BSTOP
        madd    a0, s3, a1, ->t
        sd      a3, [s2, t#1<<3]
        BSTART  COND, column
        addi    a1, 1, ->a1
        setc.ltu a1, s3
        BSTOP
        BSTART  COND, row
        addi    a0, 1, ->a0
        setc.ltui a0, ROWS
        BSTOP
        hl.ldip [s2, 0], ->a0, a1
        hl.ldip [s2, 16], ->a2, a3
        hl.ldip [s2, 32], ->a4, a5
        .data
left:   .dword  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
right:  .dword  1, 2, 3, 4, 5, 6, 7, 8
        .bss
product: .zero  ROWS * COLUMNS * 8
#> completed: reached the end of its section after 287 steps
#>    a0 0x32                 a1 0x3c                 a2 0x72                 a3 0x8c
#>    a4 0xb2                 a5 0xdc                 s0 0x11000              s1 0x11060
#>    s2 0x12000              s3 0x2                  s4 0x4
#> [exit 0]
