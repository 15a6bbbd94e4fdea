"""Drives the built program over its line protocol, for the comparisons in this folder."""
import importlib.util, os, queue, subprocess, sys, threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ORACLES = os.environ.get('FAUVE_ORACLES', os.path.join(ROOT, '..', 'shared', 'oracles'))
BINARY = os.environ.get('FAUVE', os.path.join(ROOT, 'target', 'release', 'fauve'))
sys.path.insert(0, ORACLES)


def reference(name):
    """The slow reference of this name; by its path, because the comparison that asks for it has the same name."""
    spec = importlib.util.spec_from_file_location('reference', os.path.join(ORACLES, name + '.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def count_and_seed(count=1000):
    """The first two words of the command line, [POSITIONS] [SEED], or else `count` and 1."""
    words = sys.argv[1:3]
    return [int(word) for word in words + [count, 1][len(words):]]


class Engine:
    """One running `fauve`; every wait has a time limit, so that a hang is an error and not a pause."""

    def __init__(self, variant, options=(), timeout=60):
        if not os.path.exists(BINARY):
            sys.exit(f'{BINARY} is missing: run `cargo build --release` first')
        self.timeout = timeout
        self.process = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send('uci')
        self.until('uciok')
        self.send(f'setoption name UCI_Variant value {variant}')
        for name, value in options:
            self.send(f'setoption name {name} value {value}')
        self.ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip('\n'))
        self.lines.put(None)

    def send(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def line(self):
        line = self.lines.get(timeout=self.timeout)
        if line is None:
            raise RuntimeError(f'the engine has gone, exit status {self.process.wait()}')
        return line

    def until(self, start):
        """All lines up to the first that begins with `start`, that one included."""
        seen = []
        while True:
            seen.append(self.line())
            if seen[-1].startswith(start):
                return seen

    def ready(self):
        """Waits until everything sent is done; returns what was said meanwhile."""
        self.send('isready')
        return self.until('readyok')[:-1]

    def ask(self, line):
        """Sends a line and returns all that is said before the next `readyok`."""
        self.send(line)
        return self.ready()

    def query(self, what):
        """The answer to a `query`."""
        self.send(f'query {what}')
        return self.until('response')[-1][len('response'):].strip()

    def legal(self):
        """The legal turn tokens of the current position."""
        return sorted(self.query('legal').split())

    def perft(self, depth):
        self.send(f'go perft {depth}')
        return int(self.until('Nodes searched')[-1].split(':')[1])

    def go(self, limits):
        """The search's report lines and its bestmove."""
        self.send(f'go {limits}')
        seen = self.until('bestmove')
        return seen[:-1], seen[-1].split()[1]

    def close(self):
        self.send('quit')
        return self.process.wait(timeout=5)
