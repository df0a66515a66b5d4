        .section .mine, "aq"
        .section .mine, "aw", @program
        .section .text, "aw"
