# After ACRC only a stop or a new start may follow in a System block.
        addi    zero, 1024, ->a7
        addi    zero, 0, ->a0
        BSTART.SYS FALL
        acrc    1
        B.DIM   zero, 1, ->lb0
        BSTOP
#> bad-command-after-a-service-request.s:6: BundleControl executing 'B.DIM zero, 1, ->LB0' at 0x10010   [PTO ISA 0.58.5]
#>   B.DIM follows ACRC (PTO-STATE-BLOCK-CONTROL)
#>   rule block.system-terminal: After ACRC only a stop or a new start may follow in a System block.
#>   block so far: acrc 1
#> faulted: BundleControl after 5 steps
#>    a7 0x400
#> [exit 1]
