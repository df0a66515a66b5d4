        .type   f, @thing
f:
