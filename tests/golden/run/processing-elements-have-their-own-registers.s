# run: --pe 2 --set pe0.a0=7 --set pe2.a0=35
# The program runs on PE2: its a0 is 35, PE0's 7 is another register.
        addi    a0, 7, ->a1
#> completed: reached the end of its section after 1 step
#>    a1 0x2a
#> [exit 0]
