#!/usr/bin/env python3
"""Cubes 4D against oracles/cubes4d.py: plays random games with the program, stops each somewhere, and compares there every legal move
and the position after it; of every tenth position also perft to depth 2.
usage: tests/oracles/cubes4d.py [POSITIONS] [SEED]     1000 by default"""
import random, sys
import driver
from driver import Engine
reference = driver.reference('cubes4d')


def comparable(fen):
    """The fields that the reference writes: it knows neither lone counts nor turn numbers."""
    return ' '.join(fen.split()[:5])


def walk(engine, rnd, plies):
    """A random game: captures are preferred now and then, so that endgames are met."""
    tokens = [rnd.choice(['left', 'right'])]
    engine.send(f'position startpos moves {tokens[0]}')
    for _ in range(plies):
        legal = engine.legal()
        if not legal:
            return None
        captures = []
        if rnd.random() < 0.3:
            pieces = reference.load(engine.query('fen'))['pc']
            captures = [t for t in legal if '@' not in t and reference.unsq(split(t)[1]) in pieces]
        tokens.append(rnd.choice(captures or legal))
        engine.send('position startpos moves ' + ' '.join(tokens))
    return engine.query('fen')


def split(token):
    """The two squares of a token."""
    end = 3 if token[2:3].isdigit() else 2
    to = token[end:].lstrip('@')
    return token[:end], to.rstrip('gq') if to[-1] in 'gq' else to


def main():
    count, seed = driver.count_and_seed()
    rnd = random.Random(seed)
    engine = Engine('cubes4d', [('Prologue', 'true')])
    compared = moves = deep = 0
    while compared < count:
        fen = walk(engine, rnd, rnd.randint(2, 120))
        if fen is None:
            continue
        state = reference.load(fen)
        expected = sorted((token, comparable(reference.fen(after))) for token, after in reference.moves(state))
        found = []
        engine.send(f'position fen {fen}')
        for token in engine.legal():
            engine.send(f'position fen {fen} moves {token}')
            found.append((token, comparable(engine.query('fen'))))
        if sorted(found) != expected:
            sys.exit(f'{fen}\nonly the program: {set(found) - set(expected)}\nonly the reference: {set(expected) - set(found)}')
        if compared % 10 == 0:
            engine.send(f'position fen {fen}')
            leaves, wanted = engine.perft(2), reference.perft(state, 2)
            if leaves != wanted:
                sys.exit(f'{fen}\nperft 2 is {leaves}, the reference says {wanted}')
            deep += 1
        compared += 1
        moves += len(found)
    engine.close()
    print(f'{compared} positions, {moves} moves with the positions after them, {deep} perfts: all agree')


main()
