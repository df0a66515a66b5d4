        .ascii  "abc
