        .ascii  "a\xg"
        .ascii  "\400"
