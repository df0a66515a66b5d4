# Eratosthenes over bytes below 10000: there are 1229 = 0x4cd primes, the largest is 9973 = 0x26f5.
        .equ    LIMIT, 10000
_start:
        HL.LIU  sieve, ->s0
        HL.LIU  LIMIT, ->s1
        addi    zero, 1, ->s2               # marks a composite
        addi    zero, 2, ->a0
next:   lbu     [s0, a0], ->t
        BSTART  COND, composite
        setc.ne t#1, zero
        BSTOP
        addi    a1, 1, ->a1                 # how many
        addi    a0, 0, ->a2                 # the last one
        mul     a0, a0, ->a3
mark:   BSTART  COND, composite
        setc.geu a3, s1
        BSTOP
        sb      s2, [s0, a3]
        add     a3, a0, ->a3
        j       mark
composite:
        BSTART  COND, next
        addi    a0, 1, ->a0
        setc.ltu a0, s1
        BSTOP
        .bss
sieve:  .zero   LIMIT
#> completed: reached the end of its section after 189,236 steps
#>    a0 0x2710               a1 0x4cd                a2 0x26f5               a3 0x5eda679
#>    s0 0x11000              s1 0x2710               s2 0x1
#> [exit 0]
