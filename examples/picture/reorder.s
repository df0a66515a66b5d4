# Reorders the bytes of a picture, tile by tile, in place: two passes over RGBA pixels of four bytes.
#
#   pass 1  TPERMUTE in CUBE_M32 CELLs, whose rows hold one pixel: RGBA becomes BGRA.
#   pass 2  TPERMUTE in CUBE_M16 CELLs, whose rows hold two pixels: the two change places (a rotation by one pixel).
#
# The host gives:  a0  address of the pixels      a1  width in pixels, a multiple of 32
#                  a2  height in rows, a multiple of 32
#
# A block reads its scalar operands when it completes, which is at the next BSTART or BSTOP; so registers that a block
# names must stay as they are until then. The ISA has no instruction that frees a tile: host request 1024 does
# (docs/USER_GUIDE.md), so that every turn of the loop finds t#1, u#1 and m#1 free again.

        .equ    TILE_COLUMNS, 32            # pixels
        .equ    TILE_BYTES, TILE_COLUMNS * 4
        .equ    RELEASE_TILES, 1024

# One turn: load a tile of \rows rows from s3, permute its bytes by u#1, store it back.
        .macro  permute_tile load, store, rows
        BSTART.TLOAD U32
        B.DATR  \load, DTYPE_NONE
        B.DIM   zero, TILE_COLUMNS, ->lb0
        B.DIM   zero, \rows, ->lb1
        B.IOR   s3, s0
        B.IOT   mask=1000, last, ->t<4KB>
        BSTART.SFU TPERMUTE, U32
        B.IOT   t#1, t#1, mask=1000
        B.IOT   u#1, mask=1000, last, ->m<4KB>
        BSTART.TSTORE U32
        B.DATR  \store, DTYPE_NONE
        B.DIM   zero, TILE_COLUMNS, ->lb0
        B.DIM   zero, \rows, ->lb1
        B.IOR   s3, s0
        B.IOT   m#1, mask=1000, last
        BSTOP
        .endm

# Frees the tiles whose bits are set in a0: t#1 is bit 0, u#1 bit 16, m#1 bit 32.
        .macro  release mask
        HL.LIU  \mask >> 32, ->a0
        slli    a0, 32, ->a0
        HL.LIU  \mask & 0xffffffff, ->t
        or      a0, t#1, ->a0
        addi    zero, RELEASE_TILES, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        .endm

# Walks the picture in tiles of \rows rows, with the byte indices at \table.
        .macro  pass name, load, store, rows, table
        HL.LIU  \table, ->s4
        BSTART.TLOAD U8
        B.DATR  \load, DTYPE_NONE
        B.DIM   zero, TILE_BYTES, ->lb0
        B.DIM   zero, \rows, ->lb1
        B.IOR   s4, zero                    # stride 0: every row of the tile is the one row of the table
        B.IOT   mask=1000, last, ->u<4KB>
        BSTOP
        addi    zero, 0, ->s5               # row
\name\()_rows:
        addi    zero, 0, ->s6               # column
\name\()_columns:
        mul     s5, s0, ->t
        slli    s6, 2, ->t
        add     t#1, t#2, ->t
        add     t#1, s1, ->s3               # address of the tile
        permute_tile \load, \store, \rows
        release 0x100000001                 # t#1 and m#1
        BSTART  COND, \name\()_columns
        addi    s6, TILE_COLUMNS, ->s6
        setc.ltu s6, s2
        BSTOP
        BSTART  COND, \name\()_rows
        addi    s5, \rows, ->s5
        setc.ltu s5, s7
        BSTOP
        release 0x10000                     # u#1, the table
        .endm

        .text
        .globl  _start
_start:
        slli    a1, 2, ->s0                 # bytes per row of the picture
        addi    a0, 0, ->s1
        addi    a1, 0, ->s2
        addi    a2, 0, ->s7
        pass    bgra, ND2M32, M322ND, 32, swap_red_and_blue
        pass    rotate, ND2M16, M162ND, 16, rotate_one_pixel
        addi    zero, 0, ->a0
        addi    zero, 93, ->a7              # exit
        BSTART.SYS FALL
        acrc    1
        BSTOP

        .data
# Byte indices for one row of a tile: the lookup begins anew in every CELL row.
swap_red_and_blue:
        .rept   TILE_COLUMNS
        .byte   2, 1, 0, 3
        .endr
rotate_one_pixel:
        .rept   TILE_COLUMNS / 2
        .byte   4, 5, 6, 7, 0, 1, 2, 3
        .endr
