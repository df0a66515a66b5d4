        .zero   1 << 60
