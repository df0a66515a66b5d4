        ld.pcr  [data], ->a0
        .2byte  0
data:   .8byte  1
