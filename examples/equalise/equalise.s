# Equalises a picture's brightness: afterwards every brightness occurs about as often as every other.
#
# The brightness is a number of 16 bits; its high byte v, 0 to 255, is looked up in a table:
#
#   table[v] = (255 * c[v] + n / 2) / n         c[v] of the n pixels are at most as bright as v
#
# THISTOGRAM makes the counts c of every row, already summed up over v; TCOLSUM adds the rows.
#
# The host gives:  a0  address of the brightness, U16    a1  address of the result, U8
#                  a2  height in rows, a multiple of 16; rows have 192 pixels
#
#   part 1, for every 16 rows:  t#1  brightness  (TLOAD)      m#1  16 rows of 256 counts  (THISTOGRAM)
#                               n#1  their sum   (TCOLSUM), stored as a row of `sums`
#   part 2:                     t#1  `sums`      m#1  c       m#2-m#4, t#2  the table, step by step; stored
#   part 3, for every 16 rows:  t#1  brightness  u#1  v  (TSHRS)       m#1  table[v]  (MGATHER), stored
#
# A count of low bytes takes only those values whose high byte the filter names, the second tile of THISTOGRAM. A count of
# high bytes takes all; but a tile must be named, and so part 1 keeps one, u#1.

        .include "../host.s"

        .equ    WIDTH, 192
        .equ    ROWS, 16                    # of a tile
        .equ    ROW_BYTES, WIDTH * 2
        .equ    BINS, 256
        .equ    BRIGHTEST, 255
        .equ    MOST_BANDS, 64

# 16 rows of pixels. A row-major tile has a power of two of columns, LB2; LB0 of them are valid.
        .macro  band_shape
        B.DIM   zero, WIDTH, ->lb0
        B.DIM   zero, ROWS, ->lb1
        B.DIM   zero, 256, ->lb2
        .endm

        .macro  counts_shape rows
        B.DIM   zero, BINS, ->lb0
        B.DIM   \rows, ->lb1
        .endm

        .macro  load_band address
        BSTART.TLOAD U16
        band_shape
        B.IOR   \address, s8
        B.IOT   mask=1000, last, ->t<8KB>
        .endm

        .macro  with_scalar engine, operation, scalar, from, to
        BSTART.\engine \operation, U32
        counts_shape 1
        B.IOR   \scalar
        B.IOT   \from, mask=1000, last, ->\to<1KB>
        .endm

        .text
        .globl  _start
_start:
        addi    zero, ROW_BYTES, ->s8
        addi    zero, BINS * 4, ->s7        # bytes per row of counts
        HL.LIU  sums, ->s6
        HL.LIU  table, ->s5
        HL.LIU  ROW_BYTES * ROWS, ->s4      # bytes of a band
        addi    a0, 0, ->s0
        addi    a1, 0, ->s1
        addi    a2, 0, ->s2

# Part 1: a row of counts for every band. s3 counts them.
        addi    s0, 0, ->x0                 # the band
        addi    s6, 0, ->x1                 # its row of counts
        addi    s2, 0, ->x2                 # rows left
        addi    zero, 0, ->s3
        BSTART.TLOAD U8
        B.DIM   zero, 1, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   s5, zero
        B.IOT   mask=1000, last, ->u<128B>
        BSTOP
count:
        load_band x0
        BSTART.SFU THISTOGRAM, U16
        B.DATR  U32, ByteId=1               # the high byte
        B.IOT   t#1, u#1, mask=1000, last, ->m<16KB>
        BSTART.SFU TCOLSUM, U32
        counts_shape ROWS
        B.IOT   m#1, mask=1000, last, ->n<1KB>
        BSTART.TSTORE U32
        counts_shape 1
        B.IOR   x1, s7
        B.IOT   n#1, mask=1000, last
        BSTOP
        release T | M | N
        add     x0, s4, ->x0
        add     x1, s7, ->x1
        addi    s3, 1, ->s3
        BSTART  COND, count
        subi    x2, ROWS, ->x2
        setc.ne x2, zero
        BSTOP

# Part 2: the table.
        addi    zero, WIDTH, ->t
        mul     s2, t#1, ->x0               # n
        srli    x0, 1, ->x1
        addi    zero, BRIGHTEST, ->x2
        BSTART.TLOAD U32
        counts_shape s3
        B.IOR   s6, s7
        B.IOT   mask=1000, last, ->t<64KB>
        BSTART.SFU TCOLSUM, U32
        counts_shape s3
        B.IOT   t#1, mask=1000, last, ->m<1KB>
        with_scalar VEC, TMULS, x2, m#1, m
        with_scalar VEC, TADDS, x1, m#2, m
        with_scalar SFU, TDIVS, x0, m#3, m
        BSTART.VEC TCVT, U32
        B.DATR  U8
        counts_shape 1
        B.IOT   m#4, mask=1000, last, ->t<256B>
        BSTART.TSTORE U8
        counts_shape 1
        B.IOR   s5, s7
        B.IOT   t#2, mask=1000, last
        BSTOP
        release T * 3 | U | M * 15

# Part 3: every pixel through the table.
        addi    zero, 8, ->x0
        addi    zero, WIDTH, ->x1
        HL.LIU  WIDTH * ROWS, ->x2          # bytes of a band of the result
map:
        load_band s0
        BSTART.VEC TSHRS, U16
        band_shape
        B.IOR   x0
        B.IOT   t#1, mask=1000, last, ->u<8KB>
        BSTART.MGATHER U8
        band_shape
        B.IOR   s5                          # the table; v is the displacement
        B.IOT   u#1, mask=1000, last, ->m<4KB>
        BSTART.TSTORE U8
        band_shape
        B.IOR   s1, x1
        B.IOT   m#1, mask=1000, last
        BSTOP
        release T | U | M
        add     s0, s4, ->s0
        add     s1, x2, ->s1
        BSTART  COND, map
        subi    s2, ROWS, ->s2
        setc.ne s2, zero
        BSTOP
        exit

        .bss
sums:   .zero   MOST_BANDS * BINS * 4
table:  .zero   BINS
