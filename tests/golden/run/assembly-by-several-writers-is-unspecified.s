# Where the rows and columns of a writer go that fills a part of its parent is left open: the run says so and ends.
        HL.LIU  numbers, ->a0
        addi    zero, 16, ->a1
        BSTART.TLOAD U16
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<128B>
        B.ASSEMBLE zero, 0, init, 256B  # one CELL of two
        BSTOP
        .data
numbers: .half  1, 2, 3, 4, 5, 6, 7, 8
        .half   10, 20, 30, 40, 50, 60, 70, 80
#> unspecified: assembled-placement at assembly-by-several-writers-is-unspecified.s:10 after 9 steps
#>    a0 0x11000              a1 0x10
#> [exit 5]
