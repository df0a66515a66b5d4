# A push moves what the queue held one place back and drops the fifth; reading takes nothing away. After pushing 1..5 the
# T queue holds 5, 4, 3, 2; the U queue is separate.
        addi    zero, 1, ->t
        addi    zero, 2, ->t
        addi    zero, 3, ->t
        addi    zero, 4, ->t
        addi    zero, 5, ->t
        addi    t#1, 0, ->a0                # 5
        addi    t#1, 0, ->a1                # 5 again
        addi    t#4, 0, ->a2                # 2
        addi    zero, 9, ->u
        sub     t#2, u#1, ->u               # 4 - 9
        addi    u#1, 0, ->a3                # -5
        addi    u#2, 0, ->a4                # 9
        hl.div  a2, t#3, ->t, u             # 2 / 3: quotient to T, remainder to U
        addi    t#1, 0, ->a5                # 0
        addi    u#1, 0, ->a6                # 2
        addi    t#2, 0, ->a7                # 5, one place back
#> completed: reached the end of its section after 16 steps
#>    a0 0x5                  a1 0x5                  a2 0x2                  a3 0xfffffffffffffffb
#>    a4 0x9                  a6 0x2                  a7 0x5
#> [exit 0]
