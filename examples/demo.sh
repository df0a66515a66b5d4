#!/usr/bin/env bash
# Runs the examples on real files with the program given as the first argument. Leaves what they made in build/demo.
set -euo pipefail
ptosim=$1
tool=$2
here=$(dirname "${BASH_SOURCE[0]}")
out=build/demo
mkdir -p "$out"

steps_of() { sed -n 's/.*"steps":\([0-9]*\).*/\1/p' <<<"$1"; }
now() { date +%s%N; }

# Runs ptosim with --json and prints "N steps in M ms"; its own report on anything but success.
run() {
  local begin report
  begin=$(now)
  if ! report=$("$ptosim" run --json "$@"); then
    echo "$report" >&2
    return 1
  fi
  printf '%s instructions in %d ms' "$(steps_of "$report")" $((($(now) - begin) / 1000000))
}

echo "1. A picture, byte by byte: TPERMUTE over CUBE CELLs"
picture=$here/picture/landscape.ppm
read -r width height < <("$tool" picture-unpack "$picture" "$out/pixels.rgba")
bytes=$((width * height * 4))
echo "   $picture: $width x $height pixels, red and blue exchanged, pixel pairs rotated"
echo "   $(run "$here/picture/reorder.s" --load 0x1000000="$out/pixels.rgba" --dump 0x1000000:$bytes="$out/reordered.rgba" \
  --set a0=0x1000000 --set a1="$width" --set a2="$height")"
"$tool" picture-check "$picture" "$out/reordered.rgba" "$out/reordered.ppm"
echo "   checked against plain C++; look at $out/reordered.ppm"

echo "2. An embedding look-up: MGATHER.MASK with padding masked out"
text=$here/embedding/poem.txt
tokens=$("$tool" embedding-make "$text" "$out/table.bin" "$out/tokens.bin")
bytes=$((tokens * 64))
echo "   $text: $tokens tokens, $(stat -c %s "$out/table.bin") bytes of table"
echo "   $(run "$here/embedding/lookup.s" --load 0x2000000="$out/tokens.bin" --load 0x3000000="$out/table.bin" \
  --map 0x4000000:$bytes --dump 0x4000000:$bytes="$out/vectors.bin" \
  --set a0=0x2000000 --set a1="$tokens" --set a2=0x3000000 --set a3=0x4000000)"
"$tool" embedding-check "$text" "$out/vectors.bin" "$out/vectors.txt"
echo "   checked against plain C++; look at $out/vectors.txt"

echo "3. A matrix product: a picture's rows shrunk by TMATMUL and TMATMUL_ACC over tiles"
"$tool" matrix-make "$picture" "$out/pixels.bin" "$out/weights.bin"
bytes=$((height * 64 * 4))
echo "   $picture: $height x $width times $width x 64"
echo "   $(run "$here/matrix/resize.s" --load 0x1000000="$out/pixels.bin" --load 0x2000000="$out/weights.bin" \
  --map 0x3000000:$bytes --dump 0x3000000:$bytes="$out/sums.bin" \
  --set a0=0x1000000 --set a1=0x2000000 --set a2=0x3000000)"
"$tool" matrix-check "$picture" "$out/sums.bin" "$out/narrow.pgm"
echo "   checked against plain C++; look at $out/narrow.pgm"

echo "4. Convolutions: a blur and edges, windows of 3 x 3 as matrix products"
"$tool" convolution-make "$picture" "$out/bordered.bin" "$out/taps.bin"
bytes=$((width * height))
echo "   $(run "$here/convolution/edges.s" --load 0x1000000="$out/bordered.bin" --load 0x2000000="$out/taps.bin" \
  --map 0x3000000:$bytes --map 0x4000000:$bytes \
  --dump 0x3000000:$bytes="$out/blurred.bin" --dump 0x4000000:$bytes="$out/edges.bin" \
  --set a0=0x1000000 --set a1=0x2000000 --set a2=0x3000000 --set a3=0x4000000)"
"$tool" convolution-check "$picture" "$out/blurred.bin" "$out/edges.bin" "$out/filtered.pgm"
echo "   checked against plain C++; look at $out/filtered.pgm"

echo "5. Top-k: the most frequent words of a text by TSORT and TMRGSORT"
text=$(dirname "$here")/docs/USER_GUIDE.md
scores=$("$tool" topk-make "$text" "$out/scores.bin")
echo "   $text: 64 out of $scores"
echo "   $(run "$here/topk/topk.s" --load 0x1000000="$out/scores.bin" --map 0x2000000:256 --dump 0x2000000:256="$out/best.bin" \
  --set a0=0x1000000 --set a1="$scores" --set a2=0x2000000)"
"$tool" topk-check "$text" "$out/best.bin" "$out/words.txt"
echo "   checked against plain C++; look at $out/words.txt"

echo "6. Histogram equalisation: THISTOGRAM, TCOLSUM and MGATHER"
"$tool" equalise-make "$picture" "$out/bright.bin"
bytes=$((width * height))
echo "   $(run "$here/equalise/equalise.s" --load 0x1000000="$out/bright.bin" --map 0x2000000:$bytes \
  --dump 0x2000000:$bytes="$out/equalised.bin" --set a0=0x1000000 --set a1=0x2000000 --set a2="$height")"
"$tool" equalise-check "$picture" "$out/equalised.bin" "$out/equalised.pgm"
echo "   checked against plain C++; look at $out/equalised.pgm"

echo "7. Quantisation: TQUANT to bytes and TDEQUANT back, channel by channel"
"$tool" quantise-make "$picture" "$out/numbers.bin" "$out/parameters.bin"
numbers=$((width * height))
bytes=$((3 * numbers))
echo "   $(run "$here/quantise/quantise.s" --load 0x1000000="$out/numbers.bin" --load 0x2000000="$out/parameters.bin" \
  --map 0x3000000:$bytes --map 0x4000000:$((bytes * 4)) \
  --dump 0x3000000:$bytes="$out/quantised.bin" --dump 0x4000000:$((bytes * 4))="$out/restored.bin" \
  --set a0=0x1000000 --set a1=3 --set a2=$numbers --set a3=0x2000000 --set a4=0x3000000 --set a5=0x4000000)"
"$tool" quantise-check "$picture" "$out/quantised.bin" "$out/restored.bin" "$out/errors.txt"
echo "   checked against plain C++; look at $out/errors.txt"

echo "8. A picture transposed by TTRANS, tile by tile"
bytes=$((width * height * 4))
echo "   $(run "$here/transpose/transpose.s" --isa 0.58.3 --load 0x1000000="$out/pixels.rgba" --map 0x2000000:$bytes \
  --dump 0x2000000:$bytes="$out/transposed.rgba" \
  --set a0=0x1000000 --set a1="$width" --set a2="$height" --set a3=0x2000000)"
"$tool" transpose-check "$picture" "$out/transposed.rgba" "$out/transposed.ppm"
echo "   checked against plain C++; look at $out/transposed.ppm"
