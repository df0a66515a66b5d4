#!/usr/bin/env bash
# A file that must not compile: the compiler refuses it and names what its first line says ("// expect: NAME").
#   tests/compile_fail/check.sh COMPILER SOURCE_ROOT FILE
set -uo pipefail
wanted=$(sed -n '1s|^// expect: ||p' "$3")
[ -n "$wanted" ] || { echo "$3 does not say what to expect"; exit 1; }
if output=$("$1" -std=c++20 -fsyntax-only -I"$2/src" -I"$2/include" "$3" 2>&1); then
  echo "$3 compiles"
  exit 1
fi
grep -q "$wanted" <<<"$output" && exit 0
echo "$3 is refused, but not for $wanted:"
echo "$output"
exit 1
