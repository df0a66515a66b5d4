# Quantises real numbers to bytes and back, channel by channel: FP32 -> S8 -> FP32.
#
#   q = round(x / scale) + zero, kept within -128 and 127  (TQUANT)
#   y = (q - zero) * scale                                 (TDEQUANT)
#
# Every channel has a scale and a zero of its own, so that its smallest number becomes about -128 and its largest 127.
#
# The host gives:  a0  address of the numbers, channel after channel        a1  how many channels
#                  a2  numbers in a channel, a multiple of 2048
#                  a3  address of the parameters; for each channel a word with 1 / scale, a word with scale, both FP32,
#                      and a doubleword with zero
#                  a4  address of q, bytes        a5  address of y, FP32
#
# One turn, 2048 numbers:  t#1  x  (TLOAD)      u#1  q  (TQUANT, TSTORE)      m#1  y  (TDEQUANT, TSTORE)

        .include "../host.s"

        .equ    ROWS, 32
        .equ    COLUMNS, 64
        .equ    NUMBERS, ROWS * COLUMNS

        .macro  tile_shape
        B.DIM   zero, COLUMNS, ->lb0
        B.DIM   zero, ROWS, ->lb1
        .endm

        .text
        .globl  _start
_start:
        addi    a0, 0, ->s0                 # next x
        addi    a4, 0, ->s1                 # next q
        addi    a5, 0, ->s2                 # next y
        addi    a1, 0, ->s3                 # channels left
        addi    a3, 0, ->s4                 # parameters of the channel
        addi    a2, 0, ->s5
        addi    zero, COLUMNS, ->x0         # bytes per row of q
        slli    x0, 2, ->x1                 # and of x and y
channels:
        lwui    [s4, 0], ->s6               # 1 / scale
        lwui    [s4, 4], ->s7               # scale
        ldi     [s4, 8], ->s8               # zero
        addi    s5, 0, ->x2                 # numbers left
turn:
        BSTART.TLOAD FP32
        tile_shape
        B.IOR   s0, x1
        B.IOT   mask=1000, last, ->t<8KB>
        BSTART.SFU TQUANT, FP32
        B.DATR  S8, RNE, sat                # halves to the even neighbour; without sat, q would wrap
        tile_shape
        B.IOR   s6, s8
        B.IOT   t#1, mask=1000, last, ->u<2KB>
        BSTART.TSTORE S8
        tile_shape
        B.IOR   s1, x0
        B.IOT   u#1, mask=1000, last
        BSTART.SFU TDEQUANT, S8
        B.DATR  FP32, RNE
        tile_shape
        B.IOR   s7, s8
        B.IOT   u#1, mask=1000, last, ->m<8KB>
        BSTART.TSTORE FP32
        tile_shape
        B.IOR   s2, x1
        B.IOT   m#1, mask=1000, last
        BSTOP
        release T | U | M
        addi    zero, NUMBERS, ->t
        add     s1, t#1, ->s1
        HL.LIU  NUMBERS * 4, ->t
        add     s0, t#1, ->s0
        add     s2, t#1, ->s2
        addi    zero, NUMBERS, ->t
        sub     x2, t#1, ->x2
        BSTART  COND, turn
        setc.ne x2, zero
        BSTOP
        addi    s4, 16, ->s4
        BSTART  COND, channels
        subi    s3, 1, ->s3
        setc.ne s3, zero
        BSTOP
        exit
