# A writer of a Shared tile without INIT continues an assembly; there is none.
        BSTART.TLOAD U16
        B.DIM   zero, 4, ->lb0
        B.IOR   zero, zero
        B.IOS   mask=1000, ->S0<128B>
        B.ASSEMBLE zero, 0, last
        BSTOP
#> bad-shared-assembly-that-nobody-began.s:7: TileLegality completing the block at 0x10000 (BSTART.TLOAD U16)   [PTO ISA 0.58.5]
#>   S0 has no open assembly (PTO-B-ASSEMBLE-SHARED-GENERATION-001)
#>   rule assemble.shared-open: A writer without INIT continues an assembly that is open.
#>   block so far: B.DIM zero, 4, ->LB0 · B.IOR zero, zero, zero, ->zero · B.IOS mask=1000, ->S0<128B> · B.ASSEMBLE zero, 0, last
#> faulted: TileLegality after 6 steps
#> [exit 1]
