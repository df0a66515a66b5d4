        .include "nothing.s"
