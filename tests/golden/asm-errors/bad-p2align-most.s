        .p2align 2,,-1
        .p2align 2,,3,4
