        fentry  [zero ~ s8], sp!, 16
