        B.HINT  BR.maybe
