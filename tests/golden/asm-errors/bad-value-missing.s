        .word
