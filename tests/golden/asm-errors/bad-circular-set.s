        .set    a, b + 1
        .set    b, a
        .set    c, d
        .word   c
