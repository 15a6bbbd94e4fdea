#!/usr/bin/env python3
"""Superchess against oracles/superchess.py (package `pyffish`): random games from random prologues in both pools, and at
sampled positions the position string and the legal moves, at some of them perft 2.
usage: tests/oracles/superchess.py [POSITIONS] [SEED]     this many positions per pool, 1000 by default"""
import random, sys
import driver
from driver import Engine
reference = driver.reference('superchess')
sf, VARIANT = reference.sf, reference.V
LONGEST = 240                       # half-moves of a game after the prologue
EVERY = 11                          # of its positions one in this many is compared
DEEPER = 5                          # and of these one in this many by perft 2, which costs the reference a quarter second


class Play:
    """A game as the reference sees it: its FEN, the promoted pieces, and those of them that were taken."""

    def __init__(self, fen, literal):
        self.fen, self.literal, self.promoted, self.used = fen, literal, frozenset(), ({}, {})

    def legal(self):
        return reference.legal(self.fen, self.used, self.literal)[0]

    def play(self, move):
        pieces, start, end = reference.board(self.fen), move[:2], move[2:4]
        promoted, used = set(self.promoted), [dict(self.used[0]), dict(self.used[1])]
        if end in promoted:
            taken = pieces[end]
            of = used[taken.islower()]
            of[taken.lower()] = of.get(taken.lower(), 0) + 1
            promoted.discard(end)
        if start in promoted:
            promoted.discard(start)
            promoted.add(end)
        if len(move) == 5:
            promoted.add(end)
        self.fen = sf.get_fen(VARIANT, self.fen, [move])
        self.promoted, self.used = frozenset(promoted), tuple(used)

    def pool(self):
        """The brackets: the set less what is on the board and what is used up."""
        pieces, text = list(reference.board(self.fen).values()), ''
        for black in (False, True):
            for kind in 'nbrqesv':
                on = sum(piece.lower() == kind and piece.islower() == black for piece in pieces)
                used = self.used[black].get(kind, 0) if self.literal else 0
                letter = kind if black else kind.upper()
                text += letter * (reference.SET[kind] - on - used)
        return text

    def text(self):
        """Our position string, with `-` for the e.p. field, which the legal moves show anyway."""
        words = self.fen.split()
        ranks = []
        for y, row in zip('87654321', words[0].split('[')[0].split('/')):
            x, rank = 0, ''
            for letter in row:
                rank += letter
                if letter.isdigit():
                    x += int(letter)
                else:
                    rank += '~' if self.literal and 'abcdefgh'[x] + y in self.promoted else ''
                    x += 1
            ranks.append(rank)
        return f"{'/'.join(ranks)}[{self.pool()}] {words[1]} {words[2]} - {words[4]} {words[5]}"


def choose(play, moves, rng):
    """A random move, with a liking for what changes the pool: promotions, captures, pawn moves."""
    pieces = reference.board(play.fen)
    liked = [m for m in moves if len(m) == 5] or [m for m in moves if m[2:4] in play.promoted]
    if not liked or rng.random() < 0.3:
        liked = [m for m in moves if pieces[m[:2]].lower() == 'p' or m[2:4] in pieces and rng.random() < 0.3]
    return rng.choice(liked if liked and rng.random() < 0.6 else moves)


def compare(engine, play, told, deeper):
    problems = []
    ours = engine.query('fen').split()
    ours[3] = '-'
    if ' '.join(ours) != play.text():
        problems.append(f"position {' '.join(ours)}, reference {play.text()}")
    moves = sorted(play.legal())
    legal = engine.legal()
    if legal != moves:
        problems.append(f'only ours {set(legal) - set(moves)}, only the reference {set(moves) - set(legal)}')
    if moves and deeper:
        ours, count = engine.perft(2), reference.perft(play.fen, 2, play.literal, play.promoted, play.used)
        if ours != count:
            problems.append(f'perft 2 {ours}, reference {count}')
    for problem in problems:
        print(f'DIFFERS after {told}: {problem}')
    return not problems


def game(engine, literal, rng, left, totals):
    """Plays a game, compares up to `left` of its positions, and returns how many that were."""
    told, compared = 'position startpos moves', 0
    engine.send('position startpos')
    for _ in range(4):
        told += ' ' + rng.choice(engine.legal())
        engine.send(told)
    play = Play(engine.query('fen').split('[')[0] + ' ' + engine.query('fen').split('] ')[1], literal)
    for ply in range(LONGEST):
        if ply % EVERY == 0:
            compared += 1
            totals['wrong'] += not compare(engine, play, told, compared % DEEPER == 0)
            totals['used up'] += any(play.used[0].values()) or any(play.used[1].values())
            totals['with promoted pieces'] += bool(play.promoted)
        moves = play.legal()
        totals['promotions offered'] += any(len(m) == 5 for m in moves)
        if not moves or compared == left:
            break
        move = choose(play, moves, rng)
        play.play(move)
        told += ' ' + move
        engine.send(told)
    return compared


def main():
    positions, seed = driver.count_and_seed()
    wrong = 0
    for pool in ('literal', 'physical'):
        rng, engine = random.Random(f'{seed} {pool}'), Engine('superchess', [('Promotion Pool', pool)])
        compared, games = 0, 0
        totals = {'wrong': 0, 'with promoted pieces': 0, 'used up': 0, 'promotions offered': 0}
        while compared < positions:
            compared += game(engine, pool == 'literal', rng, positions - compared, totals)
            games += 1
        engine.close()
        wrong += totals['wrong']
        print(f'superchess, {pool} pool: {compared} positions of {games} games, '
              + ', '.join(f'{count} {what}' for what, count in totals.items()))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
