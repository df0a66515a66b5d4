#!/usr/bin/env bash
# Ten megabytes of bytes that are as good as random: disassembled, assembled again, the same bytes; and the second
# disassembly is the first.
#
#   tests/text/random_image_round_trip.sh PTOSIM
set -euo pipefail
ptosim=$1
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Compressed files are; repeated from an odd offset they are read differently.
{ cat "$here"/../vectors/*.zst; cat "$here"/../vectors/*.zst | tail -c +2; cat "$here"/../vectors/*.zst; } |
  head -c 10000000 >"$scratch/image.bin" || true
[ "$(stat -c %s "$scratch/image.bin")" = 10000000 ]

"$ptosim" dis --format plain "$scratch/image.bin" >"$scratch/text.s"
"$ptosim" asm --format raw "$scratch/text.s" -o "$scratch/again.bin"
cmp "$scratch/image.bin" "$scratch/again.bin"
"$ptosim" dis --format plain "$scratch/again.bin" | cmp - "$scratch/text.s"
