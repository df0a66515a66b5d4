# Two values were pushed: T#3 holds nothing, and reading it is refused before anything is written.
        addi    zero, 1, ->t
        addi    zero, 2, ->t
        add     t#1, t#2, ->a0
        add     t#1, t#3, ->a0
#> bad-empty-queue-entry.s:5: IllegalInstruction executing 'add t#1, t#3, ->a0' at 0x1000c   [PTO ISA 0.58.5]
#>   ADD reads an empty queue entry (PTO-STATE-ARCH-TEMPORARY-QUEUES)
#>   rule scalar.queue-source: A source that names a T or U queue entry needs that entry to hold a value.
#> faulted: IllegalInstruction after 4 steps
#>    a0 0x3
#> [exit 1]
