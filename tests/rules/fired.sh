#!/usr/bin/env bash
# Reports every rule and what makes it fire: conformance steps, golden programs. A rule that nothing fires needs a
# line "NAME: REASON" in unfired.txt beside this script; one that is listed there and fires after all is an error too.
#
#   tests/rules/fired.sh PTOSIM
set -uo pipefail
ptosim=$1
here=$(dirname "$(realpath "$0")")

steps=$("$ptosim" check --rules "$here"/../vectors/*.jsonl.zst) || { echo "$steps" | tail -3; exit 1; }
status=0
while read -r rule count; do
  programs=$(grep -l "^#>   rule $rule:" "$here"/../golden/run/*.s 2>/dev/null | wc -l)
  reason=$(sed -n "s/^$rule: //p" "$here/unfired.txt")
  printf '%-32s %9s steps %3s programs  %s\n' "$rule" "$count" "$programs" "$reason"
  if [ "$count" = 0 ] && [ "$programs" = 0 ] && [ -z "$reason" ]; then
    echo "FAILED: nothing fires $rule, and unfired.txt does not say why"
    status=1
  elif [ -n "$reason" ] && [ $((count + programs)) != 0 ]; then
    echo "FAILED: $rule fires; its line in unfired.txt is out of date"
    status=1
  fi
done < <(grep -E '^[a-z0-9-]+\.[a-z0-9-]+ +[0-9]+$' <<<"$steps")
exit $status
