# A partial operation takes no B.DATR, not even one whose fields are all zero.
# run: --isa 0.58.3
        .macro  tile                        # a tile of 4 x 8 numbers
        BSTART.VEC TEXPANDS, U32
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 4, ->lb1
        B.IOR   a0, zero
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        .endm
        tile
        tile
        BSTART.SFU TPARTADD, U32
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 4, ->lb1
        B.DATR  NORM, FP64, Zero
        B.IOT   t#1, t#2, mask=1000, last, ->u<128B>
        BSTOP
#> bad-attributes-of-an-operation-without.s:18: TileLegality completing the block at 0x10030 (BSTART.SFU TPARTADD, U32)   [PTO ISA 0.58.3]
#>   B.DATR with TPARTADD (PTO-BLOCK-B-DATR)
#>   rule tile.datr-absent: The operation takes no B.DATR.
#>   block so far: B.DIM zero, 8, ->LB0 · B.DIM zero, 4, ->LB1 · B.DATR · B.IOT t#1, t#2, mask=1000, last, ->u<128B>
#> faulted: TileLegality after 18 steps
#>   t#1  U32 RowMajor 4x8, 128 bytes, PEs 1000
#>   t#2  U32 RowMajor 4x8, 128 bytes, PEs 1000
#> [exit 1]
