#!/usr/bin/env python3
"""How fast the program obeys `stop` and its time limits, seen from outside, in each game in turn: on an idle machine 99 % of
the answers are to come within 10 ms of `stop` with two threads, and within 5 ms of `stop` or of the end of `movetime` with one.
usage: tests/gui/clock.py [STOPS] [SEED]     STOPS per measurement, 200 unless told; exit status 1 if a bound is missed"""
import os, random, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'oracles'))
from driver import Engine
VARIANTS = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d']
TURNS = 12                          # random turns, at most, before a search


def somewhere(engine, variant, rng):
    """Sets up a position reached by random turns, with a roll in DiceChess, where a search takes long; returns what `go` needs."""
    while True:
        engine.send('position startpos')
        for _ in range(rng.randrange(TURNS)):
            if variant == 'dicechess':
                engine.ask('roll')
            turns = engine.legal()
            if not turns or engine.query('gameover') == 'true':
                break
            engine.ask(f'play {rng.choice(turns)}')
        if engine.query('gameover') == 'true':
            continue
        roll = engine.ask('roll')[-1].split()[-1] if variant == 'dicechess' else None
        if engine.query('gameover') == 'false' and len(engine.legal()) > 1:
            return f'dice {roll} ' if roll else ''


def stop(engine, extra, wait):
    """Milliseconds from `stop` to `bestmove`."""
    engine.send(f'go {extra}infinite')
    time.sleep(wait)
    start = time.perf_counter()
    engine.send('stop')
    engine.until('bestmove')
    return (time.perf_counter() - start) * 1000


def limit(engine, extra, milliseconds):
    """Milliseconds by which `go movetime` was overstepped, negative when it answered earlier."""
    start = time.perf_counter()
    engine.send(f'go {extra}movetime {milliseconds}')
    engine.until('bestmove')
    return (time.perf_counter() - start) * 1000 - milliseconds


def report(name, values, bound):
    values.sort()
    hundredth = values[max(0, (99 * len(values) + 99) // 100 - 1)]
    good = hundredth <= bound
    print(f'{name:34} median {values[len(values) // 2]:7.2f}  99 % {hundredth:7.2f}  worst {values[-1]:7.2f} ms'
          f'  {"ok" if good else "MISSED"} ({bound} ms)', flush=True)
    return good


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    good = True
    for variant in VARIANTS:
        for threads, bound in [(2, 10), (1, 5)]:
            engine = Engine(variant, [('Threads', threads)])
            waits = [stop(engine, somewhere(engine, variant, rng), rng.uniform(0.001, 0.2)) for _ in range(count)]
            good &= report(f'{variant}, stop, {threads} threads', waits, bound)
            if threads == 1:
                over = [limit(engine, somewhere(engine, variant, rng), rng.choice([20, 50, 100])) for _ in range(count // 2)]
                good &= report(f'{variant}, movetime', over, bound)
            engine.close()
    return not good


if __name__ == '__main__':
    sys.exit(main())
