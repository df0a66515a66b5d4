# Without a handler a breakpoint ends the run and names its tag.
        BSTART.SYS FALL
        ebreak  3
        BSTOP
#> bad-breakpoint-stops-the-run.s:3: SoftwareBreakpoint executing 'ebreak 3' at 0x10004   [PTO ISA 0.58.5]
#>   tag 3 (PTO-INST-SCALAR-EBREAK)
#>   rule system.breakpoint: EBREAK stops the program.
#> faulted: SoftwareBreakpoint after 2 steps
#> [exit 1]
