        .ascii  "a\qb"
