# run: --errata enter-block-body
# By the published text an indexed operation reads four-bit displacements by carriers of 64 bits. Sixteen of them are
# one carrier; the fifteen lanes behind it find nothing that was ever defined, whatever a tile that was freed has left
# there, and take place 0.
        .include "rows.inc"
_start:
        load_row U8, 128, 16, sevens, t<128B>
        addi    zero, 1, ->a0               # free t#1
        addi    zero, 1024, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        load_row U4X2, 16, 8, displacements, t<128B>
        gather_row U8, 16, table, t#1, m<128B>
        store_row U8, 16, 16, m#1, gathered
        HL.LIU  gathered, ->s0
        ldi     [s0, 0], ->a0
        ldi     [s0, 8], ->a1
        .data
sevens: .fill   128, 1, 0x77
displacements: .byte 0xf5, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe
table:  .byte   0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f
gathered: .zero 16
#> completed: reached the end of its section after 39 steps
#>    a0 0x8080808080808085   a1 0x8080808080808080   a7 0x400                s0 0x11098
#>   t#1  U4X2 RowMajor 1x16, 128 bytes, PEs 1000
#>   m#1  U8 RowMajor 1x16, 128 bytes, PEs 1000
#> [exit 0]
