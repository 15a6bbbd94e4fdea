#!/usr/bin/env python3
"""A second referee, by the package `chess`: it asks its players in the manner of fastchess (`isready` before and after every turn, options
after the first `ucinewgame`), reads every principal variation to its end, and knows the rules from elsewhere. The same openings are then played
by `fauve match`: turns and results are to be equal, since players that count nodes repeat themselves.
usage: tests/gui/referee.py [OPENINGS] [NODES] [SEED]   20 openings, both sides of each, 2,000 nodes a turn by default"""
import os, random, subprocess, sys, tempfile
import chess, chess.pgn
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'oracles'))
from driver import BINARY, Engine
HASH = 8                            # megabytes
RANDOM_PLIES = 8                    # before a game begins


def opening(rng):
    """A position after random half-moves."""
    board = chess.Board()
    for _ in range(RANDOM_PLIES):
        board.push(rng.choice(list(board.legal_moves)))
    return board if any(board.legal_moves) else opening(rng)


def is_over(board):
    """The end of a game by the rules that a referee applies unasked."""
    return board.outcome(claim_draw=False) or board.is_repetition(3) or board.is_fifty_moves()


def faults_of_lines(board, lines):
    """Principal variations that contain an illegal move or go on when the game is over."""
    for line in lines:
        words = line.split()
        if 'pv' not in words:
            continue
        after = board.copy()
        for word in words[words.index('pv') + 1:]:
            if is_over(after) or chess.Move.from_uci(word) not in after.legal_moves:
                yield f'{word} in "{line}" at {board.fen()}'
                break
            after.push_uci(word)


def new_game(engine):
    engine.send('ucinewgame')
    engine.ready()
    engine.send(f'setoption name Hash value {HASH}')
    engine.send('ucinewgame')
    engine.ready()


def play(players, start, nodes, faults):
    """A game between (White, Black): its moves and its result."""
    for engine in players:
        new_game(engine)
    board = start.copy(stack=False)
    root = board.fen()
    while not is_over(board):
        engine = players[0 if board.turn else 1]
        engine.ready()
        moves = ' '.join(move.uci() for move in board.move_stack)
        engine.send(f'position fen {root}' + (f' moves {moves}' if moves else ''))
        engine.ready()
        lines, best = engine.go(f'nodes {nodes}')
        engine.ready()
        faults.extend(faults_of_lines(board, lines))
        scored = [line for line in lines if ' score ' in line]
        if not scored:
            faults.append(f'no score at {board.fen()}')
        move = chess.Move.from_uci(best)
        if move not in board.legal_moves:
            raise SystemExit(f'illegal move {best} at {board.fen()}')
        board.push(move)
    outcome = board.outcome(claim_draw=False)
    return [move.uci() for move in board.move_stack], outcome.result() if outcome and outcome.winner is not None else '1/2-1/2'


def by_match(starts, nodes, folder):
    """The same games by `fauve match`: {(opening, whether the first player has White): (moves, result)}."""
    book, pgn = os.path.join(folder, 'openings.epd'), os.path.join(folder, 'games.pgn')
    with open(book, 'w') as file:
        file.writelines(f'{start.fen()}\n' for start in starts)
    words = ['match', '--quiet', '--openings', book, '--nodes', str(nodes), '--pgn', pgn,
             '--rounds', str(len(starts)), '--concurrency', '1']
    for name in ('first', 'second'):
        words += ['--engine', f'cmd={BINARY}', f'name={name}', f'option.Hash={HASH}']
    subprocess.run([BINARY, *words], check=True, stdout=subprocess.DEVNULL)
    games = {}
    with open(pgn) as file:
        while game := chess.pgn.read_game(file):
            key = game.board().fen(), game.headers['White'] == 'first'
            games[key] = [move.uci() for move in game.mainline_moves()], game.headers['Result']
    return games


def main():
    count, nodes, seed = (int(word) for word in (sys.argv[1:] + ['20', '2000', '1'][len(sys.argv) - 1:]))
    rng = random.Random(seed)
    starts = [opening(rng) for _ in range(count)]
    faults, results, differ = [], {}, 0
    with tempfile.TemporaryDirectory() as folder:
        games = by_match(starts, nodes, folder)
    first, second = Engine('chess'), Engine('chess')
    for start in starts:
        for is_white in (True, False):
            moves, result = play((first, second) if is_white else (second, first), start, nodes, faults)
            results[result] = results.get(result, 0) + 1
            if games.get((start.fen(), is_white)) != (moves, result):
                differ += 1
                print(f'differs from {start.fen()}: {result} {moves} and {games.get((start.fen(), is_white))}')
    for fault in faults:
        print(fault)
    same = 2 * count - differ
    print(f'{same} of {2 * count} games are equal ({results}), {len(faults)} faults in lines, seed {seed}')
    sys.exit(1 if differ or faults or len(games) != 2 * count else 0)


if __name__ == '__main__':
    main()
