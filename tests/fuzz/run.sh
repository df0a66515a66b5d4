#!/usr/bin/env bash
# Runs every fuzz target of a build for some seconds each, seeded with real inputs. Stops at the first finding.
#   tests/fuzz/run.sh BUILD_DIRECTORY SECONDS
set -euo pipefail
build=$1
seconds=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$build/corpus

# Seeds: what the targets should start from.
seed() {
  local target
  for target in "$build"/tests/fuzz/*_fuzz; do mkdir -p "$work/$(basename "$target")"; done
  cp "$root"/examples/*/*.s "$work/assembler_fuzz/"
  cp "$root"/tests/golden/asm-errors/*.s "$work/assembler_fuzz/"
  local file line=0
  for file in "$root"/tests/vectors/*.jsonl.zst; do
    # A few steps of each file; the state target starts from their states.
    zstd -dcq "$file" 2>/dev/null | awk 'NR % 97 == 1' 2>/dev/null | head -n 12 | while read -r step; do
      line=$((line + 1))
      printf '%s' "$step" >"$work/vector_fuzz/$(basename "$file" .jsonl.zst)-$line.json"
      printf '%s' "$step" | sed 's/.*"pre":\({.*\)},*"post":.*/\1}/' >"$work/state_fuzz/$(basename "$file" .jsonl.zst)-$line.json"
    done || true
  done
  for file in "$root"/tests/data/*.elf "$root"/tests/data/*.o "$root"/tests/fuzz/seeds/*; do
    [ ! -f "$file" ] || cp "$file" "$work/image_fuzz/"
  done
}

seed
for target in "$build"/tests/fuzz/*_fuzz; do
  name=$(basename "$target")
  echo "== $name, $seconds s"
  log=$work/$name.log
  if ! "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=65536 \
    -artifact_prefix="$work/$name-" "$work/$name" >"$log" 2>&1; then
    tail -n 40 "$log"
    exit 1
  fi
  grep -E '^(#[0-9]+|Done)' "$log" | tail -n 1
done
