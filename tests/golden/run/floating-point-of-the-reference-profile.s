# The published reference profile leaves arithmetic a placeholder: FADD adds the encodings (1.5 + 1.5 would be 3.0, the
# sum of the carriers is 0x7ff0000000000000). Comparison, maximum and absolute value are numeric.
        ld.pcr  [numbers], ->s0             # 1.5
        ld.pcr  [numbers + 8], ->s1         # -2.0
        fabs.fd s1, ->a0
        flt.fd  s1, s0, ->a1                # -2.0 < 1.5
        fge.fd  s1, s0, ->a2
        feq.fd  s0, s0, ->a3
        fmax.fd s0, s1, ->a4
        fadd.fd s0, s0, ->a5
        .data
        .balign 8
numbers: .dword 0x3ff8000000000000, 0xc000000000000000
#> completed: reached the end of its section after 8 steps
#>    a0 0x4000000000000000   a1 0x1                  a3 0x1                  a4 0x3ff8000000000000
#>    a5 0x7ff0000000000000   s0 0x3ff8000000000000   s1 0xc000000000000000
#> [exit 0]
