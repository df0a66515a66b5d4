#!/usr/bin/env bash
# Prints FILE with BYTES (as printf reads them) in place of what it has from OFFSET on.
#   patch.sh FILE OFFSET BYTES
set -euo pipefail
bytes=$(printf "$3" | od -An -v -tx1)
count=$(wc -w <<<"$bytes")
head -c "$2" "$1"
printf "$3"
tail -c +$(($2 + count + 1)) "$1"
