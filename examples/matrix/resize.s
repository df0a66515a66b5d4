# Shrinks the rows of a picture by an integer matrix product: S = L x W, U8 x U8 -> U32.
#
#   L  160 x 192, the brightness of the pixels       W  192 x 64, the weight of each pixel in each pixel of the result
#
# A matrix unit multiplies tiles, not matrices: L is cut into tiles of 16 x 64, W into tiles of 64 x 32, and a tile of S,
# 16 x 32, is the sum of three products. TMATMUL makes the first; TMATMUL_ACC adds the next to it, in a new tile.
#
# The host gives:  a0  address of L       a1  address of W       a2  address of S, 160 x 64 words
#
# One turn makes one tile of S:
#   t#1-t#3  tiles of L, CUBE_M16  (TLOAD ND2M16)      m#1, n#1, m#2  sums so far; m#2 is stored  (TSTORE M162ND)
#   u#1-u#3  tiles of W, CUBE_N8   (TLOAD ND2N8)
#
# A product is a new tile: it does not take the place of the one it adds to. Here the sums go from hand to hand.

        .include "../host.s"

        .equ    ROWS, 160                   # of L and S
        .equ    INNER, 192                  # columns of L, rows of W
        .equ    COLUMNS, 64                 # of W and S
        .equ    TILE_M, 16
        .equ    TILE_K, 64
        .equ    TILE_N, 32

# t#n: the tile of L whose first column is \k; s3 is its row in L, s0 the bytes of a row.
        .macro  load_left k
        addi    s3, \k, ->s6
        BSTART.TLOAD U8
        B.DATR  ND2M16, DTYPE_NONE
        B.DIM   zero, TILE_K, ->lb0         # columns
        B.DIM   zero, TILE_M, ->lb1         # rows
        B.IOR   s6, s0
        B.IOT   mask=1000, last, ->t<1KB>
        BSTOP                               # completes the block, which reads s6 only now
        .endm

# u#n: the tile of W whose first row is \k; s4 is its column in W.
        .macro  load_right k
        HL.LIU  \k * COLUMNS, ->t
        add     s4, t#1, ->s6
        BSTART.TLOAD U8
        B.DATR  ND2N8, DTYPE_NONE
        B.DIM   zero, TILE_N, ->lb0
        B.DIM   zero, TILE_K, ->lb1
        B.IOR   s6, s1
        B.IOT   mask=1000, last, ->u<2KB>
        BSTOP
        .endm

# The dimensions of a product, and no post-processing of the sums. A matrix block needs a B.FPATR, before its tiles.
        .macro  product_shape
        B.FPATR 0, 0, 0, 0, 0, 0, 0, 0, 0
        B.DIM   zero, TILE_M, ->lb0
        B.DIM   zero, TILE_N, ->lb1
        B.DIM   zero, TILE_K, ->lb2
        .endm

        .macro  multiply left, right, sum
        BSTART.TMATMUL U8
        product_shape
        B.IOT   \left, \right, mask=1000, last, ->\sum<2KB>
        .endm

        .macro  multiply_add sum_before, left, right, sum
        BSTART.TMATMUL.ACC U8
        product_shape
        B.IOT   \sum_before, \left, mask=1000
        B.IOT   \right, mask=1000, last, ->\sum<2KB>
        .endm

        .text
        .globl  _start
_start:
        addi    zero, INNER, ->s0
        addi    zero, COLUMNS, ->s1
        slli    s1, 2, ->s2                 # bytes per row of S
        addi    a0, 0, ->s3                 # row of tiles in L
        addi    a1, 0, ->s8
        addi    a2, 0, ->s5                 # row of tiles in S
        addi    zero, ROWS, ->x0            # rows left
rows:
        addi    zero, 0, ->x1               # column of S
columns:
        add     s8, x1, ->s4
        slli    x1, 2, ->t
        add     s5, t#1, ->s7               # the tile of S
        load_left  0 * TILE_K
        load_left  1 * TILE_K
        load_left  2 * TILE_K
        load_right 0 * TILE_K
        load_right 1 * TILE_K
        load_right 2 * TILE_K
        multiply          t#1, u#1, m
        multiply_add m#1, t#2, u#2, n
        multiply_add n#1, t#3, u#3, m
        BSTART.TSTORE U32
        B.DATR  M162ND, DTYPE_NONE
        B.DIM   zero, TILE_N, ->lb0
        B.DIM   zero, TILE_M, ->lb1
        B.IOR   s7, s2
        B.IOT   m#2, mask=1000, last
        BSTOP
        release T * 7 | U * 7 | M * 3 | N
        BSTART  COND, columns
        addi    x1, TILE_N, ->x1
        addi    zero, COLUMNS, ->t
        setc.ltu x1, t#1
        BSTOP
        HL.LIU  INNER * TILE_M, ->t
        add     s3, t#1, ->s3
        HL.LIU  COLUMNS * 4 * TILE_M, ->t
        add     s5, t#1, ->s5
        BSTART  COND, rows
        subi    x0, TILE_M, ->x0
        setc.ne x0, zero
        BSTOP
        exit
