# Constants beside the code, reached from the PC wherever the text lies; --address moves it to 0x7000 and the values stay.
# run: --address 0x7000
_start:
        ld.pcr  [constant], ->a0
        lw.pcr  [constant], ->a1            # its low word, sign extended
        lbu.pcr [constant + 4], ->a2        # its fifth byte; displacements are multiples of 4
        hl.ld.pcr [constant + 8], ->a3
        addtpc  0, ->a4                     # this instruction's own address
        j       end
        .balign 8
constant: .dword 0x8877665599aabbcc, 42
end:
#> completed: reached the end of its section after 6 steps
#>    a0 0x8877665599aabbcc   a1 0xffffffff99aabbcc   a2 0x55                 a3 0x2a
#>    a4 0x7012
#> [exit 0]
