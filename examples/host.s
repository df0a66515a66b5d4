# What the examples ask of the host (docs/USER_GUIDE.md): to end, and to free tiles. To be included; holds macros only.

        .equ    T, 1 << 0                   # t#1; t#2 is T << 1, t#1 and t#2 are T * 3
        .equ    U, 1 << 16
        .equ    M, 1 << 32
        .equ    N, 1 << 48

# Frees tiles: no instruction does. Changes a0, a7 and the queue t.
        .macro  release tiles
        HL.LIU  (\tiles) >> 32, ->a0
        slli    a0, 32, ->a0
        HL.LIU  (\tiles) & 0xffffffff, ->t
        or      a0, t#1, ->a0
        addi    zero, 1024, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        .endm

        .macro  exit
        addi    zero, 0, ->a0
        addi    zero, 93, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        .endm
