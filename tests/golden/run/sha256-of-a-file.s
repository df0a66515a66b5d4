# run: --load message=../../data/sha256-input.txt --set s8=459
# SHA-256 of a real file of 459 bytes, written in hexadecimal. sha256sum says of it:
# 63ac22a161cdacd745077e7ff6f2c99368637c620b62077d80d7b848f96e171c
        .equ    WRITE, 64
        .macro  doubled x                   # t#1 becomes \x twice, so that a field of 32 bits is a rotation
        slli    \x, 32, ->t
        or      \x, t#1, ->t
        .endm
        .macro  three_rotations a, b, c     # of t#1, mixed, into u#1
        bxu     t#1, \a, 32, ->u
        bxu     t#1, \b, 32, ->u
        bxu     t#1, \c, 32, ->u
        xor     u#1, u#2, ->u
        xor     u#1, u#4, ->u
        .endm
        .macro  two_rotations_and_shift x, a, b, c
        doubled \x
        bxu     t#1, \a, 32, ->u
        bxu     t#1, \b, 32, ->u
        srli    \x, \c, ->u
        xor     u#1, u#2, ->u
        xor     u#1, u#4, ->u
        .endm

_start:
# Padding: one bit, zeros, the length in bits, up to a multiple of 64 bytes.
        HL.LIU  message, ->s7               # block to do next
        addi    zero, 0x80, ->t
        add     s7, s8, ->u
        sbi     t#1, [u#1, 0]
        addi    s8, 72, ->t
        andi    t#1, -64, ->t
        add     s7, t#1, ->s6               # end of the message
        slli    s8, 3, ->t
        rev     t#1, 0, 64, ->t
        sdi     t#1, [s6, -8]
        HL.LIU  schedule, ->s0
        HL.LIU  constants, ->s1
        HL.LIU  hash, ->s5
block:
# The first 16 words are the message's, the others follow from them.
        addi    zero, 0, ->s2
1:      lwu     [s7, s2<<2], ->t
        rev     t#1, 0, 32, ->t
        sw      t#1, [s0, s2<<2]
        BSTART  COND, 1b
        addi    s2, 1, ->s2
        setc.ltui s2, 16
        BSTOP
        addi    s0, 64, ->s3
2:      lwui    [s3, -60], ->x0
        two_rotations_and_shift x0, 7, 18, 3
        addi    u#1, 0, ->x1
        lwui    [s3, -8], ->x0
        two_rotations_and_shift x0, 17, 19, 10
        add     x1, u#1, ->x1
        lwui    [s3, -64], ->t
        add     x1, t#1, ->x1
        lwui    [s3, -28], ->t
        add     x1, t#1, ->x1
        swi     x1, [s3, 0]
        BSTART  COND, 2b
        addi    s3, 4, ->s3
        addi    s0, 256, ->t
        setc.ltu s3, t#1
        BSTOP
# 64 rounds on a0 to a7.
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        lwui    [s5, \n * 4], ->a\n
        .endr
        addi    zero, 0, ->s2
round:  doubled a4
        three_rotations 6, 11, 25
        xor     a5, a6, ->t                 # a5 where a4 has a one, else a6
        and     a4, t#1, ->t
        xor     a6, t#1, ->t
        add     a7, u#1, ->u
        add     u#1, t#1, ->u
        lwu     [s1, s2<<2], ->t
        add     u#1, t#1, ->u
        lwu     [s0, s2<<2], ->t
        add     u#1, t#1, ->x0
        doubled a0
        three_rotations 2, 13, 22
        or      a0, a1, ->t                 # what most of a0, a1, a2 say
        and     t#1, a2, ->t
        and     a0, a1, ->x1
        or      x1, t#1, ->t
        add     u#1, t#1, ->x1
        addi    a6, 0, ->a7
        addi    a5, 0, ->a6
        addi    a4, 0, ->a5
        add     a3, x0, ->t
        bxu     t#1, 0, 32, ->a4
        addi    a2, 0, ->a3
        addi    a1, 0, ->a2
        addi    a0, 0, ->a1
        add     x0, x1, ->t
        bxu     t#1, 0, 32, ->a0
        BSTART  COND, round
        addi    s2, 1, ->s2
        setc.ltui s2, 64
        BSTOP
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        lwui    [s5, \n * 4], ->t
        add     a\n, t#1, ->t
        swi     t#1, [s5, \n * 4]
        .endr
        BSTART  COND, block
        addi    s7, 64, ->s7
        setc.ltu s7, s6
        BSTOP
# The digest in hexadecimal.
        HL.LIU  text, ->a1
        HL.LIU  digits, ->a2
        addi    zero, 0, ->a3
3:      andi    a3, -4, ->t                 # a word's highest byte comes first
        addi    t#1, 3, ->t
        andi    a3, 3, ->u
        sub     t#1, u#1, ->t
        lbu     [s5, t#1], ->t
        srli    t#1, 4, ->u
        andi    t#1, 15, ->t
        lbu     [a2, t#1], ->t
        lbu     [a2, u#1], ->u
        slli    a3, 1, ->a4
        add     a1, a4, ->a4
        sbi     u#1, [a4, 0]
        sbi     t#1, [a4, 1]
        BSTART  COND, 3b
        addi    a3, 1, ->a3
        setc.ltui a3, 32
        BSTOP
        addi    zero, 10, ->t
        sbi     t#1, [a4, 2]
        addi    zero, 1, ->a0
        addi    zero, 65, ->a2
        addi    zero, WRITE, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    zero, 0, ->a0               # exit
        addi    zero, 93, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP

        .data
digits: .ascii  "0123456789abcdef"
        .balign 4
hash:
.word   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
constants:
.word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
        .bss
schedule: .zero 256
text:   .zero   128
message: .zero  1024
#> 63ac22a161cdacd745077e7ff6f2c99368637c620b62077d80d7b848f96e171c
#> completed: exit 0 after 34,036 steps
#>    a1 0x12100              a2 0x41                 a3 0x20                 a4 0x1213e
#>    a5 0x2890caee           a6 0xc8b805e            a7 0x5d                 s0 0x12000
#>    s1 0x11030              s2 0x40                 s3 0x12100              s5 0x11010
#>    s6 0x12380              s7 0x12380              x0 0x301fec82d          x1 0xc5e4c1e3
#> [exit 0]
