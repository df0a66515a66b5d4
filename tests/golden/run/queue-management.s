# A queue of two entries named by an address: pushes answer the room left, the third is refused (status 1, bits 63:62),
# a push at the head overtakes, pops answer the entry and how many are left, the last finds it empty. A queue nobody made
# answers status 2.
        HL.LIU  0x5000, ->s0                # a name, not memory
        addi    zero, 2, ->s1
        hl.qmt.i s0, s1, ->a0               # 2 entries of 8 bytes: 16
        addi    zero, 11, ->t
        addi    zero, 22, ->t
        hl.qpush s0, t#2, ->a1              # 11: room for 1
        hl.qpush.h s0, t#1, ->a2            # 22 in front of it: room for 0
        hl.qpush s0, t#1, ->a3              # full: status 1
        hl.qpop s0, ->s2, a4                # 22, 1 left
        hl.qpop s0, ->s3, a5                # 11, 0 left
        hl.qpop s0, ->s4, a6                # nothing: status 1
        addi    s0, 8, ->t
        hl.qpop t#1, ->s5, a7               # no such queue: status 2
#> completed: reached the end of its section after 13 steps
#>    a0 0x10                 a1 0x1                  a3 0x4000000000000000   a4 0x1
#>    a6 0x4000000000000000   a7 0x8000000000000000   s0 0x5000               s1 0x2
#>    s2 0x16                 s3 0xb
#> [exit 0]
