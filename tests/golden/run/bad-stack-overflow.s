# run: --stack 4096
# Recursion without an end: each activation takes 32 bytes until FENTRY stores below the stack. The frame that did not
# fit is in progress: sp has moved, as the architecture says of a template interrupted by a fault.
recurse:
        FENTRY  [ra ~ s0], sp!, 32
        addi    x0, 1, ->x0
        BSTART.CALL recurse, 1f, ->ra
        BSTOP
1:      FRET.STK [ra ~ s0], sp!, 32
_start: j       recurse
#> bad-stack-overflow.s:5: DataPage executing 'FENTRY [ra ~ s0], sp!, 32' at 0x10000   [PTO ISA 0.58.5]
#>   write of 8 bytes at 0x7ffeffffefe8 in ring 2 (PTO-STATE-ARCH-MEMORY)
#>   rule memory.permitted: Every byte of a data access must be mapped and permitted to the current ring.
#> faulted: DataPage after 637 steps
#>    sp 0x7ffeffffefd0       ra 0x10010              x0 0x7f
#> [exit 1]
