        .byte   256
