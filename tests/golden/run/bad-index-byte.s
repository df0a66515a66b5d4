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
#> bad-index-byte.s:21: TileLegality completing the block at 0x10044 (BSTART.SFU TPERMUTE, U32)   [PTO ISA 0.58.5]
#>   index byte 9 at row 0, byte 2: must be below 8 in CUBE_M32 (PTO-TPERMUTE-CONTRACT-001)
#>   rule tpermute.index-range: Every index byte must be below twice the bytes of a CELL row.
#>   block so far: B.IOT t#1, t#1, mask=1000 · B.IOT u#1, mask=1000, last, ->m<128B>
#> faulted: TileLegality after 20 steps
#>    a0 0x11004
#>   t#1  U32 CUBE_M32 1x1, 128 bytes, PEs 1000
#>   u#1  U8 CUBE_M32 1x4, 128 bytes, PEs 1000
#> [exit 1]
