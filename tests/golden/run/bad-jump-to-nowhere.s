# The jump itself is fine, the fetch behind it is not: the fault is at the target.
        HL.LIU  0x123456, ->a0
        jr      a0, 0
#> 0x123456: InstructionPage fetching at 0x123456   [PTO ISA 0.58.5]
#>   nothing executable at 0x123456 (PTO-STATE-ARCH-PROGRAM-CONTROL)
#>   rule pc.fetch: Every byte of an instruction must be mapped and executable.
#> faulted: InstructionPage after 2 steps
#>    a0 0x123456
#> [exit 1]
