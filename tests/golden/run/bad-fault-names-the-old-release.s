# run: --isa 0.58.3
# The same program follows either release when it uses what both have; the report names the one it followed.
        addi    zero, 6, ->a0
        addi    zero, 7, ->t
        mul     a0, t#1, ->a0
        addi    zero, 6, ->t
        ldi     [t#1, 0], ->a1
        ldi     [t#1, 0], ->a1
#> bad-fault-names-the-old-release.s:7: DataAlignment executing 'ldi [t#1, 0], ->a1' at 0x10010   [PTO ISA 0.58.3]
#>   read of 8 bytes at 0x6 (PTO-STATE-ARCH-MEMORY)
#>   rule memory.aligned: A data access must be aligned to its size.
#> faulted: DataAlignment after 5 steps
#>    a0 0x2a
#> [exit 1]
