        .zero   size
        .set    size, 8
