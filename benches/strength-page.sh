#!/usr/bin/env bash
# Says the strength page, from the records in a folder; draws its pictures. Part of benches/strength.sh.
set -euo pipefail
fauve=${FAUVE:-target/release/fauve}
folder=$1

cat <<'PAGE'
# How strong

Made by `benches/strength.sh`, which goes on where it was stopped; do not edit. Each game has a scale of its own: in chess that of Stockfish's
`UCI_Elo` (the mean of the players from 1320 to 1700 lies where they say; the steps between them are larger in games than they say, and above them by far), in the other games a player of random turns has 0. Ratings are the
likeliest under all results of the game at once, draws as half (`fauve rate`), ± is half the 95 % interval of the distance from the anchor. In
DiceChess scores are those without the luck of the dice.

A level of `fauve play` and of the board is what `UCI_Elo` with its Elo is; the highest level, above those listed, is full strength. Between two
levels the weaknesses are interpolated. Levels look as many turns ahead as their rung says, misjudge positions, overlook quiet turns and grow
careless the further they are ahead or behind ([how](../engine/src/search/strength.rs), [how much](../engine/src/ladders.rs)). What they have spent does not
depend on the machine. `greedy` plays the turn after which our static evaluation is best. `nearest below` is the nearest weaker player that a player has met. Bars are wide at
the ends of long chains: what the games say best is how neighbours stand to one another.
PAGE
newest=$(grep -oh '"date":"[0-9.]*"' "$folder"/*/*.jsonl | sort | tail -1 | tr -dc 0-9)
printf '\nThe last of these games was played on %s; networks that came later are not in them.\n' "$(LC_ALL=C date -d "$newest" '+%-d %B %Y')"

for game in chess superchess twomove dicechess cubes4d; do
    records=("$folder/$game"/*.jsonl)
    [ -e "${records[0]}" ] || continue
    anchors=(--anchor random=0)
    if [ "$game" = chess ] && ls "$folder/chess"/stockfish-*.jsonl >/dev/null 2>&1; then
        anchors=()
        for elo in 1320 1500 1700; do
            anchors+=(--anchor "Stockfish $elo=$elo")
        done
    fi
    printf '\n## %s\n\n![Ratings with their error bars](strength/%s.svg)\n\n' "$game" "$game"
    mkdir -p protocol/strength
    "$fauve" rate "${records[@]}" "${anchors[@]}" --picture "protocol/strength/$game.svg" --title "$game"
done
