# Blurs a picture and finds its edges: two-dimensional convolutions with windows of 3 x 3, as matrix products.
#
# A window row is three pixels side by side, and the next window begins one pixel on. So the windows of 32 pixels are a
# matrix of 32 x 3 whose rows overlap in memory: TLOAD with a stride of one byte. Three such matrices, of the picture's rows
# above, at and below the pixels, times three rows of taps each, summed:
#
#   pixels  32 x 8  =  above 32 x 3  x  taps 3 x 8   +  middle  x  taps   +  below  x  taps
#
# A column of the taps is a filter; the eight columns are eight convolutions at once. (TIMG2COL, which makes such windows
# from a tile, cannot complete in any block: ptosim explain timg2col.location.)
#
# Taps are U8, so there is none below zero: the Sobel filters are given as two halves each, and their differences are taken
# afterwards. Column 0 blurs, 1 and 2 are right and left, 3 and 4 are below and above, the rest is zero.
#
# The host gives:  a0  address of the brightness, 162 rows of 194 bytes: a border of one pixel around the picture
#                  a1  address of the taps, 9 rows (window positions) of 8 bytes
#                  a2  address of the blurred picture    a3  address of the edges, both 160 x 192 bytes

        .include "../host.s"

        .equ    WIDTH, 192
        .equ    HEIGHT, 160
        .equ    BORDERED, WIDTH + 2         # bytes per row of the brightness
        .equ    GROUP, 32                   # pixels of a product
        .equ    TAPS, 3
        .equ    FILTERS, 8
        .equ    PIXEL_BYTES, FILTERS * 4    # what the filters make of a pixel

# One of the three products: windows that begin at s3 + \row rows, and taps of that row, which lie in u#(\row + 1).
        .macro  load_windows row
        addi    s3, \row * BORDERED, ->s4
        BSTART.TLOAD U8
        B.DATR  ND2M32, DTYPE_NONE
        B.DIM   zero, TAPS, ->lb0
        B.DIM   zero, GROUP, ->lb1
        B.IOR   s4, x3                      # x3 is 1: windows lie a byte apart
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        .endm

        .macro  load_taps row
        addi    a1, \row * TAPS * FILTERS, ->s4
        addi    zero, FILTERS, ->s5
        BSTART.TLOAD U8
        B.DATR  ND2N8, DTYPE_NONE
        B.DIM   zero, FILTERS, ->lb0
        B.DIM   zero, TAPS, ->lb1
        B.IOR   s4, s5
        B.IOT   mask=1000, last, ->u<128B>
        BSTOP
        .endm

        .macro  product_shape
        B.FPATR 0, 0, 0, 0, 0, 0, 0, 0, 0
        B.DIM   zero, GROUP, ->lb0
        B.DIM   zero, FILTERS, ->lb1
        B.DIM   zero, TAPS, ->lb2
        .endm

# The rest works on a row of the picture: a tile of 192 rows and one column.
        .macro  row_shape
        B.DIM   zero, 1, ->lb0
        B.DIM   zero, WIDTH, ->lb1
        .endm

# What filter \number made of the pixels of the row, from s6.
        .macro  load_filter number
        addi    s6, \number * 4, ->s4
        BSTART.TLOAD S32
        row_shape
        B.IOR   s4, x2                      # x2 is PIXEL_BYTES
        B.IOT   mask=1000, last, ->t<1KB>
        BSTOP
        .endm

        .macro  combine operation, left, right, to
        BSTART.VEC \operation, S32
        row_shape
        B.IOT   \left, \right, mask=1000, last, ->\to<1KB>
        .endm

        .macro  magnitude from, to
        BSTART.VEC TABS, S32
        row_shape
        B.IOT   \from, mask=1000, last, ->\to<1KB>
        .endm

# Shifts \from right by \shift, into bytes, the largest being 255, and stores them at \address.
        .macro  store_bytes from, shift, address, shifted, bytes
        addi    zero, \shift, ->s4
        BSTART.VEC TSHRS, S32
        row_shape
        B.IOR   s4
        B.IOT   \from, mask=1000, last, ->m<1KB>
        BSTART.VEC TCVT, S32
        B.DATR  U8, sat
        row_shape
        B.IOT   \shifted, mask=1000, last, ->n<256B>
        BSTART.TSTORE U8
        row_shape
        B.IOR   \address, x3
        B.IOT   \bytes, mask=1000, last
        BSTOP
        .endm

        .text
        .globl  _start
_start:
        addi    zero, 1, ->x3
        addi    zero, PIXEL_BYTES, ->x2
        HL.LIU  filtered, ->s6
        addi    a0, 0, ->s0                 # row above the first
        addi    a2, 0, ->s1
        addi    a3, 0, ->s2
        addi    zero, HEIGHT, ->s7          # rows left
        load_taps 0                         # u#1 to u#3 stay
        load_taps 1
        load_taps 2
rows:
        addi    s0, 0, ->s3                 # first window
        addi    s6, 0, ->s8                 # where its pixel's sums go
        addi    s0, WIDTH, ->x0
groups:
        load_windows 0
        load_windows 1
        load_windows 2
        BSTART.TMATMUL U8
        product_shape
        B.IOT   t#1, u#1, mask=1000, last, ->m<1KB>
        BSTART.TMATMUL.ACC U8
        product_shape
        B.IOT   m#1, t#2, mask=1000
        B.IOT   u#2, mask=1000, last, ->n<1KB>
        BSTART.TMATMUL.ACC U8
        product_shape
        B.IOT   n#1, t#3, mask=1000
        B.IOT   u#3, mask=1000, last, ->m<1KB>
        BSTART.TSTORE U32
        B.DATR  M322ND, DTYPE_NONE
        B.DIM   zero, FILTERS, ->lb0
        B.DIM   zero, GROUP, ->lb1
        B.IOR   s8, x2
        B.IOT   m#2, mask=1000, last
        BSTOP
        release T * 7 | M * 3 | N
        addi    s8, GROUP * PIXEL_BYTES, ->s8
        BSTART  COND, groups
        addi    s3, GROUP, ->s3
        setc.ltu s3, x0
        BSTOP

# The row is filtered: bring the sums to bytes.
        load_filter 0                       # t#1, blurred; its taps sum to 16
        load_filter 1                       # t#2, right
        load_filter 2                       # t#3, left
        load_filter 3                       # t#4, below
        load_filter 4                       # t#5, above
        store_bytes t#1, 4, s1, m#1, n#1
        combine   TSUB, t#2, t#3, t         # t#6, across
        combine   TSUB, t#4, t#5, t         # t#7, down
        magnitude t#6, t                    # t#8
        magnitude t#7, t                    # t#9
        combine   TADD, t#8, t#9, t         # t#10, at most 4 * 2 * 255
        store_bytes t#10, 2, s2, m#2, n#2
        release T * 1023 | M * 3 | N * 3

        addi    s1, WIDTH, ->s1
        addi    s2, WIDTH, ->s2
        addi    s0, BORDERED, ->s0
        BSTART  COND, rows
        subi    s7, 1, ->s7
        setc.ne s7, zero
        BSTOP
        exit

        .bss
filtered:       .zero   WIDTH * PIXEL_BYTES     # what the filters make of a row of the picture
