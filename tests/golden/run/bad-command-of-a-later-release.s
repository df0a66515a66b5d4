# run: --isa 0.58.3
# B.SUBVIEW came with 0.58.5: the assembler refuses it and says which release has it.
        BSTART.VEC TADD, U32
        B.SUBVIEW a0, 16, 1KB, source1
        BSTOP
#> ptosim: error: bad-command-of-a-later-release.s:4:9: 'B.SUBVIEW' does not exist in release 0.58.3
#>           B.SUBVIEW a0, 16, 1KB, source1
#>           ^
#>   hint: release 0.58.5 has it: --isa 0.58.5
#> [exit 2]
