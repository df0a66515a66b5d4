# Integers count with their sign: [-1 2] times [-3 4] is 11, the least of 5 -7 3 2 stands at place 1, the greatest of
# -5 -3 at place 1. (As recorded states have it, 255 * 253 + 2 * 4, place 0 and place 0: --errata without
# signed-elements.)
        .include "rows.inc"
_start:
        addi    zero, 2, ->a1
        HL.LIU  left, ->a0
        BSTART.TLOAD S8
        B.DATR  ND2M16, DTYPE_NONE
        B.DIM   zero, 2, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        addi    zero, 1, ->a1
        HL.LIU  right, ->a0
        BSTART.TLOAD S8
        B.DATR  ND2N8, DTYPE_NONE
        B.DIM   zero, 1, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->u<128B>
        BSTOP
        BSTART.TMATMUL S8
        B.FPATR 0, 0, 0, 0, 0, 0, 0, 0, 0
        B.DIM   zero, 1, ->lb0
        B.DIM   zero, 1, ->lb1
        B.DIM   zero, 2, ->lb2
        B.IOT   t#1, u#1, mask=1000, last, ->m<128B>
        BSTOP
        addi    zero, 4, ->a1
        HL.LIU  product, ->a0
        BSTART.TSTORE S32
        B.DATR  M162ND, DTYPE_NONE
        B.DIM   zero, 1, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   a0, a1
        B.IOT   m#1, mask=1000, last
        BSTOP

        .macro  place_of operation, type, numbers, count, bytes, place, loaded, found
        load_row \type, \count, \bytes, \numbers, t<128B>
        BSTART.SFU \operation, \type
        B.DIM   zero, \count, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOT   \loaded, mask=1000, last, ->n<128B>
        BSTOP
        store_row U32, 1, 4, \found, \place
        .endm

        place_of TROWARGMIN, S32, words, 4, 16, least, t#2, n#1
        place_of TROWARGMAX, S8, bytes, 2, 2, greatest, t#3, n#2
        lw.pcr  [product], ->a0
        lw.pcr  [least], ->a1
        lw.pcr  [greatest], ->a2
        .data
left:   .byte   -1, 2
right:  .byte   -3, 4
bytes:  .byte   -5, -3
        .balign 4
words:  .word   5, -7, 3, 2
product: .word  0
least:  .word   0
greatest: .word 0
#> completed: reached the end of its section after 79 steps
#>    a0 0xb                  a1 0x1                  a2 0x1
#>   t#1  S8 CUBE_M16 1x2, 128 bytes, PEs 1000
#>   t#2  S32 RowMajor 1x4, 128 bytes, PEs 1000
#>   t#3  S8 RowMajor 1x2, 128 bytes, PEs 1000
#>   u#1  S8 CUBE_N8 2x1, 128 bytes, PEs 1000
#>   m#1  S32 CUBE_M16 1x1, 128 bytes, PEs 1000
#>   n#1  U32 RowMajor 1x1, 128 bytes, PEs 1000
#>   n#2  U32 RowMajor 1x1, 128 bytes, PEs 1000
#> [exit 0]
