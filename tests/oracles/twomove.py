#!/usr/bin/env python3
"""Two-move chess against oracles/twomove.py (package `chess`): random games, and at sampled positions the status, the set
of legal turns, their number, and the second halves after a random first half.
usage: tests/oracles/twomove.py [POSITIONS] [SEED]        1000 by default; the games like captures, so that the slow
                                                          reference meets few pieces more often than many"""
import random, sys, time
import driver
from driver import Engine
reference = driver.reference('twomove')
LONGEST = 120                       # turns of a game
CROWDED, RARELY = 16, 0.1           # of positions with more pieces than this only this many are compared


def status(engine, turns):
    """The reference's word for the state; it distinguishes two kinds of stalemate, the protocol does not."""
    state = engine.ask('d')[-1]
    if not turns:
        return 'mate' if 'checkmate' in state else 'stalemate'
    if 'Game over' in state:        # a draw by rule with turns left: the line does not say whether it is check
        return None
    return 'check' if 'in check' in state else 'ok'


def compare(engine, fen, rng):
    problems = []
    board, eps, rest = reference.parse(fen)
    single = rest[-1] == '1'
    reference._memo.clear()
    expected = sorted(','.join(m.uci() for m in turn) for turn, _, _ in reference.legal_turns(board, eps, single))
    found = engine.legal()
    if found != expected:
        problems.append(f'turns: {sorted(set(found) ^ set(expected))}')
    if engine.perft(1) != len(expected):
        problems.append('perft 1')
    told, ours = reference.status(board, eps, single), status(engine, found)
    if ours is not None and ours != told.split()[0]:
        problems.append(f'status {ours}, reference {told}')
    if expected and not single:
        first = rng.choice(expected).split(',')[0]
        engine.ask(f'position fen {fen} moves {first}')
        halves = engine.legal()
        if halves != sorted(turn.split(',')[1] for turn in expected if turn.startswith(first + ',')):
            problems.append(f'second halves after {first}: {halves}')
        if engine.perft(1) != len(halves):
            problems.append(f'perft 1 after {first}')
        again = engine.query('fen')
        engine.ask(f'position fen {again}')
        if engine.legal() != halves:
            problems.append(f'second halves of {again}')
    return problems


def taking(board, turn):
    return any(board.piece_at(reference.chess.parse_square(move[2:4])) for move in turn.split(','))


def main():
    wanted, seed = driver.count_and_seed()
    rng = random.Random(seed)
    engine = Engine('twomove', timeout=300)
    compared = bad = games = 0
    states, start = {}, time.time()
    while compared < wanted:
        games += 1
        fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1'
        for _ in range(LONGEST):
            said = engine.ask(f'position fen {fen}')
            if any('rror' in line for line in said):
                sys.exit(f'the engine refuses its own position: {said}')
            board = reference.parse(fen)[0]
            turns = engine.legal()
            if len(board.piece_map()) <= CROWDED or rng.random() < RARELY:
                problems = compare(engine, fen, rng)
                engine.ask(f'position fen {fen}')
                compared += 1
                kind = status(engine, turns)
                states[kind] = states.get(kind, 0) + 1
                bad += bool(problems)
                for problem in problems:
                    print(f'{fen}: {problem}', flush=True)
                if compared >= wanted:
                    break
            if not turns or engine.query('gameover') == 'true':
                break
            liked = [turn for turn in turns if taking(board, turn)]
            turn = rng.choice(liked if liked and rng.random() < 0.7 else turns)
            engine.ask(f'position fen {fen} moves {turn}')
            fen = engine.query('fen')
    print(f'two-move chess: {compared} positions of {games} games compared, {bad} with differences; '
          f'{dict(sorted(states.items(), key=str))}; {time.time() - start:.0f} s')
    engine.close()
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
