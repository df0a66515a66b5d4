#!/usr/bin/env bash
# The project's commands. Every one works on a fresh Debian 12 machine: what is missing is installed first.
#
#   ./do build            build the program: build/release/ptosim
#   ./do demo             run the examples on real files and say what happened
#   ./do test [REGEX]     build and run all tests (or those whose name matches)
#   ./do bench [REGEX]    build and run the benchmarks
#   ./do fuzz [SECONDS]   run every fuzz target that long (default 60)
#   ./do conformance      check all vectors and write the table to docs/CONFORMANCE.md
#   ./do reference        write the instruction reference, HTML pages, to docs/isa
#   ./do fmt              format the sources; ./do fmt --check only reports
#   ./do sanitize         build with ASan and UBSan and run all tests
#   ./do clang            build with clang 14 and run all tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

jobs=${JOBS:-$(nproc)}

packages_build=(g++ cmake ninja-build pkg-config libfmt-dev libzstd-dev libsimdjson-dev nlohmann-json3-dev
  libcli11-dev libhwy-dev libelf-dev libdw-dev)
packages_test=(libgtest-dev zstd)
packages_bench=(libbenchmark-dev)
packages_clang=(clang-14 libclang-rt-14-dev)
packages_fmt=(clang-format-14)

# need PACKAGE...: installs the Debian packages that are missing.
need() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing: ${missing[*]}"
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >"/tmp/ptosim-cmake-$$.log" 2>&1 || {
    cat "/tmp/ptosim-cmake-$$.log" >&2
    return 1
  }
  rm -f "/tmp/ptosim-cmake-$$.log"
  cmake --build "build/$preset" -j "$jobs" ${1:+--target "$@"}
}

run_tests() {
  local preset=$1
  shift
  ctest --test-dir "build/$preset" --output-on-failure -j "$jobs" ${1:+-R "$1"}
}

command=${1:-help}
shift || true
case $command in
  build)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_bench[@]}"
    build release ptosim
    ;;
  demo)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_bench[@]}"
    build release ptosim example_tool >/dev/null
    examples/demo.sh build/release/ptosim build/release/examples/example_tool
    ;;
  test)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_bench[@]}"
    build release
    [ $# -gt 0 ] || build/release/ptosim check --table tests/vectors/*.zst
    [ $# -gt 0 ] || tests/rules/fired.sh build/release/ptosim
    run_tests release "$@"
    ;;
  bench)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_bench[@]}"
    build release ptosim_bench ptosim >/dev/null
    build/release/bench/ptosim_bench ${1:+--benchmark_filter="$1"}
    ;;
  fuzz)
    need "${packages_build[@]}" "${packages_clang[@]}" zstd
    build fuzz fuzz_targets
    tests/fuzz/run.sh build/fuzz "${1:-60}"
    ;;
  conformance)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_bench[@]}"
    build release ptosim >/dev/null
    build/release/ptosim check --markdown tests/vectors/*.zst >build/conformance.md
    mv build/conformance.md docs/CONFORMANCE.md
    ;;
  reference)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_bench[@]}"
    build release ptosim >/dev/null
    build/release/ptosim isa --reference docs/isa
    ;;
  fmt)
    need "${packages_fmt[@]}"
    mode=(-i)
    [ "${1:-}" != --check ] || mode=(--dry-run --Werror)
    git ls-files '*.cc' '*.h' | xargs clang-format-14 "${mode[@]}"
    ;;
  sanitize)
    need "${packages_build[@]}" "${packages_test[@]}"
    build dev
    run_tests dev "$@"
    ;;
  clang)
    need "${packages_build[@]}" "${packages_test[@]}" "${packages_clang[@]}"
    build clang
    run_tests clang "$@"
    ;;
  *)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    [ "$command" = help ] || exit 2
    ;;
esac
