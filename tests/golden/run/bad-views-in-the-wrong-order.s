# The view of source 0 comes before the view of source 1.
        HL.LIU  numbers, ->a0
        addi    zero, 16, ->a1
        BSTART.TLOAD U16                # t#1: CUBE_M16, two rows of eight numbers in CELLs 0 and 1
        B.DATR  ND2M16, DTYPE_NONE
        B.DIM   zero, 8, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->t<256B>
        BSTOP
        BSTART.VEC TADD, U16
        B.DIM   zero, 4, ->lb0
        B.DIM   zero, 2, ->lb1
        B.IOT   t#1, t#1, mask=1000, last, ->u<128B>
        B.SUBVIEW zero, 0, 128B, source1
        B.SUBVIEW zero, 0, 128B
        BSTOP
        .data
numbers: .half  1, 2, 3, 4, 5, 6, 7, 8
        .half   10, 20, 30, 40, 50, 60, 70, 80
#> bad-views-in-the-wrong-order.s:16: BundleControl executing 'B.SUBVIEW zero, 0, 128B' at 0x1003a   [PTO ISA 0.58.5]
#>   source 0 comes after source 1 (PTO-B-SUBVIEW-RANGE-001)
#>   rule range.role: Ranges come in the order source 0, source 1, destination, each once and only where the binder has it.
#>   block so far: B.DIM zero, 4, ->LB0 · B.DIM zero, 2, ->LB1 · B.IOT t#1, t#1, mask=1000, last, ->u<128B> · B.SUBVIEW zero, 0, 128B, source1
#> faulted: BundleControl after 15 steps
#>    a0 0x11000              a1 0x10
#>   t#1  U16 CUBE_M16 2x8, 256 bytes, PEs 1000
#> [exit 1]
