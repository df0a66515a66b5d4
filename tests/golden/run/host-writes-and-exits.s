# ACRC is a call to the host: a7 is the request, 64 writes, 93 exits with the code in a0.
        addi    zero, 1, ->a0
        HL.LIU  text, ->a1
        addi    zero, 14, ->a2
        addi    zero, 64, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    a0, 0, ->s0                 # how many bytes were written
        addi    zero, 7, ->a0
        addi    zero, 93, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        .data
text:   .ascii  "hello, blocks\n"
#> hello, blocks
#> completed: exit 7 after 12 steps
#>    a0 0x7                  a1 0x11000              a2 0xe                  a7 0x5d
#>    s0 0xe
#> [exit 0]
