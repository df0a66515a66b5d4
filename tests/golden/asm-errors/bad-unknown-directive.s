        .wrod   1
