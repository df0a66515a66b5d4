# TCMP compares two tiles; it takes no B.IOR.
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
        BSTART.VEC TCMP, U32
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 4, ->lb1
        B.IOR   zero, zero
        B.IOT   t#1, t#2, mask=1000, last, ->u<128B>
        BSTOP
#> bad-scalar-of-an-operation-without.s:17: TileLegality completing the block at 0x10030 (BSTART.VEC TCMP, U32)   [PTO ISA 0.58.5]
#>   B.IOR with TCMP (PTO-BLOCK-B-IOR)
#>   rule tile.scalar-absent: The operation takes no B.IOR.
#>   block so far: B.DIM zero, 8, ->LB0 · B.DIM zero, 4, ->LB1 · B.IOR zero, zero, zero, ->zero · B.IOT t#1, t#2, mask=1000, last, ->u<128B>
#> faulted: TileLegality after 18 steps
#>   t#1  U32 RowMajor 4x8, 128 bytes, PEs 1000
#>   t#2  U32 RowMajor 4x8, 128 bytes, PEs 1000
#> [exit 1]
