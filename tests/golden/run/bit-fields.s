# Fields of 0xfedcba9876543210, bits counted from 0: extraction with and without sign, insertion, clear and set of a range,
# counts and reversal within a field. Each value can be read off the digits.
        ld.pcr  [value], ->s0
        bxu     s0, 8, 16, ->a0             # 0x5432
        bxs     s0, 60, 4, ->a1             # 0xf: -1
        bic     s0, 16, 32, ->a2            # 0xfedc000000003210
        bis     s0, 0, 12, ->a3             # 0x...3fff
        bcnt    s0, 0, 64, ->a4             # every digit once: 32
        ctz     s0, 0, 64, ->a5             # 0x10: 4
        clz     s0, 0, 64, ->a6             # 0xf...: 0
        addi    zero, 0xab, ->t
        hl.bfi  s0, t#1, 0, 8, ->a7
        .data
value:  .dword  0xfedcba9876543210
#> completed: reached the end of its section after 10 steps
#>    a0 0x5432               a1 0xffffffffffffffff   a2 0xfedc000000003210   a3 0xfedcba9876543fff
#>    a4 0x20                 a5 0x4                  a7 0xfedcba98765432ab   s0 0xfedcba9876543210
#> [exit 0]
