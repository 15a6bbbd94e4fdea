#!/usr/bin/env bash
# Generates the strength page: plays matches between the levels of every game, random and greedy players, and other engines that
# are installed, then computes the ratings, as tables and pictures. Matches that are already recorded are not played again.
#
#   benches/strength.sh [FOLDER [GAME ...]]      records go to FOLDER, target/strength by default
#
# Environment: FAUVE is the program (target/release/fauve), GAMES the number of games between neighbouring levels (100; four times as many
# in DiceChess), STOCKFISH, FAIRY_STOCKFISH, FAIRYMAX and SJAAK the other engines, VARIANTS Fairy-Stockfish's definition of Superchess.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/strength}
shift || true
games=("${@:-chess superchess twomove dicechess cubes4d}")
read -ra games <<<"${games[*]}"
fauve=${FAUVE:-target/release/fauve}
each=${GAMES:-100}
# Debian installs games in a directory of their own.
PATH=$PATH:/usr/games
path() { command -v "$1" || true; }
stockfish=${STOCKFISH:-$(path stockfish)}
fairy=${FAIRY_STOCKFISH:-$(path fairy-stockfish)}
fairymax=${FAIRYMAX:-$(path fairymax)}
sjaak=${SJAAK:-$(path sjaakii)}
variants=${VARIANTS:-tests/data/superchess.ini}

# The Elo figures of a game's levels, the weakest first.
levels() {
    local -A table=([chess]=CHESS [superchess]=SUPERCHESS [twomove]=TWO_MOVE [dicechess]=DICE_CHESS [cubes4d]=CUBES)
    sed -n "/^const ${table[$1]}:/,/^];/s/^ *level(\([0-9]*\),.*/\1/p" engine/src/strength_scales.rs
}

# match GAME GAMES RECORD WORDS...: plays a match, or the rest of it.
match() {
    local game=$1 count=$2 record=$3
    shift 3
    mkdir -p "$folder/$game"
    echo "$game: $record"
    "$fauve" match --variant "$game" --games "$count" --concurrency 1 --seed 14 --quiet --max-turns 400 \
        --record "$folder/$game/$record.jsonl" "$@" >"$folder/$game/$record.txt"
}

for game in "${games[@]}"; do
    mapfile -t elos < <(levels "$game")
    count=$each
    [ "$game" = dicechess ] && count=$((4 * each))
    # Arguments that select a level.
    level() {
        words=(--engine proto=internal "name=level $1" option.Hash=1 option.UCI_LimitStrength=true "option.Strength Seed=1"
            "option.UCI_Elo=${elos[$1 - 1]}" nodes=1000000)
    }
    # against GAMES RECORD LEVEL WORDS...: a match of a level against another player.
    against() {
        local count=$1 record=$2
        level "$3"
        shift 3
        match "$game" "$count" "$record" "${words[@]}" "$@"
    }
    # near ELO: the first level of at least this Elo.
    near() {
        local n=1
        while [ "$n" -lt "${#elos[@]}" ] && [ "${elos[n - 1]}" -lt "$1" ]; do n=$((n + 1)); done
        echo "$n"
    }
    random=(--engine proto=random name=random)
    greedy=(--engine proto=greedy name=greedy)
    against "$count" random-1 1 "${random[@]}"
    against "$each" random-2 2 "${random[@]}"
    for ((n = 1; n < ${#elos[@]}; n++)); do
        level "$n"
        other=("${words[@]}")
        against "$count" "$((n + 1))-$n" "$((n + 1))" "${other[@]}"
    done
    for n in 1 2 3 4; do
        against "$each" "greedy-$n" "$n" "${greedy[@]}"
    done
    last=${#elos[@]}
    against 40 full "$last" --engine proto=internal "name=full strength, 100,000 nodes" nodes=100000
    case $game in
    chess)
        # Stockfish chooses its weak turn at a depth that follows from its Elo, so that a deeper search is not needed. Its steps are larger than
        # nominal: the second figure is the measured Elo, the third that depth.
        if [ -n "$stockfish" ]; then
            for which in 1350:1260:8 1500:1490:8 1700:1770:8 1900:2300:8 2100:2600:10; do
                IFS=: read -r elo lies depth <<<"$which"
                for n in $(seq 1 "$last"); do
                    distance=$((${elos[n - 1]} - lies))
                    if [ "${distance#-}" -le 90 ]; then
                        against "$each" "stockfish-$elo-$n" "$n" --engine "cmd=$stockfish" "name=Stockfish $elo" option.Threads=1 \
                            option.UCI_LimitStrength=true "option.UCI_Elo=$elo" depth="$depth"
                    fi
                done
            done
        fi
        [ -z "$fairymax" ] || against "$each" fairymax "$(near 1240)" --engine "cmd=$fairymax" proto=cecp "name=Fairy-Max, depth 3" depth=3
        [ -z "$sjaak" ] || against "$each" sjaak "$(near 1240)" --engine "cmd=$sjaak" proto=cecp "name=Sjaak II, depth 3" depth=3
        ;;
    superchess)
        physical=(--openings arrays --rule 'Promotion Pool=physical')
        if [ -n "$fairy" ]; then
            for elo in 1350 1500; do
                against "$each" "fairy-$elo" "$(near 1500)" --openings arrays --engine "cmd=$fairy" "name=Fairy-Stockfish $elo" \
                    "option.VariantPath=$variants" option.Threads=1 option.UCI_LimitStrength=true "option.UCI_Elo=$elo" depth=6
            done
        fi
        [ -z "$fairymax" ] || against "$each" fairymax "$(near 1500)" "${physical[@]}" --engine "cmd=$fairymax" proto=cecp "name=Fairy-Max, depth 3" depth=3
        [ -z "$sjaak" ] || against "$each" sjaak "$(near 1500)" "${physical[@]}" --engine "cmd=$sjaak" proto=cecp "name=Sjaak II, depth 3" depth=3
        ;;
    esac
done

benches/strength-page.sh "$folder" >protocol/strength.md
