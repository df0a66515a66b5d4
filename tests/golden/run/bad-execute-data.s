# Data may hold the bytes of an instruction and still not execute.
        HL.LIU  data, ->a0
        jr      a0, 0
        .data
        .balign 4
data:   .word   0x00110115                  # addi a0, 1, ->a0
#> bad-execute-data.s:6: InstructionPage fetching at 0x11000   [PTO ISA 0.58.5]
#>   nothing executable at 0x11000 (PTO-STATE-ARCH-PROGRAM-CONTROL)
#>   rule pc.fetch: Every byte of an instruction must be mapped and executable.
#> faulted: InstructionPage after 2 steps
#>    a0 0x11000
#> [exit 1]
