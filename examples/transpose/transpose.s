# Transposes a picture, tile by tile: TTRANS turns a tile, and the tile goes to the mirrored place.
#
# The host gives:  a0  address of the pixels, RGBA    a1  width in pixels, a multiple of 32
#                  a2  height in rows, a multiple of 32
#                  a3  address of the transposed picture: a2 pixels wide and a1 rows high
#
# One turn:  t#1  32 x 32 pixels  (TLOAD)      u#1  the same, transposed  (TTRANS, then TSTORE)
#
# TTRANS belongs to release 0.58.3: run with --isa 0.58.3.

        .include "../host.s"

        .equ    SIDE, 32                    # pixels
        .equ    SIDE_BYTES, SIDE * 4

        .macro  tile_shape                  # LB0 counts columns, LB1 rows; a square stays one when it turns
        B.DIM   zero, SIDE, ->lb0
        B.DIM   zero, SIDE, ->lb1
        .endm

        .text
        .globl  _start
_start:
        addi    a0, 0, ->s0                 # where the row of tiles begins in the picture
        addi    a3, 0, ->s1                 # and in the result, where it is a column of tiles
        addi    a2, 0, ->s2                 # rows left
        slli    a1, 2, ->s3                 # bytes per row of the picture
        slli    a2, 2, ->s4                 # and of the result
rows:
        addi    s0, 0, ->s5                 # the tile in the picture
        addi    s1, 0, ->s6                 # and in the result
        add     s0, s3, ->s7                # end of its first row
columns:
        BSTART.TLOAD U32
        tile_shape
        B.IOR   s5, s3
        B.IOT   mask=1000, last, ->t<4KB>
        BSTART.SFU TTRANS, U32
        tile_shape
        B.IOT   t#1, mask=1000, last, ->u<4KB>
        BSTART.TSTORE U32
        tile_shape
        B.IOR   s6, s4
        B.IOT   u#1, mask=1000, last
        BSTOP
        release T | U
        slli    s4, 5, ->t                  # SIDE rows down in the result ...
        add     s6, t#1, ->s6
        BSTART  COND, columns
        addi    s5, SIDE_BYTES, ->s5        # ... is SIDE columns to the right in the picture
        setc.ltu s5, s7
        BSTOP
        slli    s3, 5, ->t
        add     s0, t#1, ->s0
        addi    s1, SIDE_BYTES, ->s1
        BSTART  COND, rows
        subi    s2, SIDE, ->s2
        setc.ne s2, zero
        BSTOP
        exit
