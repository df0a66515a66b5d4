        lr.w.xy [a0], ->a1
