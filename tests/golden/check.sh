#!/usr/bin/env bash
# Runs golden tests: programs and command lines with what they must print.
#
#   tests/golden/check.sh PTOSIM FILE...            compare
#   tests/golden/check.sh --update PTOSIM FILE...   write anew what they print, to be reviewed in the diff
#
# NAME.s     a program. "# run: OPTIONS" in its head gives options for `ptosim run`; lines "#> " at its end are the
#            expected output, the last one the exit status.
# NAME.test  command lines "$ COMMAND" (ptosim is the program under test, the folder is the test's), each followed by
#            its expected output and "[exit N]".
set -uo pipefail

update=false
if [ "$1" = --update ]; then
  update=true
  shift
fi
ptosim=$(realpath "$1")
shift
mapfile -t files < <(realpath "$@")

# A scratch folder for files that tests write, and ptosim on the PATH.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$ptosim" "$scratch/bin/ptosim"
export PATH="$scratch/bin:$PATH" TMP_DIR="$scratch" NO_COLOR=1

# Rates and the scratch folder differ from run to run.
normalise() { sed -E "s/ +\$//; s/ \([0-9.]+ million\/s\)//; s/[0-9]+ steps\/s/N steps\/s/; s|$scratch|TMP|g"; }

run_program() {
  local options
  options=$(sed -n 's/^# run: //p' "$1" | tr '\n' ' ')
  eval "ptosim run $(basename "$1") $options" </dev/null 2>&1 | normalise
  echo "[exit ${PIPESTATUS[0]}]"
}

run_commands() {
  local line
  grep '^\$ ' "$1" | while IFS= read -r line; do
    echo "$line"
    bash -c "${line#\$ }" </dev/null 2>&1 | normalise
    echo "[exit ${PIPESTATUS[0]}]"
  done
}

status=0
for file in "${files[@]}"; do
  cd "$(dirname "$file")" || exit 2
  name=$(basename "$file")
  case $name in
    *.s)
      got=$(run_program "$name")
      wanted=$(sed -n 's/^#> \{0,1\}//p' "$name")
      if $update; then
        { sed '/^#>/d' "$name"; sed 's/^/#> /; s/ *$//' <<<"$got"; } >"$scratch/new" && cp "$scratch/new" "$name"
        continue
      fi
      ;;
    *.test)
      got=$(run_commands "$name")
      wanted=$(grep -v '^#' "$name" | sed '/^$/d')
      got=$(sed '/^$/d' <<<"$got")
      if $update; then
        { sed -n '/^#/p;/^[^#]/q' "$name"; echo; run_commands "$name"; } >"$scratch/new" && cp "$scratch/new" "$name"
        continue
      fi
      ;;
    *) continue ;;
  esac
  if [ "$got" != "$wanted" ]; then
    echo "FAILED $file"
    diff <(printf '%s\n' "$wanted") <(printf '%s\n' "$got") | sed 's/^</expected:/; s/^>/got:     /'
    status=1
  fi
done
exit $status
