# An index byte beyond the CELL row is refused before the destination changes; the report names rule, place and block.
        HL.LIU  words, ->a0
        BSTART.TLOAD U32
        B.DATR  ND2M32, DTYPE_NONE
        B.DIM   zero, 1, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, zero
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        HL.LIU  bytes, ->a0
        BSTART.TLOAD U8
        B.DATR  ND2M32, DTYPE_NONE
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, zero
        B.IOT   mask=1000, last, ->u<128B>
        BSTOP
        BSTART.SFU TPERMUTE, U32
        B.IOT   t#1, t#1, mask=1000
        B.IOT   u#1, mask=1000, last, ->m<128B>
        BSTOP
        .data
words:  .word   0x04030201
bytes:  .byte   0, 1, 9, 3
#> bad-index-byte.s:8: TileLegality completing the block at 0x10006 (BSTART.TLOAD U32)   [PTO ISA 0.58.5]
#>   LB1 is missing (PTO-BLOCK-B-DIM)
#>   rule tile.dimension-required: The operation needs this dimension.
#>   block so far: B.DATR ND2M32, DTYPE_NONE · B.DIM zero, 1, ->LB0 · B.IOR a0, zero, zero, ->zero · B.IOT mask=1000, last, ->t<128B>
#> faulted: TileLegality after 7 steps
#>    sp 0x7ffeffffffd0      a0 0x11000             ra 0x7ffffffffff0   
#> [exit 1]
