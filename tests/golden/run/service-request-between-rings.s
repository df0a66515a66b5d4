# run: --ring 0 --traps=deliver --max-steps 1000 --host none
# Without a host, ACRC goes to the ring above. Ring 0 sets up its handler, goes down to ring 2 through CORE_STATE, and ring 2
# asks twice: the service adds a0 and a1 and counts its calls in x0. Ring 2 may not read ring 0's registers.
_start:
        HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01                # EVBASE of ring 0
        addi    zero, 2, ->t
        hl.ssrset t#1, 0x20                 # CORE_STATE: ring 2
        BSTOP
        addi    zero, 30, ->a0
        addi    zero, 12, ->a1
        BSTART.SYS FALL
        acrc    0
        BSTOP
        addi    a0, 0, ->s0                 # 42 = 0x2a
        BSTART.SYS FALL
        acrc    0
        BSTOP
        addi    a0, 0, ->s1                 # 54 = 0x36
        BSTART.SYS FALL
        hl.ssrget 0x20, ->s2                # CORE_STATE: in ring 2 again
        BSTOP
        j       end
handler:
        BSTART.SYS FALL
        hl.ssrget 0xf02, ->s3               # TRAPNO: 6 service request, the argument is valid
        hl.ssrget 0x20, ->s4                # CORE_STATE: ring 0
        BSTOP
        add     a0, a1, ->a0
        addi    x0, 1, ->x0
        BSTART.SYS FALL
        acre    0
end:
#> completed: reached the end of its section after 36 steps
#>    a0 0x36                 a1 0xc                  s0 0x2a                 s1 0x36
#>    s2 0x12                 s3 0x4000000000000006   s4 0x10                 x0 0x2
#> [exit 0]
