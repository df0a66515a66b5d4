        .include "itself.s"
