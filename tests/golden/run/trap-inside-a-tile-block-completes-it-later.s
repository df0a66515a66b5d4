# run: --ring 0 --traps=deliver --max-steps 1000
# A tile load completes at its BSTOP and runs into memory nobody mapped: the handler maps it and stores a pattern there,
# ACRE restores the block with everything its header said, and the same BSTOP completes it. The tile is stored elsewhere and
# read back.
        .equ    MAP, 222
        .equ    PAGE, 0x40000
_start:
        HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01                # EVBASE
        BSTOP
        HL.LIU  PAGE, ->s0
        HL.LIU  result, ->s1
        addi    zero, 64, ->s2
        BSTART.TLOAD U32
        B.DIM   zero, 16, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   s0, s2
        B.IOT   mask=1000, last, ->t<128B>
        BSTOP
        BSTART.TSTORE U32
        B.DIM   zero, 16, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   s1, s2
        B.IOT   t#1, mask=1000, last
        BSTOP
        ldi     [s1, 0], ->a3               # first row
        ldi     [s1, 64], ->a4              # second row
        j       end
handler:
        addi    x0, 1, ->x0
        BSTART.SYS FALL
        hl.ssrget 0xf03, ->x1               # TRAPARG0
        BSTOP
        HL.LIU  PAGE, ->a0
        HL.LIU  0x1000, ->a1
        addi    zero, 3, ->a2
        addi    zero, MAP, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        HL.LIU  0x11111111, ->t
        swi     t#1, [a0, 0]
        HL.LIU  0x22222222, ->t
        swi     t#1, [a0, 64]
        BSTART.SYS FALL
        acre    0
end:
        .bss
result: .zero   128
#> completed: reached the end of its section after 40 steps
#>    a0 0x40000              a1 0x1000               a2 0x3                  a3 0x11111111
#>    a4 0x22222222           a7 0xde                 s0 0x40000              s1 0x11000
#>    s2 0x40                 x0 0x1                  x1 0x40000
#>   t#1  U32 RowMajor 2x16, 128 bytes, PEs 1000
#> [exit 0]
