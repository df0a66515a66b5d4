here:   BSTOP
        .set    here, 4
