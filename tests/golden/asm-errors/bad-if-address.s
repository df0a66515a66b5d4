here:   .if     here
        .endif
