# An ordinary load of eight bytes wants a multiple of eight; the fault names the address and nothing was loaded.
        HL.LIU  data, ->a0
        ldi     [a0, 8], ->a1
        addi    a0, 4, ->a0
        ldi     [a0, 0], ->a1
        .data
        .balign 8
data:   .dword  1, 2
#> bad-misaligned-load.s:5: DataAlignment executing 'ldi [a0, 0], ->a1' at 0x1000e   [PTO ISA 0.58.5]
#>   read of 8 bytes at 0x11004 (PTO-STATE-ARCH-MEMORY)
#>   rule memory.aligned: A data access must be aligned to its size.
#> faulted: DataAlignment after 4 steps
#>    a0 0x11004              a1 0x2
#> [exit 1]
