#!/usr/bin/env python3
"""The endgame tables of two-move chess against oracles/twomove.py (package `chess`): of random positions of each kind the values must
follow from those of the positions after all turns, which the reference makes; mates and stalemates are the reference's.
usage: tests/oracles/twomove_endgames.py [POSITIONS] [SEED] [PIECES...]     300 of each kind unless told; PIECES as in `N` or `NB`
needs `cargo build --release -p fauve-tools --bin twomove_endgames` (FAUVE_ENDGAMES says where it is)"""
import os, random, subprocess, sys, time
import driver
from driver import ROOT
reference = driver.reference('twomove')
chess = reference.chess
PROGRAM = os.environ.get('FAUVE_ENDGAMES', os.path.join(ROOT, 'target', 'release', 'twomove_endgames'))
KINDS = ['N', 'R', 'Q', 'P', 'NN', 'NB', 'NR', 'NQ', 'BB', 'BR', 'BQ', 'RR', 'RQ', 'QQ', 'PN', 'PB', 'PR', 'PQ', 'PP']


def values(fens):
    """What the tables say of positions: (wins 1, draws 0 or losses -1, turns to the mate)."""
    said = subprocess.run([PROGRAM], input='\n'.join(fens) + '\n', capture_output=True, text=True, check=True)
    found = []
    for line in said.stdout.splitlines():
        word, *turns = line.split()
        value = ({'win': 1, 'loss': -1}.get(word, 0), int(turns[0]) if turns else 0)
        assert word != 'illegal', line
        found.append(value if word != 'unknown' else None)
    assert len(found) == len(fens)
    return found


def random_position(pieces, rng):
    """A position with a king and the first piece for one side, a king and the second, if there is one, for the other."""
    board = chess.Board(None)
    owner = rng.random() < 0.5
    pieces = [('K', True), ('K', False), (pieces[0], owner)] + [(piece, not owner) for piece in pieces[1:]]
    squares = rng.sample(range(64), len(pieces))
    for square, (letter, color) in zip(squares, pieces):
        if letter == 'P' and square // 8 in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece.from_symbol(letter if color else letter.lower()))
    board.turn = rng.random() < 0.5
    reference._memo.clear()
    return None if reference.king_capturable(board, board.turn, frozenset()) else board


def best(after):
    """The value of a position from those after its turns."""
    rank = lambda value: (-value[0], value[1] if value[0] == 1 else -value[1])
    outcome, turns = max(after, key=rank)
    return (-outcome, turns + 1) if outcome else (0, 0)


def follows(board, eps):
    """What the tables say of a position and what follows from the positions after its turns, as the reference makes them."""
    ends = {reference.fen4(after, eps) + ' 0 1 2': (after, eps) for _, after, eps in reference.legal_turns(board, eps)}
    ours, *after = values([f'{reference.fen4(board, eps)} 0 1 2', *ends])
    if not ends:
        return ours, (-1, 0) if reference.status(board, eps) == 'mate' else (0, 0)
    # The tables leave out positions in which a pawn can be taken in passing, and those that are drawn by rule.
    for number, (end, eps_after) in enumerate(ends.values()):
        if after[number] is None:
            after[number] = follows(end, eps_after)[1] if eps_after else (0, 0)
    return ours, best(after)


def main():
    wanted, seed = driver.count_and_seed(300)
    faults = 0
    for pieces in sys.argv[3:] or KINDS:
        rng, begin = random.Random(f'{seed}{pieces}'), time.time()
        kinds = {1: 0, 0: 0, -1: 0}
        tried = positions = 0
        while positions < wanted and tried < 10_000 * wanted:
            tried += 1
            board = random_position(pieces, rng)
            if board is None:
                continue
            positions += 1
            ours, expected = follows(board, frozenset())
            if ours is None:
                sys.exit(f'the tables do not know {reference.fen4(board, frozenset())}')
            kinds[ours[0]] += 1
            if ours != expected:
                faults += 1
                print(f'{reference.fen4(board, frozenset())}: {ours}, reference {expected}')
        print(f'K{pieces}: {positions} positions, {kinds[1]} won, {kinds[-1]} lost, {kinds[0]} drawn; {time.time() - begin:.0f} s', flush=True)
    print(f'{faults} differences')
    sys.exit(faults > 0)


main()
