#!/usr/bin/env python3
"""Fixed-seed games of the engine against itself in every variant, some of them replayed by the slow references.
usage: selfplay.py [--games 50] [--nodes 2000] [--replay 10] [--seed 1] [VARIANT ...]

Every game opens with a few random turns drawn from the seed. A game must end by the rules; every turn of a replayed
game must be legal for the reference, and the reference must see the same end. Needs the packages `chess` and
`pyffish`. Exit status 1 if anything disagrees."""
import argparse, collections, random, sys, time
from driver import Engine

VARIANTS = ('chess', 'superchess', 'twomove', 'dicechess', 'cubes4d')
OPENING = {'chess': 4, 'superchess': 6, 'twomove': 2, 'dicechess': 2, 'cubes4d': 4}
MAX_TURNS = 1200


class Disagreement(Exception):
    pass


def play(engine, variant, seed, nodes):
    """One game: the record is a list of (FEN before, roll or None, token), the final FEN and the result."""
    rnd = random.Random(f'{variant} {seed}')
    engine.send('ucinewgame')
    base = 'startpos'
    if variant == 'dicechess':
        engine.ask('position startpos')
        fen = engine.query('fen').split()
        base = 'fen ' + ' '.join(fen[:6]) + f' - seed:{rnd.getrandbits(63):x}'
    tokens, record = [], []
    for number in range(MAX_TURNS):
        said = engine.ask(f'position {base}' + (' moves ' + ' '.join(tokens) if tokens else ''))
        if any('rror' in line for line in said):
            raise Disagreement(f'the engine refuses its own game: {said}')
        fen = engine.query('fen')
        if engine.query('gameover') == 'true':
            return record, fen, engine.query('result')
        roll = engine.query('roll') if variant == 'dicechess' else None
        if number < OPENING[variant]:
            token = rnd.choice(engine.legal())
        else:
            _, token = engine.go(f'nodes {nodes}')
            if token == '(none)':
                raise Disagreement(f'no turn in {fen}, though the game is not over')
        record.append((fen, roll, token))
        tokens.append(token)
    raise Disagreement(f'no end after {MAX_TURNS} turns')


def expect(condition, message):
    if not condition:
        raise Disagreement(message)


def winner(result):
    return {'p1win': 'w', 'p2win': 'b', 'draw': None}[result]


def replay_chess(record, final, result):
    import chess
    board = chess.Board()
    for _, _, token in record:
        move = chess.Move.from_uci(token)
        expect(move in board.legal_moves, f'{token} in {board.fen()}')
        board.push(move)
    expect(board.fen(en_passant='fen').split()[0] == final.split()[0], f'boards differ at the end: {final}')
    end = board.outcome(claim_draw=True)
    expect(end is not None, f'not over: {final}')
    expect({True: 'w', False: 'b', None: None}[end.winner] == winner(result), f'result {result}: {final}')


def replay_superchess(record, final, result):
    import superchess as sc
    sf, variant = sc.sf, sc.V
    start = next(i for i, (fen, _, _) in enumerate(record) if not fen.split()[-1].startswith('p'))
    expect(start == 4, 'the prologue has four turns')
    bare = lambda fen: fen.split('[')[0].replace('~', '') + fen.split(']')[1] if '[' in fen else fen
    fen = bare(record[start][0])
    promoted, used, seen = set(), ({}, {}), collections.Counter()
    for engine_fen, _, token in record[start:]:
        expect(bare(engine_fen).split()[0] == fen.split()[0].split('[')[0].replace('~', ''), f'{engine_fen} against {fen}')
        moves, pieces = sc.legal(fen, used, True)
        expect(token in moves, f'{token} in {engine_fen}')
        seen[' '.join(fen.split()[:4]), frozenset(promoted)] += 1
        source, target = token[:2], token[2:4]
        if target in promoted and target in pieces:
            black = pieces[target].islower()
            used[black][pieces[target].lower()] = used[black].get(pieces[target].lower(), 0) + 1
        promoted.discard(target)
        if source in promoted:
            promoted.discard(source)
            promoted.add(target)
        if len(token) == 5:
            promoted.add(target)
        fen = sf.get_fen(variant, fen, [token])
    seen[' '.join(fen.split()[:4]), frozenset(promoted)] += 1
    moves, pieces = sc.legal(fen, used, True)
    if not moves:
        mated = sf.gives_check(variant, fen, [])
        expect(winner(result) == (('b' if fen.split()[1] == 'w' else 'w') if mated else None), f'result {result}: {final}')
        return
    dead = sum(c.lower() != 'k' for c in pieces.values()) <= 1 and all(c.lower() in 'kbn' for c in pieces.values())
    dead = dead or all(c.lower() in 'kb' for c in pieces.values()) \
        and len({(ord(s[0]) + ord(s[1])) % 2 for s, c in pieces.items() if c.lower() == 'b'}) <= 1
    drawn = dead or int(fen.split()[-2]) >= 100 or max(seen.values()) >= 3
    expect(drawn and result == 'draw', f'result {result}: {final}')


