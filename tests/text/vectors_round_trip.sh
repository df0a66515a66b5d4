#!/usr/bin/env bash
# Every word that occurs in the vectors: disassembled, assembled again, the same word. Words that no release accepts come
# back as data.
#
#   tests/text/vectors_round_trip.sh PTOSIM
set -euo pipefail
ptosim=$1
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

zstd -qdc "$here"/../vectors/*.jsonl.zst |
  sed -nE 's/.*"isa":"([^"]*)".*"bits":([0-9]+),"word":"0x([0-9a-f]+)".*/\1 \2 \3/p' | sort -u |
  awk '{ while (length($3) < $2 / 4) $3 = "0" $3; print $3 > (dir "/words-" $1) }' dir="$scratch"

status=0
for words in "$scratch"/words-*; do
  isa=${words##*-}
  "$ptosim" dis --isa "$isa" --format plain - <"$words" >"$scratch/text"
  "$ptosim" asm --isa "$isa" --format hex "$scratch/text" -o "$scratch/again"
  if cmp -s "$words" "$scratch/again"; then
    echo "$isa: $(wc -l <"$words") words"
  else
    echo "FAILED in $isa:"
    diff "$words" "$scratch/again" | head -n 10
    status=1
  fi
done
exit $status
