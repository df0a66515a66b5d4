#!/usr/bin/env bash
# Every golden program, assembled to hexadecimal words: `dis` of the file and of standard input give a source of the same
# bytes as the raw image, and both forms of the image run alike.
#
#   tests/text/hex_round_trip.sh PTOSIM
set -euo pipefail
ptosim=$(realpath "$1")
cd "$(dirname "$(realpath "$0")")/../golden/run"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

count=0
for source in *.s; do
  isa=$(sed -n 's/^# run: .*--isa \([0-9.]*\).*/\1/p' "$source" | head -n 1)
  isa=${isa:-0.58.5}
  "$ptosim" asm --isa "$isa" --format raw "$source" -o "$scratch/image" 2>/dev/null || continue
  "$ptosim" asm --isa "$isa" --format hex "$source" -o "$scratch/words" 2>/dev/null
  for input in "$scratch/words" -; do
    "$ptosim" dis --isa "$isa" --format plain "$input" <"$scratch/words" >"$scratch/text"
    "$ptosim" asm --isa "$isa" --format raw "$scratch/text" -o "$scratch/again"
    cmp "$scratch/image" "$scratch/again" || { echo "FAILED $source"; exit 1; }
  done
  size=$(stat -c %s "$scratch/image")
  rm -f "$scratch/raw" "$scratch/hex"
  if [ "$size" -gt 0 ]; then
    "$ptosim" run --isa "$isa" --format raw "$scratch/image" --max-steps 0 --dump "0x10000:$size=$scratch/raw" >"$scratch/log" 2>&1 || true
    "$ptosim" run --isa "$isa" "$scratch/words" --map "0x10000:$size" --max-steps 0 --dump "0x10000:$size=$scratch/hex" >"$scratch/log" 2>&1 || true
    cmp "$scratch/raw" "$scratch/hex" || { echo "FAILED $source: run reads other bytes"; cat "$scratch/log"; exit 1; }
  fi
  count=$((count + 1))
done
echo "$count programs"
[ "$count" -gt 20 ]
