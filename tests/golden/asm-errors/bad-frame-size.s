        fentry  [ra ~ s8], sp!, 12