def replay_twomove(record, final, result):
    import chess, twomove as tm
    board, targets, _ = tm.parse(chess.STARTING_FEN)
    seen, quiet = collections.Counter(), 0
    for number, (fen, _, token) in enumerate(record):
        moves, created, before, first_ep = token.split(','), [], board.board_fen(), False
        expect(len(moves) == (1 if number == 0 else 2), f'{token} in {fen}')
        quiet += number > 0
        for half, text in enumerate(moves):
            allowed = list(tm.firsts(board, targets) if half == 0 else tm.seconds(board, targets, first_ep))
            move = chess.Move.from_uci(text)
            ways = [ep for m, ep in allowed if m == move and not tm.captures_king(board, m)]
            expect(ways, f'{token} in {fen}')
            first_ep = ways[0]
            if first_ep or board.piece_type_at(move.to_square) or board.piece_type_at(move.from_square) == chess.PAWN:
                quiet = 0
            board, double = tm.play(board, move, first_ep)
            created += [double] if double is not None else []
        expect(board.board_fen() != before, f'{token} changes nothing in {fen}')
        board, targets = tm.finish(board, created)
        expect(tm.safe(board, targets), f'{token} leaves the king in {fen}')
        live = frozenset(t for t in targets if any(m.to_square == t for m in tm.ep_moves(board, targets)))
        seen[tm.fen4(board, live)] += 1
    expect(board.board_fen() == final.split()[0], f'boards differ at the end: {final}')
    status = tm.status(board, targets)
    if status == 'mate':
        expect(winner(result) == ('b' if board.turn else 'w'), f'result {result}: {final}')
    else:
        pieces = sorted(p.symbol().lower() for p in board.piece_map().values())
        drawn = status.startswith('stalemate') or max(seen.values()) >= 3 or quiet >= 100 or pieces in (['k', 'k'], ['b', 'k', 'k'])
        expect(drawn and result == 'draw', f'result {result}, {status}: {final}')


def replay_dicechess(record, final, result):
    import chess, dicechess as dc
    board, targets, _ = dc.parse(chess.STARTING_FEN)
    taken, quiet = False, 0
    for fen, roll, token in record:
        expect(not taken, f'the king was gone before {token}')
        path = () if token == '0000' else tuple(token.split(','))
        found = [(k, b, e) for p, k, b, e in dc.legal_turns(board, targets, dc.parse_roll(roll))
                 if tuple(m.uci() for m in p) == path]
        expect(found, f'{token} with {roll} in {fen}')
        pieces = len(board.piece_map())
        pawn = any(board.piece_type_at(chess.parse_square(m[:2])) == chess.PAWN for m in path)
        taken, after, targets = found[0]
        quiet = 0 if pawn or len(after.piece_map()) < pieces else quiet + 1
        board = after
    expect(board.board_fen() == final.split()[0], f'boards differ at the end: {final}')
    expect(winner(result) == (('b' if board.turn else 'w') if taken else None), f'result {result}: {final}')
    expect(taken or quiet >= 100, f'not over: {final}')


def replay_cubes4d(record, final, result):
    import cubes4d as cu
    side = record[0][2]
    state = cu.load('startpos-left' if side == 'left' else 'startpos')
    seen, quiet = collections.Counter(), 0
    key = lambda s, fen: ' '.join(cu.fen(s).split()[:5] + [fen.split()[5]])
    for fen, _, token in record[1:]:
        seen[key(state, fen)] += 1
        ways = [n for t, n in cu.moves(state) if t == token]
        expect(ways, f'{token} in {fen}')
        quiet = quiet + 1 if len(ways[0]['pc']) == len(state['pc']) else 0
        state = ways[0]
    seen[key(state, final)] += 1
    expect(cu.fen(state).split()[:5] == final.split()[:5], f'{cu.fen(state)} against {final}')
    if not cu.moves(state):
        mated = cu.incheck(state, state['stm'])
        expect(winner(result) == ('bw'[state['stm']] if mated else None), f'result {result}: {final}')
        return
    last = [token for _, _, token in record[-6:]]
    remade = len(last) == 6 and last[0] == last[4] and last[1] == last[5]
    drawn = max(seen.values()) >= 3 or quiet >= 200 or '10' in final.split()[5] or remade
    expect(drawn and result == 'draw', f'result {result}: {final}')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (('games', 50), ('nodes', 2000), ('replay', 10), ('seed', 1)):
        arguments.add_argument(f'--{name}', type=int, default=default)
    arguments.add_argument('variants', nargs='*', metavar='VARIANT', default=VARIANTS)
    chosen = arguments.parse_args()
    bad = 0
    for variant in chosen.variants:
        engine, began = Engine(variant), time.time()
        results, turns, replayed = collections.Counter(), 0, 0
        for number in range(chosen.games):
            try:
                record, final, result = play(engine, variant, chosen.seed * 1000 + number, chosen.nodes)
                results[result] += 1
                turns += len(record)
                if number < chosen.replay:
                    globals()[f'replay_{variant}'](record, final, result)
                    replayed += 1
            except Disagreement as problem:
                bad += 1
                print(f'{variant} game {number}: {problem}', flush=True)
        engine.close()
        print(f'{variant}: {chosen.games} games, {turns} turns, {dict(results)}, {replayed} replayed, '
              f'{time.time() - began:.0f} s', flush=True)
    print(f'{bad} disagreements')
    sys.exit(1 if bad else 0)


if __name__ == '__main__':
    main()
