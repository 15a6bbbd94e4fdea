#!/usr/bin/env bash
# Memory and speed of a long match of players inside the referee: benches/referee.sh [PROGRAM [GAMES [OLD PROGRAM]]]
# target/release/fauve and 100,000 games by default, of players that search one node a turn. Prints games per minute by the clock and
# per minute of processor time, which holds on a busy machine, and the largest memory. With an old program both play a tenth of the
# games in turns, and as many of players of random turns, which leave the referee's own work alone: openings, rules, records, PGN.
set -euo pipefail
cd "$(dirname "$0")/.."
fauve=$(realpath "${1:-target/release/fauve}")
games=${2:-100000}
old=${3:+$(realpath "$3")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# measure NAME PROGRAM GAMES PLAYER: plays them with a record and a PGN.
measure() {
    python3 - "$@" "$folder" <<'MEASURE'
import os, resource, subprocess, sys, time

name, program, games, player, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
record, pgn = f"{folder}/record.jsonl", f"{folder}/games.pgn"
for file in (record, pgn):
    if os.path.exists(file):
        os.remove(file)
begin = time.monotonic()
words = ["match", "--quiet", "--nodes", "1", "--openings", "random:8", "--max-turns", "60", "--seed", "1", "--concurrency", "2"]
for label in ("a", "b"):
    words += ["--engine", f"proto={player}", f"name={label}"]
    if player == "internal":
        words.append("option.Hash=1")
words += ["--games", str(games), "--record", record, "--pgn", pgn]
report = subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
wall = time.monotonic() - begin
used = resource.getrusage(resource.RUSAGE_CHILDREN)
processor = used.ru_utime + used.ru_stime
assert f"Games: {games}" in report.replace(",", ""), report
print(f"{name}, {player}: {games} games, {games / wall * 60:.0f} a minute, {games / processor * 60:.0f} a minute of processor time, "
      f"{used.ru_maxrss / 1000:.1f} MB, record {os.path.getsize(record) / 1e6:.0f} MB")
MEASURE
}

if [ -n "$old" ]; then
    for player in random internal; do
        for _ in 1 2 3; do
            measure old "$old" $((games / 20 * 2)) "$player"
            measure new "$fauve" $((games / 20 * 2)) "$player"
        done
    done
fi
measure new "$fauve" "$games" internal
