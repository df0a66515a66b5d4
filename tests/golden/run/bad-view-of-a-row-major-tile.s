# Only tiles in CUBE layouts have CELLs to show.
        HL.LIU  numbers, ->a0
        addi    zero, 16, ->a1
        BSTART.TLOAD U16
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        BSTART.VEC TADD, U16
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOT   t#1, t#1, mask=1000, last, ->u<128B>
        B.SUBVIEW zero, 0, 128B
        BSTOP
        .data
numbers: .half  1, 2, 3, 4, 5, 6, 7, 8
        .half   10, 20, 30, 40, 50, 60, 70, 80
#> bad-view-of-a-row-major-tile.s:15: TileLegality completing the block at 0x10022 (BSTART.VEC TADD, U16)   [PTO ISA 0.58.5]
#>   source 0 (t#1) is RowMajor (PTO-B-SUBVIEW-DESCRIPTOR-001)
#>   rule view.parent: A view shows a Local source that is allocated, has a CUBE layout at Matrix location and is not empty.
#>   block so far: B.DIM zero, 4, ->LB0 · B.DIM zero, 2, ->LB1 · B.IOT t#1, t#1, mask=1000, last, ->u<128B> · B.SUBVIEW zero, 0, 128B
#> faulted: TileLegality after 14 steps
#>    a0 0x11000              a1 0x10
#>   t#1  U16 RowMajor 2x8, 128 bytes, PEs 1000
#> [exit 1]
