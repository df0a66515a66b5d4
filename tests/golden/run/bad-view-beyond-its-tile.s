# The tile has CELLs 0 and 1.
        HL.LIU  numbers, ->a0
        addi    zero, 16, ->a1
        BSTART.TLOAD U16                # t#1: CUBE_M16, two rows of eight numbers in CELLs 0 and 1
        B.DATR  ND2M16, DTYPE_NONE
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<256B>
        BSTOP
        addi    zero, 1, ->s0
        BSTART.VEC TADD, U16
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOT   t#1, t#1, mask=1000, last, ->u<128B>
        B.SUBVIEW s0, 1, 128B
        BSTOP
        .data
numbers: .half  1, 2, 3, 4, 5, 6, 7, 8
        .half   10, 20, 30, 40, 50, 60, 70, 80
#> bad-view-beyond-its-tile.s:17: TileLegality completing the block at 0x1002a (BSTART.VEC TADD, U16)   [PTO ISA 0.58.5]
#>   source 0 (t#1): CELL 2 of 2 (PTO-B-SUBVIEW-DESCRIPTOR-001)
#>   rule view.range: A view begins at a CELL of its parent within the valid region, and what it shows fits its size.
#>   block so far: B.DIM zero, 4, ->LB0 · B.DIM zero, 2, ->LB1 · B.IOT t#1, t#1, mask=1000, last, ->u<128B> · B.SUBVIEW s0, 1, 128B
#> faulted: TileLegality after 16 steps
#>    a0 0x11000              a1 0x10                 s0 0x1
#>   t#1  U16 CUBE_M16 2x8, 256 bytes, PEs 1000
#> [exit 1]
