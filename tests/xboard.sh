#!/usr/bin/env bash
# Plays fauve against Fairy-Max and Sjaak II in XBoard's variant super, without a screen: XBoard referees, and the
# script fails on an illegal move or a forfeit.
# usage: tests/xboard.sh [PROGRAM [GAMES [OPPONENT...]]]   opponents by name; needs: apt-get install xboard xvfb fairymax sjaakii
set -eu
program=$(realpath "${1:-target/release/fauve}")
games=${2:-4}
shift $(($# > 2 ? 2 : $#))
opponents=("${@:-fairymax}")
[ $# -gt 0 ] || opponents=(fairymax sjaakii)
PATH=$PATH:/usr/games
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work
status=0
for opponent in "${opponents[@]}"; do
    pgn=$work/$opponent.pgn
    log=$work/$opponent.debug
    timeout 1800 xvfb-run -a xboard -fcp "$program" -scp "$opponent" -variant super -matchGames "$games" \
        -timeControl 0:05 -timeIncrement 0.1 -xponder -popupExitMessage false -popupMoveErrors false \
        -saveGameFile "$pgn" -debugMode true -nameOfDebugFile "$log" >"$work/out" 2>&1 || true
    played=$(grep -c '^\[Result "[01]' "$pgn" 2>/dev/null || true)
    faults=$(grep -ciE 'illegal|forfeit|exited|crash|loses on time' "$pgn" 2>/dev/null || true)
    echo "$opponent: ${played:-0} of $games games, ${faults:-0} faults"
    grep -hoE '^\[(White|Black|Result) .*|\{X[Bb]oard .*|\{.*(mate|draw|forfeit|resign).*' "$pgn" 2>/dev/null || tail -n 20 "$log" "$work/out" 2>/dev/null || true
    [ "${played:-0}" -ge "$games" ] && [ "${faults:-0}" -eq 0 ] || status=1
done
exit $status
