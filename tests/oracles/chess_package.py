#!/usr/bin/env python3
"""Chess against the package `chess`: random games, and at sampled positions the position string, the legal moves, their number
by perft, at some of them perft 3, and whether and how the game is over; some games are Chess960 and double Chess960.
usage: tests/oracles/chess_package.py [POSITIONS] [SEED]   1000 by default"""
import random, sys, time
import chess
import driver
from driver import Engine
LONGEST = 300                       # half-moves of a game
EVERY = 7                           # of its positions one in this many is compared
DEEPER = 4                          # and of these one in this many by perft 3
ENDGAME = 0.3                       # this many games begin with a few pieces, where the ends of games are met
CHESS960 = 0.3                      # this many are Chess960, half of them with another first rank for Black


def sparse(rng):
    """A random legal position of few pieces, without castling."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), rng.randint(3, 7))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for square in squares[2:]:
            kind = rng.choice([chess.PAWN, chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
            board.set_piece_at(square, chess.Piece(kind, rng.choice([chess.WHITE, chess.BLACK])))
        board.turn = rng.choice([chess.WHITE, chess.BLACK])
        board.halfmove_clock = rng.choice([0, 0, 90])
        if board.is_valid():
            return board


def chess960(rng):
    """A start position of Chess960 or double Chess960, or one of these without the pieces between kings and rooks."""
    board = chess.Board.from_chess960_pos(rng.randrange(960))
    if rng.random() < 0.5:
        other = chess.Board.from_chess960_pos(rng.randrange(960))
        for file in range(8):
            piece = other.piece_at(chess.square(file, 7))
            board.set_piece_at(chess.square(file, 7), piece)
        board.castling_rights = board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)
    if rng.random() < 0.5:
        for square in chess.SquareSet(chess.BB_RANK_1 | chess.BB_RANK_8):
            if board.piece_type_at(square) not in (chess.KING, chess.ROOK):
                board.remove_piece_at(square)
    return board


def perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


def outcome(board):
    """The result by mate, stalemate, dead material, 50 moves or the third repetition, as the protocol words it."""
    if board.is_checkmate():
        return 'p2win' if board.turn == chess.WHITE else 'p1win'
    over = (board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3))
    return 'draw' if over else 'none'


def compare(engine, board, rng):
    problems = []
    # The standard names the e.p. square after every double step, many programs only where a pawn can take there: both are right.
    fen = engine.query('fen')
    text = board.shredder_fen if board.chess960 else board.fen
    if fen not in (text(en_passant='fen'), text(en_passant='legal')):
        problems.append(f'position {fen}')
    expected = sorted(move.uci() for move in board.legal_moves)
    told, found = engine.query('result'), engine.legal()
    if told != outcome(board):
        problems.append(f'result {told}, reference {outcome(board)}')
    if found != expected:
        problems.append(f'moves {sorted(set(found) ^ set(expected))}')
    if told == 'none':
        depth = 3 if rng.randrange(DEEPER) == 0 else 1
        counted = engine.perft(depth)
        if counted != perft(board, depth):
            problems.append(f'perft {depth}: {counted}')
    return problems


def main():
    wanted, seed = driver.count_and_seed()
    rng = random.Random(seed)
    engine = Engine('chess')
    compared = bad = games = 0
    ends, start = {}, time.time()
    while compared < wanted:
        games += 1
        kind = rng.random()
        board = sparse(rng) if kind < ENDGAME else chess960(rng) if kind < ENDGAME + CHESS960 else chess.Board()
        engine.send(f'setoption name UCI_Chess960 value {str(board.chess960).lower()}')
        begin, moves = board.shredder_fen() if board.chess960 else board.fen(), []
        for _ in range(LONGEST):
            over = outcome(board) != 'none'
            if over or rng.randrange(EVERY) == 0:
                engine.send(f'position fen {begin} moves {" ".join(moves)}')
                problems = compare(engine, board, rng)
                compared += 1
                bad += bool(problems)
                for problem in problems:
                    print(f'{begin} moves {" ".join(moves)}: {problem}', flush=True)
            if over:
                end = 'mate' if board.is_checkmate() else 'stalemate' if board.is_stalemate() else 'other draw'
                ends[end] = ends.get(end, 0) + 1
                break
            move = rng.choice(list(board.legal_moves))
            moves.append(move.uci())
            board.push(move)
    print(f'chess: {compared} positions of {games} games compared, {bad} with differences; ends {dict(sorted(ends.items()))}; '
          f'{time.time() - start:.0f} s')
    engine.close()
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
