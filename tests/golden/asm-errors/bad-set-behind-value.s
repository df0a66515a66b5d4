        .set    y, later junk
        .set    later, 1
        .set    z,
