#!/usr/bin/env python3
"""DiceChess against oracles/dicechess.py (package `chess`): random games, and for every position on the way with two
random rolls the legal turns, their number, and the position string after one of them.
usage: tests/oracles/dicechess.py [POSITIONS] [SEED]     1000 positions (2000 rolls) unless told"""
import random, sys
from collections import Counter
import driver
from driver import Engine
reference = driver.reference('dicechess')
chess = reference.chess
LONGEST = 60                        # turns of a game
EVERY = 3                           # of its positions one in this many is compared
CASTLE_ANYHOW = 5                   # one game in this many ignores attacks when castling
MANY = 30_000                       # rolls with more turns than this are skipped: the reference is slow


def token(path):
    return ','.join(move.uci() for move in path) or '0000'


def targets(path, before, after, live):
    """The e.p. squares left to the opponent. The reference forgets one case (D9): the pawn of the double step moved on and
    another pawn stands in its place."""
    left = set()
    for square in live:
        pawn = reference.victim(square)
        step = next(i for i, move in enumerate(path) if move.to_square == pawn
                    and abs(move.to_square - move.from_square) == 16)
        if all(move.from_square != pawn for move in path[step + 1:]):
            left.add(square)
    return frozenset(left)


def main():
    count, seed = driver.count_and_seed()
    rng = random.Random(seed)
    engines = [Engine('dicechess'), Engine('dicechess', [('Castle Through Check', 'true')])]
    positions = rolls = turns = kings = skipped = games = 0
    problems = []
    while positions < count:
        games += 1
        anyhow = rng.randrange(CASTLE_ANYHOW) == 0
        reference.O.strict = not anyhow
        engine = engines[anyhow]
        board, eps, _ = reference.parse(chess.STARTING_FEN)
        for turn in range(LONGEST):
            if positions >= count:
                break
            compare = rng.randrange(EVERY) == 0
            for roll in [tuple(sorted(rng.choices(range(1, 7), k=3))) for _ in range(2 if compare else 1)]:
                legal = reference.legal_turns(board, eps, roll)
                path, king, after, live = rng.choice(legal)
                if not compare:
                    break
                if len(legal) > MANY:
                    skipped += 1
                    continue
                letters = ''.join(reference.LET[face - 1] for face in roll)
                fen = f'{reference.fen4(board, eps)} 0 1 {letters if board.turn else letters.lower()}'
                engine.send(f'position fen {fen}')
                ours, theirs = Counter(engine.legal()), Counter(token(line[0]) for line in legal)
                if ours != theirs:
                    problems.append(f'{fen}: ours only {list(ours - theirs)[:5]}, theirs only {list(theirs - ours)[:5]}')
                if engine.perft(1) != len(legal):
                    problems.append(f'{fen}: {engine.perft(1)} turns counted, the reference has {len(legal)}')
                engine.send(f'position fen {fen} moves {token(path)}')
                left = targets(path, board, after, live)
                expected = reference.fen4(after, left).split()
                got = engine.query('fen').split()
                # The reference does not say what a taken king leaves of castling rights and targets.
                if got[:2] != expected[:2] or not king and got[:4] != expected[:4]:
                    problems.append(f'{fen} {token(path)}: {got[:4]}, the reference has {expected}')
                rolls, turns, kings = rolls + 1, turns + len(legal), kings + sum(line[1] for line in legal)
            positions += compare
            if king:
                break
            board, eps = after, targets(path, board, after, live)
    for problem in problems[:20]:
        print(problem)
    print(f'{positions} positions of {games} games, {rolls} rolls compared ({skipped} skipped), {turns} turns, '
          f'{kings} of them take the king: {len(problems)} differences')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
