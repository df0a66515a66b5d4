# run: --errata enter-block-body
# By the published text an indexed operation reads four-bit displacements by carriers of 64 bits. Sixteen of them are
# one carrier; the fifteen lanes behind it find nothing that was ever defined, whatever a tile that was freed has left
# there, and take place 0.
_start:
        addi    zero, 16, ->a1
        HL.LIU  sevens, ->a0
        BSTART.TLOAD U8
        B.DIM   zero, 128, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        addi    zero, 1, ->a0               # free t#1
        addi    zero, 1024, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    zero, 8, ->a1
        HL.LIU  displacements, ->a0
        BSTART.TLOAD U4X2
        B.DIM   zero, 16, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        HL.LIU  table, ->a0
        BSTART.MGATHER U8
        B.DIM   zero, 16, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, zero
        B.IOT   t#1, mask=1000, last, ->m<128B>
        BSTOP
        addi    zero, 16, ->a1
        HL.LIU  gathered, ->a0
        BSTART.TSTORE U8
        B.DIM   zero, 16, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, a1
        B.IOT   m#1, mask=1000, last
        BSTOP
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
