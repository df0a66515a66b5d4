# run: --max-steps 100000
# Any number of queues: the specification's four are its model's. Each of 64 gets its own number, and gives it back.
        hl.liu  0x5000, ->s0
        addi    zero, 1, ->s1
        addi    zero, 64, ->s2
make:   hl.qmt.i s0, s1, ->a0               # one entry of 8 bytes: 8
        hl.qpush s0, s2, ->a1               # room for 0 more
        addi    s0, 8, ->s0
        subi    s2, 1, ->s2
        BSTART  COND, make
        setc.ne s2, zero
        BSTOP
        addi    zero, 64, ->s2
        hl.liu  0x5000, ->s0
take:   hl.qpop s0, ->s3, a2
        add     s4, s3, ->s4                # 64 + 63 + ... + 1 = 0x820
        addi    s0, 8, ->s0
        subi    s2, 1, ->s2
        BSTART  COND, take
        setc.ne s2, zero
        BSTOP
#> completed: reached the end of its section after 901 steps
#>    a0 0x8                  s0 0x5200               s1 0x1                  s3 0x1
#>    s4 0x820
#> [exit 0]
