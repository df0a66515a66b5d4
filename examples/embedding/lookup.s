# An embedding look-up: for every token of a batch, gathers its vector from a table in memory.
#
# Tokens are 32-bit numbers; token 0 is padding. The mask lets only real tokens access memory: lanes of padding tokens
# read nothing, whatever their displacement says, and receive the pad value Zero.
#
# The host gives:  a0  address of the tokens      a1  how many, a multiple of 32
#                  a2  address of the table       a3  address of the output
#
# One turn serves 32 tokens:
#   scalar code   writes, for every element of 32 x 16, the token and its byte displacement into the table
#   t#1  tokens             (TLOAD)          n#1  predicate: the token is not 0   (TCMPS)
#   u#1  displacements      (TLOAD)          m#1  gathered vectors                (MGATHER.MASK, then TSTORE)

        .equ    TOKENS, 32
        .equ    COLUMNS, 16                 # FP32 numbers in a vector
        .equ    ROW_BYTES, COLUMNS * 4
        .equ    NOWHERE, 0x7ffffffc         # a displacement nobody may follow
        .equ    RELEASE_TILES, 1024

        .macro  tile_shape                  # 32 rows of 16 columns
        B.DIM   zero, COLUMNS, ->lb0
        B.DIM   zero, TOKENS, ->lb1
        .endm

        .text
        .globl  _start
_start:
        addi    a0, 0, ->s0                 # next token
        addi    a1, 0, ->s1                 # tokens left
        addi    a2, 0, ->s2
        addi    a3, 0, ->s3                 # next output
        HL.LIU  element_tokens, ->s4
        HL.LIU  element_displacements, ->s5
        addi    zero, ROW_BYTES, ->s8
turn:
# Spread tokens and displacements over the elements.
        addi    zero, 0, ->x0               # byte offset of the element
        addi    zero, 0, ->x1               # row
rows:
        slli    x1, 2, ->t
        add     s0, t#1, ->t
        lwui    [t#1, 0], ->x2              # the token
        mul     x2, s8, ->x3
        HL.LIU  NOWHERE, ->t
        csel    x2, x3, t#1, ->x3           # padding points nowhere
        addi    x0, ROW_BYTES, ->a4         # end of the row
elements:
        add     s4, x0, ->t
        swi     x2, [t#1, 0]
        add     s5, x0, ->t
        swi     x3, [t#1, 0]
        addi    x3, 4, ->x3
        addi    x0, 4, ->x0
        BSTART  COND, elements
        setc.ltu x0, a4
        BSTOP
        BSTART  COND, rows
        addi    x1, 1, ->x1
        addi    zero, TOKENS, ->t
        setc.ltu x1, t#1
        BSTOP
# Look them up.
        BSTART.TLOAD U32
        tile_shape
        B.IOR   s4, s8
        B.IOT   mask=1000, last, ->t<2KB>
        BSTART.VEC TCMPS, U32
        B.DATR  NE
        tile_shape
        B.IOR   zero
        B.IOT   t#1, mask=1000, last, ->n<512B>
        BSTART.TLOAD U32
        tile_shape
        B.IOR   s5, s8
        B.IOT   mask=1000, last, ->u<2KB>
        BSTART.MGATHER.MASK FP32
        B.DATR  Zero
        tile_shape
        B.IOR   s2
        B.IOT   u#1, n#1, mask=1000, last, ->m<2KB>
        BSTART.TSTORE FP32
        tile_shape
        B.IOR   s3, s8
        B.IOT   m#1, mask=1000, last
        BSTOP
# Free t#1, u#1, m#1 and n#1, and go on.
        HL.LIU  0x00010001, ->t
        slli    t#1, 32, ->u
        or      t#1, u#1, ->a0
        addi    zero, RELEASE_TILES, ->a7
        BSTART.SYS FALL
        acrc    1
        BSTOP
        addi    zero, TOKENS * 4, ->t
        add     s0, t#1, ->s0
        addi    zero, TOKENS, ->t
        mul     t#1, s8, ->t
        add     s3, t#1, ->s3
        subi    s1, TOKENS, ->s1
        BSTART  COND, turn
        setc.ne s1, zero
        BSTOP
        addi    zero, 0, ->a0
        addi    zero, 93, ->a7              # exit
        BSTART.SYS FALL
        acrc    1
        BSTOP

        .bss
element_tokens:         .zero TOKENS * ROW_BYTES
element_displacements:  .zero TOKENS * ROW_BYTES
