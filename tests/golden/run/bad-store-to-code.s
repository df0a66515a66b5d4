# Text is readable and executable, not writable.
_start: HL.LIU  _start, ->a0
        lwui    [a0, 0], ->a1
        swi     a1, [a0, 0]
#> bad-store-to-code.s:4: DataPage executing 'swi a1, [a0, 0]' at 0x1000a   [PTO ISA 0.58.5]
#>   write of 4 bytes at 0x10000 in ring 2 (PTO-STATE-ARCH-MEMORY)
#>   rule memory.permitted: Every byte of a data access must be mapped and permitted to the current ring.
#> faulted: DataPage after 3 steps
#>    a0 0x10000              a1 0x11d000e
#> [exit 1]
