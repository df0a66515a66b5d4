# What a scatter has stored cannot be taken back, so it writes no assembled tile.
        BSTART.TEPL TSCATTER, U16
        B.IOT   t#1, t#1, mask=1000, last, ->u<128B>
        B.ASSEMBLE zero, 0, init, last, 128B
        BSTOP
#> bad-assembly-by-a-scatter.s:5: TileLegality completing the block at 0x10000 (BSTART.SFU TSCATTER, U16)   [PTO ISA 0.58.5]
#>   TSCATTER (PTO-B-ASSEMBLE-PRODUCER-EFFECT-ELIGIBILITY-001)
#>   rule assemble.effects: An operation whose effects cannot be taken back does not write an assembled tile.
#>   block so far: B.IOT t#1, t#1, mask=1000, last, ->u<128B> · B.ASSEMBLE zero, 0, init, last, 128B
#> faulted: TileLegality after 4 steps
#> [exit 1]
