# Pairs of destinations: the low half or the quotient first. 0xfedcba9876543210 squared unsigned is
# 0xfdbac097c8dc5acc'deec6cd7a44a4100; as a signed number it is -0x123456789abcdf0, whose square has the high half
# 0x14b66dc33f6ac and the same low half. Division by zero gives 0 with the dividend as remainder; the most negative
# number by -1 wraps.
        ld.pcr  [big], ->s0
        hl.mulu s0, s0, ->a0, a1
        hl.mul  s0, s0, ->a2, a3
        addi    zero, 1000, ->s1
        hl.divu s0, s1, ->a4, a5            # 18364758544493064720 by 1000
        hl.div  s0, s1, ->a6, a7            # -81985529216486896 by 1000: toward zero
        hl.divu s0, zero, ->s2, s3
        HL.LIS  -1, ->s4
        slli    s4, 63, ->s5
        hl.div  s5, s4, ->s6, s7
        hl.madd s0, s0, s4, ->x0, x1        # the signed square minus one
        .data
big:    .dword  0xfedcba9876543210
#> completed: reached the end of its section after 11 steps
#>    a0 0xdeec6cd7a44a4100   a1 0xfdbac097c8dc5acc   a2 0xdeec6cd7a44a4100   a3 0x14b66dc33f6ac
#>    a4 0x413ea68d6e2a08     a5 0x2d0                a6 0xffffb56f41a7821a   a7 0xfffffffffffffc80
#>    s0 0xfedcba9876543210   s1 0x3e8                s3 0xfedcba9876543210   s4 0xffffffffffffffff
#>    s5 0x8000000000000000   s6 0x8000000000000000   x0 0xdeec6cd7a44a40ff   x1 0x14b66dc33f6ac
#> [exit 0]
