# Nothing ends a queue, and a machine cannot hold any number of them: at the 4,097th the run says so.
        hl.liu  0x5000, ->s0
        hl.liu  0xffffff, ->s1
1:      hl.qmt.i s0, s1, ->a0
        addi    s0, 8, ->s0
        addi    a1, 1, ->a1
        j       1b
#> unspecified: queue-count at queues-without-end-are-unspecified.s:4 after 16,387 steps
#>    a0 0x1ff8               a1 0x1000               s0 0xd000               s1 0xffffff
#> [exit 5]
