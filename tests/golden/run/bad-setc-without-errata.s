# run: --errata none
# The published text lets no instruction enter a block's body, so SETC is refused in every block.
        BSTART  COND, 1f
        setc.eqi zero, 0
        BSTOP
1:
#> bad-setc-without-errata.s:4: BundleControl executing 'setc.eqi zero, 0' at 0x10004   [PTO ISA 0.58.5]
#>   SETC.EQI: the block's body has not begun (PTO-STATE-BLOCK-CONTROL)
#>   rule scalar.standing: SETC stands once in the body of a Conditional block, SETC.TGT in a Standard or Floating block, LSRGET in a block's body and system instructions in the body of a System block.
#> faulted: BundleControl after 2 steps
#> [exit 1]
