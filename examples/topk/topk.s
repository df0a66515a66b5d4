# Top-k: the 64 largest of many scores, in order.
#
# TSORT sorts at most 64 columns; TMRGSORT merges two sorted rows into one. So the best 64 so far and 64 new ones, sorted,
# are merged into 128, of which the first 64 are the new best: a row in memory, stored whole and loaded by half, because
# a merge has no way to leave its tail out.
#
# The host gives:  a0  address of the scores, FP32     a1  how many, a multiple of 64, at least 64
#                  a2  address of the result, 64 scores in descending order
#
# One turn:  t#1  64 scores  (TLOAD)       u#1  sorted, t#2  where each came from  (TSORT)
#            m#1  the best so far (TLOAD)  n#1  both, merged  (TMRGSORT, TSTORE)
#
# A merge moves the scores alone. Who needs to know whose score it is lets the number ride along in the score's low digits
# (the host does: examples/tools/topk.cc).

        .include "../host.s"

        .equ    K, 64
        .equ    ROW_BYTES, K * 4

        .macro  load_row address, hand
        BSTART.TLOAD FP32
        B.DIM   zero, K, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   \address, s3
        B.IOT   mask=1000, last, ->\hand<256B>
        .endm

        .macro  store_row address, tile, columns
        BSTART.TSTORE FP32
        B.DIM   zero, \columns, ->lb0
        B.DIM   zero, 1, ->lb1
        B.IOR   \address, s3
        B.IOT   \tile, mask=1000, last
        BSTOP
        .endm

# u#1: the scores at s0, sorted.
        .macro  sort_next
        load_row s0, t
        BSTART.SFU TSORT, FP32
        B.DIM   zero, K, ->lb0              # the width that is sorted
        B.IOR   s4                          # 1: descending
        B.IOT   t#1, mask=1000, ->u<256B>
        B.IOT   mask=1000, last, ->t<256B>
        .endm

        .text
        .globl  _start
_start:
        addi    zero, ROW_BYTES, ->s3
        addi    zero, 1, ->s4
        HL.LIU  best, ->s2
        addi    a0, 0, ->s0                 # next scores
        addi    a1, 0, ->s1                 # scores left
        addi    a2, 0, ->s5
        sort_next                           # the first are the best so far
        store_row s2, u#1, K
        release T * 3 | U
turn:
        BSTART  COND, done
        subi    s1, K, ->s1
        setc.eq s1, zero
        BSTOP
        addi    s0, ROW_BYTES, ->s0
        sort_next
        load_row s2, m
        BSTART.SFU TMRGSORT, FP32
        B.IOR   s4
        B.IOT   m#1, u#1, mask=1000, last, ->n<512B>
        store_row s2, n#1, K * 2
        release T * 3 | U | M | N
        BSTART  DIRECT, turn
        BSTOP
done:
        load_row s2, m
        store_row s5, m#1, K
        exit

        .bss
best:   .zero   ROW_BYTES * 2
