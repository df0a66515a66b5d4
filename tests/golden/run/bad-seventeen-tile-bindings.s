# A block holds at most sixteen B.IOT bindings.
        BSTART.VEC TADD, U32
        .rept   17
        B.IOT   t#1, mask=1000
        .endr
        BSTOP
#> bad-seventeen-tile-bindings.s:4: TileLegality executing 'B.IOT t#1, mask=1000' at 0x10044   [PTO ISA 0.58.5]
#>   all 16 bindings are taken (PTO-BLOCK-B-IOT)
#>   rule iot.count: A block has at most 16 B.IOT bindings.
#>   block so far: B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000 · B.IOT t#1, mask=1000
#> faulted: TileLegality after 18 steps
#> [exit 1]
