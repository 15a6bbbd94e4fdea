#!/usr/bin/env bash
# Guards speed: instructions per leaf of the perfts in instructions.txt, and per node of the searches, under callgrind, against the
# recorded figures. A change of the search visits other nodes, which may need more or fewer instructions: it is recorded anew.
# usage: benches/instructions.sh            exit status 1 if a figure rose by more than 3 %
#        benches/instructions.sh --record   write the figures of this toolchain into instructions.txt
# Instruction counts repeat exactly on any machine, but not across compilers: with another rustc than the recorded one,
# or without valgrind, it prints one line and skips the check.
set -euo pipefail
cd "$(dirname "$0")/.."
list=benches/instructions.txt
target=${CARGO_TARGET_DIR:-target}/instructions
rustc=$(rustc --version)
recorded=$(sed -n 's/^# recorded with \(.*\)$/\1/p' "$list")

skip() { echo "instructions: skipped, $1"; exit 0; }
command -v valgrind >/dev/null || skip "no valgrind"
[ "$(uname -m)" = x86_64 ] || skip "figures are of x86_64"
[ "${1:-}" = --record ] || [ "$rustc" = "$recorded" ] || skip "figures are of $recorded, this is $rustc"

# Callgrind does not support AVX-512, so that a native build would not run everywhere.
RUSTFLAGS="-C target-cpu=x86-64-v3" cargo build --quiet --release -p fauve-tools --bin count --target-dir "$target"

# measure perft|search VARIANT SIZE FEN: instructions, and leaves of a perft of this depth or nodes of a search of this many
measure() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$target/release/count" "$@" 2>&1 |
        awk '/Collected *:/ { instructions = $NF } /^[0-9]+$/ { leaves = $1 }
             END { if (!instructions || !leaves) exit 1; print instructions, leaves }'
}

status=0
lines=()
while read -r name variant size figure fen; do
    case $name in
    '' | '#'*) continue ;;
    search-*) what=search unit=node ;;
    *) what=perft unit=leaf ;;
    esac
    read -r all leaves < <(measure "$what" "$variant" "$size" $fen) || { echo "instructions: $name did not run"; exit 1; }
    # Subtract the instructions of start-up, measured at depth 1 or with one node.
    read -r base _ < <(measure "$what" "$variant" 1 $fen)
    now=$(awk "BEGIN { printf \"%.2f\", ($all - $base) / $leaves }")
    lines+=("$name $variant $size $now $fen")
    [ "${1:-}" != --record ] || figure=$now
    verdict=$(awk "BEGIN { if ($now > $figure * 1.03) print \"WORSE\"; else if ($now < $figure * 0.97) print \"better: record it\"; else print \"ok\" }")
    echo "instructions: $name: $now per $unit, recorded $figure, $verdict"
    [ "$verdict" != WORSE ] || status=1
done <"$list"

if [ "${1:-}" = --record ]; then
    {
        grep '^#' "$list" | sed "s/^# recorded with .*/# recorded with $rustc/"
        printf '%s\n' "${lines[@]}"
    } >"$list.new"
    mv "$list.new" "$list"
    status=0
fi
exit $status
