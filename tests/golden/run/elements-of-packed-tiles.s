# Displacements of four bits and data from a tile of 65536 elements: lane e takes element e. The bytes 1 to 16 go to the
# places 15 to 0, and come back by the displacements 0 to 15.
        .include "rows.inc"
_start:
        load_row U8, 16, 16, numbers, t<64KB>
        load_row U4X2, 16, 8, down, u<128B>
        HL.LIU  turned, ->a0
        BSTART.MSCATTER U8
        B.DIM   zero, 16, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, zero
        B.IOT   t#1, u#1, mask=1000, last
        BSTOP
        load_row U4X2, 16, 8, up, u<128B>
        gather_row U8, 16, turned, u#2, m<128B>
        store_row U8, 16, 16, m#1, gathered
        HL.LIU  turned, ->s0
        ldi     [s0, 0], ->a0
        ldi     [s0, 8], ->a1
        ldi     [s0, 16], ->a2
        ldi     [s0, 24], ->a3
        .data
numbers: .byte  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
up:     .byte   0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe
down:   .byte   0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01
turned: .zero   16
gathered: .zero 16
#> completed: reached the end of its section after 51 steps
#>    a0 0x90a0b0c0d0e0f10    a1 0x102030405060708    a2 0x90a0b0c0d0e0f10    a3 0x102030405060708
#>    s0 0x11020
#>   t#1  U8 RowMajor 1x16, 65536 bytes, PEs 1000
#>   u#1  U4X2 RowMajor 1x16, 128 bytes, PEs 1000
#>   u#2  U4X2 RowMajor 1x16, 128 bytes, PEs 1000
#>   m#1  U8 RowMajor 1x16, 128 bytes, PEs 1000
#> [exit 0]
