# run: <<<'abcdef'
# read gives what standard input has, clock the cycles run so far, and requests nobody serves answer -38 (ENOSYS).
        addi    zero, 0, ->a0
        HL.LIU  buffer, ->a1
        addi    zero, 4, ->a2
        addi    zero, 63, ->a7              # read(0, buffer, 4)
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    a0, 0, ->s0                 # 4
        addi    zero, 3, ->a0
        addi    zero, 63, ->a7              # read(3, ...): -9 (EBADF)
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    a0, 0, ->s1
        addi    zero, 0, ->a0
        addi    zero, 0, ->a1
        addi    zero, 63, ->a7              # read(0, 0, 4): -14 (EFAULT)
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    a0, 0, ->s2
        HL.LIU  time, ->a1
        addi    zero, 113, ->a7             # clock
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    a0, 0, ->s3
        addi    zero, 500, ->a7             # nobody's
        BSTART.SYS FALL
        acrc    1
        BSTOP
        HL.LIU  buffer, ->a1
        lwui    [a1, 0], ->s4               # "abcd"
        HL.LIU  time, ->a1
        ldi     [a1, 8], ->s5               # nanoseconds
        .bss
buffer: .zero   8
time:   .zero   16
#> ptosim: warning: 1 host request was refused (served: 63 read, 64 write, 93 and 94 exit, 113 clock, 222 map, 1024 release tiles)
#> completed: reached the end of its section after 35 steps
#>    a0 0xffffffffffffffda   a1 0x11008              a2 0x4                  a7 0x1f4
#>    s0 0x4                  s1 0xfffffffffffffff7   s2 0xfffffffffffffff2   s4 0x64636261
#>    s5 0x19
#> [exit 0]
