        .macro  one a:odd
        .endm
        .macro  two a, a
        .endm
        .macro  three a:vararg, b
        .endm
