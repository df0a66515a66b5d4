# run: --ring 0
# The timer of ring 0 compares the cycle counter, one cycle an instruction, with TIMECMP. Before its time nothing is pending,
# after it interrupt 1 is, and it is the one IPENDING's top register names; taking TIMECMP back ends it.
        addi    zero, 16, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf21                # TIMER_TIMECMP
        hl.ssrget 0xf08, ->a0               # IPENDING: too early
        hl.ssrget 0xf20, ->a1               # TIMER_TIME
        BSTOP
        addi    zero, 6, ->a2
wait:   BSTART  COND, wait
        subi    a2, 1, ->a2
        setc.ne a2, zero
        BSTOP
        BSTART.SYS FALL
        hl.ssrget 0xf08, ->a3               # bit 1
        hl.ssrget 0xf09, ->a4               # the lowest that is pending: 1
        hl.ssrset zero, 0xf21
        hl.ssrget 0xf08, ->a5
        BSTOP
#> completed: reached the end of its section after 37 steps
#>    a1 0x5                  a3 0x2                  a4 0x1
#> [exit 0]
