# run: --ring 0 --traps=deliver --max-steps 1000
# An interrupt that is pending and enabled enters no handler by itself: the specification does not say after which
# instruction it would (explain interrupt-delivery). A program asks for it, here until TOPEI names the timer's.
        hl.liu  handler, ->t
        addi    zero, 40, ->t
        BSTART.SYS FALL
        hl.ssrset t#2, 0xf01                # EVBASE
        hl.ssrset t#1, 0xf21                # TIMER_TIMECMP
        hl.ssrget 0xf07, ->a0               # ECONFIG: both enabled
        BSTOP
wait:   BSTART.SYS FALL
        hl.ssrget 0xf09, ->a1               # TOPEI
        BSTOP
        addi    a2, 1, ->a2                 # how often it was asked
        BSTART  COND, wait
        setc.eq a1, zero
        BSTOP
        j       done
handler: addi   zero, 99, ->a3              # never
        j       handler
done:   BSTART.SYS FALL
        hl.ssrget 0xf20, ->a4               # TIMER_TIME: past 40
        BSTOP
#> completed: reached the end of its section after 53 steps
#>    a0 0x3                  a1 0x1                  a2 0x6                  a4 0x34
#> [exit 0]
