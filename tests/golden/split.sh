#!/usr/bin/env bash
# Splits golden programs: run to a step with --state, go on from there with --initial-state. Wherever a program is split, it
# must end in the state, and with the report, of the run that is not.
#
#   tests/golden/split.sh PTOSIM PLACES FILE...       at about so many places each
set -uo pipefail
ptosim=$(realpath "$1")
most_splits=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export NO_COLOR=1

programs=0
failed=0
for file in "$@"; do
  options=$(sed -n 's/^# run: //p' "$file" | tr '\n' ' ')
  # What a run reads or stops at by count does not continue with the state.
  grep -q -- '<\|--max-steps\|--stop\|--state\|--dump\|--trace\|--log' <<<"$options" && continue
  cd "$(dirname "$file")" || exit 2
  name=$(basename "$file")
  # Steps of this run; those that end by themselves within reason.
  run() { eval "timeout 20 \"\$ptosim\" run $name --json $options \"\$@\"" </dev/null 2>"$scratch/err"; }
  # The output of the program itself goes to standard error; the report alone is compared.
  run --max-steps 200000 --state "$scratch/whole" >"$scratch/report"
  grep -q '"verdict":"unfinished"' "$scratch/report" && continue
  steps=$(grep -o '"steps":[0-9]*' "$scratch/report" | cut -d: -f2)
  [ "$steps" -gt 1 ] || continue
  programs=$((programs + 1))
  stride=$((steps / most_splits + 1))
  for ((at = 1; at < steps; at += stride)); do
    run --max-steps "$at" --state "$scratch/half" >/dev/null
    run --initial-state "$scratch/half" --state "$scratch/rest" >"$scratch/report2"
    sed 's/"steps":[0-9]*,//' "$scratch/report" >"$scratch/want"
    sed 's/"steps":[0-9]*,//' "$scratch/report2" >"$scratch/got"
    if ! cmp -s "$scratch/whole" "$scratch/rest" || ! cmp -s "$scratch/want" "$scratch/got"; then
      echo "FAILED $name split after $at of $steps steps"
      diff "$scratch/want" "$scratch/got"
      diff "$scratch/whole" "$scratch/rest" | head -20
      failed=1
      break
    fi
  done
done
echo "$programs programs"
[ "$programs" -ge 20 ] && exit $failed
