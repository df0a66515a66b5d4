        .data
_start: .byte   5
