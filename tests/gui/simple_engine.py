#!/usr/bin/env python3
"""python-chess drives the program as a GUI would: play, analysis, pondering, MultiPV, infinite and stop, in chess with
its own Board and in the other games with a small subclass. Needs the package `chess` and a release build.
usage: simple_engine.py [VARIANT ...]      exit status 0 if everything held"""
import os, sys, time
import chess
import chess.engine

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'oracles'))
from driver import BINARY, Engine

START = {
    'superchess': 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0',
    'twomove': 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1',
    'dicechess': 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:5eed',
    'cubes4d': 'e10:2r1n1q1k1g1n2b/011p1p1p10/2110112/011P1P1P10/2R1N1Q1K1G1N2B b RBrb Gg - - 1 pre',
}


class Turn:
    """A turn is its token; the library asks for no more."""

    def __init__(self, token):
        self.token = token

    def uci(self):
        return self.token

    def __eq__(self, other):
        return isinstance(other, Turn) and self.token == other.token

    def __hash__(self):
        return hash(self.token)

    def __repr__(self):
        return self.token


def board_class(variant):
    """A Board whose moves are turn tokens: sides alternate token by token, and the engine knows the rules."""

    class TokenBoard(chess.Board):
        uci_variant = variant
        aliases = [variant]

        def __init__(self, fen=None):
            super().__init__()
            self.text = fen or START[variant]
            self.turn = self.text.split()[1] == 'w'

        def root(self):
            return type(self)(self.text)

        def fen(self, **_):
            return self.text

        def copy(self, *, stack=True):
            other = type(self)(self.text)
            other.turn = self.turn
            other.move_stack = list(self.move_stack) if stack else []
            return other

        def parse_uci(self, token):
            # The library writes bestmove in lower case; only the prologue has capitals.
            return Turn(token[0].upper() + token[1:] if variant == 'superchess' and token[1:2] == '@' else token)

        def push_uci(self, token):
            move = self.parse_uci(token)
            self.push(move)
            return move

        def push(self, move):
            self.move_stack.append(move)
            self.turn = not self.turn

        def pop(self):
            self.turn = not self.turn
            return self.move_stack.pop()

    return TokenBoard


def legal_tokens(judge, board):
    """The legal turns of a board, as a second process sees them."""
    root = board.root().fen()
    judge.ask(f'position fen {root}' + (' moves ' + ' '.join(m.uci() for m in board.move_stack) if board.move_stack else ''))
    return judge.legal()


def session(variant):
    judge = Engine(variant)
    engine = chess.engine.SimpleEngine.popen_uci(BINARY, timeout=30)
    make = chess.Board if variant == 'chess' else board_class(variant)
    board, played = make(), 0
    for number in range(12):
        legal = legal_tokens(judge, board)
        if not legal:
            break
        # Pondering: the library sends `go ponder` after the answer, and `stop` or `ponderhit` before the next.
        result = engine.play(board, chess.engine.Limit(nodes=600), ponder=number % 2 == 0, info=chess.engine.INFO_ALL)
        assert result.move is not None and result.move.uci() in legal, (variant, result.move, board.fen())
        assert 'score' in result.info and 'depth' in result.info, result.info
        board.push(result.move)
        played += 1
    assert played >= 6, f'{variant}: only {played} turns'

    board = make()
    for turn in ('E@h1', 'V@b8', 'A@f1', 'S@d8') if variant == 'superchess' else ('right',) if variant == 'cubes4d' else ():
        board.push_uci(turn)
    info = engine.analyse(board, chess.engine.Limit(depth=2))
    # The library drops every pv token that does not look like a chess move, so that Cubes 4D keeps no lines there.
    keeps_lines = variant != 'cubes4d'
    assert info['depth'] >= 1 and (info['pv'] or not keeps_lines), info
    lines = engine.analyse(board, chess.engine.Limit(nodes=4000), multipv=3)
    legal = legal_tokens(judge, board)
    assert len(lines) == 3, lines
    if keeps_lines:
        firsts = {line['pv'][0].uci() for line in lines}
        assert len(firsts) == 3 and firsts <= set(legal), lines

    with engine.analysis(board) as analysis:            # `go infinite`, then `stop`
        time.sleep(0.5)
        assert analysis.info, 'no line within half a second'
        began = time.monotonic()
        analysis.stop()
        best = analysis.wait()
        latency = time.monotonic() - began
    assert best.move is not None and best.move.uci() in legal, best
    assert latency < 0.5, f'stop took {latency:.3f} s'
    result = engine.play(board, chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1))
    assert result.move.uci() in legal, result
    engine.ping()
    engine.quit()
    judge.close()
    print(f'{variant}: {played} turns played, analysis, MultiPV, infinite and stop ({latency * 1000:.0f} ms) are fine', flush=True)


if __name__ == '__main__':
    for variant in sys.argv[1:] or ['chess', *START]:
        session(variant)
