        frobnicate a0
