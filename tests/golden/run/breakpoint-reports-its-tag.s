# run: --ring 0 --traps=deliver --max-steps 1000
# EBREAK traps with number 50 and its tag as the cause (bits 24 and up of TRAPNO); the handler goes on behind it.
_start:
        HL.LIU  handler, ->t
        BSTART.SYS FALL
        hl.ssrset t#1, 0xf01                # EVBASE
        ebreak  5
        addi    a0, 1, ->a0                 # still in the same System block
        c.ebreak 9
        addi    a0, 1, ->a0
        BSTOP
        j       end
handler:
        BSTART.SYS FALL
        slli    a1, 32, ->a1
        hl.ssrget 0xf02, ->t
        bxu     t#1, 24, 8, ->u             # the cause
        slli    u#1, 16, ->u
        bxu     t#1, 0, 6, ->t              # the number
        or      u#1, t#1, ->t
        or      a1, t#1, ->a1
        hl.ssrget 0xf43, ->s0
        lhui    [s0, 0], ->t                # 16 bits long when its low bit is 0, else 32
        andi    t#1, 1, ->t
        addi    s0, 2, ->u
        add     u#1, t#1<<1, ->t
        hl.ssrset t#1, 0xf43                # behind it
        BSTOP
        BSTART.SYS FALL
        acre    0
end:
#> completed: reached the end of its section after 43 steps
#>    a0 0x2                  a1 0x5003200090032      s0 0x10018
#> [exit 0]
