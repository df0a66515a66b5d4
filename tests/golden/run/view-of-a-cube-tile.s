# B.SUBVIEW shows an operation a range of CELLs of a CUBE tile. The tile holds two rows of eight 16-bit numbers in two
# CELLs of four columns; the right half plus the left half of each row is 1+5 2+6 3+7 4+8 and 10+50 20+60 30+70 40+80.
        HL.LIU  numbers, ->a0
        addi    zero, 16, ->a1
        BSTART.TLOAD U16                # t#1: CUBE_M16, CELLs 0 and 1
        B.DATR  ND2M16, DTYPE_NONE
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<256B>
        BSTOP
        addi    zero, 1, ->s0
        BSTART.VEC TADD, U16            # t#2; the views are t#2 and t#3 only while the block completes
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOT   t#1, t#1, mask=1000, last, ->u<128B>
        B.SUBVIEW s0, 0, 128B           # CELL s0+0
        B.SUBVIEW zero, 0, 128B, source1
        BSTOP
        HL.LIU  sums, ->a0
        addi    zero, 8, ->a1
        BSTART.TSTORE U16
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   u#1, mask=1000, last
        BSTOP
        ldi     [a0, 0], ->a2
        ldi     [a0, 8], ->a3
        .data
numbers: .half  1, 2, 3, 4, 5, 6, 7, 8
        .half   10, 20, 30, 40, 50, 60, 70, 80
        .bss
sums:   .zero   64
#> completed: reached the end of its section after 27 steps
#>    a0 0x12000              a1 0x8                  a2 0xc000a00080006      a3 0x7800640050003c
#>    s0 0x1
#>   t#1  U16 CUBE_M16 2x8, 256 bytes, PEs 1000
#>   u#1  U16 RowMajor 2x4, 128 bytes, PEs 1000
#> [exit 0]
