# Context registers belong to ring 0; programs begin in ring 2.
        BSTART.SYS FALL
        hl.ssrget 0x1f02, ->a0
        BSTOP
#> bad-context-register-in-ring-2.s:3: IllegalInstruction executing 'hl.ssrget 0x1f02, ->a0' at 0x10004   [PTO ISA 0.58.5]
#>   read of TRAPNO (0x1f02) in ring 2 (PTO-REQ-SCALAR-SSR-001)
#>   rule system.register: A system register must exist, be readable or writable as used, and context registers belong to ring 0.
#> faulted: IllegalInstruction after 2 steps
#> [exit 1]
