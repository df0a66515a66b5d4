# An odd target is refused by the jump, which therefore is where the report points.
        HL.LIU  0x10001, ->a0
        jr      a0, 0
#> bad-odd-jump-target.s:3: InstructionPC executing 'jr a0, 0' at 0x10006   [PTO ISA 0.58.5]
#>   the jump target is 0x10001 (PTO-STATE-ARCH-PROGRAM-CONTROL)
#>   rule pc.aligned: An instruction address must be even.
#> faulted: InstructionPC after 2 steps
#>    a0 0x10001
#> [exit 1]
