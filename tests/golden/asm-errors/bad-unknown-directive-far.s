        .bogus  3
