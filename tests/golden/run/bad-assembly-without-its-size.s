# The first writer of an assembly says how large the parent is.
        BSTART.VEC TADD, U16
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOT   t#1, t#1, mask=1000, last, ->u<128B>
        B.ASSEMBLE zero, 0, init
        BSTOP
#> bad-assembly-without-its-size.s:6: BundleControl executing 'B.ASSEMBLE zero, 0, init' at 0x10010   [PTO ISA 0.58.5]
#>   INIT is 1, ParentSizeCode is 0 (PTO-B-ASSEMBLE-RANGE-001)
#>   rule range.assemble-size: The first writer of an assembly (INIT) states the size of the parent, and no other writer does.
#>   block so far: B.DIM zero, 4, ->LB0 · B.DIM zero, 2, ->LB1 · B.IOT t#1, t#1, mask=1000, last, ->u<128B>
#> faulted: BundleControl after 5 steps
#> [exit 1]
