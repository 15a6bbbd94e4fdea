#!/usr/bin/env python3
"""Uses a program that was built for another machine: run.py [--windows] COMMAND...

COMMAND starts it, such as `qemu-aarch64 target/cross/aarch64-unknown-linux-gnu/debug/fauve`, or with --windows
`wine target/cross/x86_64-pc-windows-gnu/debug/fauve.exe`, or is the program of this machine. The rows of the protocol, lines that no sane GUI sends, matches with their
records, PGN of other systems; for Windows also its paths and its players, of which nothing may survive.
"""
import os
import pathlib
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# How long anything may take on a simulated machine before it counts as hanging, in seconds.
PATIENCE = 120
# How long a program must be silent to count as having nothing more to say.
SILENCE = 0.5

arguments = sys.argv[1:]
WINDOWS = arguments[:1] == ["--windows"]
COMMAND = arguments[WINDOWS:]
# How the program is a player of its own matches. What qemu simulates starts programs of this machine only, so that it starts qemu.
PLAYER = [f"cmd={COMMAND[0]}", f"args='{os.path.abspath(COMMAND[1])}'"] if COMMAND[0].startswith("qemu") else ["cmd=self"]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="fauve targets é "))


class Program:
    """A running program, as a GUI has it."""

    def __init__(self, *words, **more):
        self.process = subprocess.Popen([*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, **more)
        self.lines = queue.Queue()
        self.story = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self.lines.put(None)

    def send(self, text):
        self.story.append("> " + text)
        self.send_bytes(text.encode() + b"\n")

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, patience=PATIENCE):
        """The next line; None when the time is up."""
        try:
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            return None
        if line is None:
            raise AssertionError("it has ended\n" + "\n".join(self.story[-40:]))
        self.story.append("< " + line)
        return line

    def until(self, pattern):
        end = time.monotonic() + PATIENCE
        while (line := self.line(max(0, end - time.monotonic()))) is not None:
            if fits(line, pattern):
                return line
        raise AssertionError(f"no {pattern}\n" + "\n".join(self.story[-40:]))

    def end(self):
        if self.process.stdin:
            self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def fits(line, pattern):
    """Whether a line fits a pattern in which `*` stands for any text."""
    first, *pieces = pattern.split("*")
    if not pieces:
        return line == pattern
    if not line.startswith(first):
        return False
    line = line[len(first):]
    for piece in pieces[:-1]:
        at = line.find(piece)
        if at < 0:
            return False
        line = line[at + len(piece):]
    return line.endswith(pieces[-1])


def run(*words, status=0, **more):
    """What the program says, both streams together."""
    done = subprocess.run([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10 * PATIENCE, check=False, **more)
    said = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    assert status is None or done.returncode == status, f"{words}: status {done.returncode}\n{said}"
    return said


def path(name):
    """A file of the test as the program sees it: on Windows with a drive and backslashes."""
    here = str(FOLDER / name)
    if os.name == "nt":
        return here
    return "Z:" + here.replace("/", "\\") if WINDOWS else here


def rows_of_the_protocol():
    rows = []
    for line in (ROOT / "tests/protocol/compliance.txt").read_text().splitlines():
        if line.startswith("## "):
            rows.append((line[3:], []))
        elif line and rows:
            rows[-1][1].append(line)
    assert len(rows) > 60
    failed = []
    for title, steps in rows:
        words = [word for step in steps if step.startswith("$ ") for word in step[2:].split()]
        try:
            with Program(*words) as program:
                play(program, steps)
        except AssertionError as error:
            failed.append(f"{title}: {error}")
    assert not failed, f"{len(failed)} of {len(rows)} rows\n" + "\n\n".join(failed)
    return f"{len(rows)} rows"


def play(program, steps):
    for step in steps:
        kind, _, text = step.partition(" ")
        if kind == ">":
            program.send(text)
        elif kind == "<":
            program.until(text)
        elif kind == "!":
            while (line := program.line(SILENCE)) is not None:
                assert not fits(line, text), line
        elif kind in ("eof", "exit"):
            status = program.end()
            assert kind == "eof" or status == 0, f"status {status}"
        else:
            assert kind == "$", step


def hostile_lines():
    chance = random.Random(1)
    scripts = [file.read_bytes() for file in sorted((ROOT / "tests/fuzz/inputs/script").iterdir())]
    lines = [line for script in scripts for line in script.splitlines() if not line.strip().startswith((b"quit", b"xboard", b"ugi"))]
    with Program() as program:
        for _ in range(600):
            line = bytearray(chance.choice(lines))
            for _ in range(chance.randrange(4)):
                place = chance.randrange(len(line) + 1)
                line[place:place + chance.randrange(3)] = bytes(chance.randrange(1, 256) for _ in range(chance.randrange(3)))
            line = bytes(line).replace(b"\n", b" ").replace(b"\r", b" ")
            # Files are not opened by chance, nor tables made that fill the memory; nothing ends the program.
            if any(word in line.lower() for word in (b"file", b"hash", b"tables", b"quit", b"xboard", b"ugi")):
                continue
            program.send_bytes(line + (b"\r\n" if chance.random() < 0.5 else b"\n"))
            program.send("stop")
        program.send("isready")
        program.until("readyok")
        program.send("stop\nucinewgame\nsetoption name UCI_Variant value chess\nposition startpos\ngo nodes 200")
        program.until("bestmove *")
        program.send("quit")
        assert program.end() == 0
    return "600 lines"


def matches_and_their_records():
    for game in ("chess", "superchess", "twomove", "dicechess", "cubes4d"):
        record, pgn = path(f"match {game}.jsonl"), path(f"match {game}.pgn")
        said = run("match", "--variant", game, "--engine", *PLAYER, "name=a", "--engine", *PLAYER, "name=b", "--nodes", "60",
                   "--games", "4", "--concurrency", "2", "--max-turns", "12", "--seed", "1", "--record", record, "--pgn", pgn)
        assert "Results of a vs b" in said, said
        verified = run("verify", record)
        assert "4" in verified, verified
        text = (FOLDER / f"match {game}.pgn").read_text()
        assert text.count("[White ") == 4, text
        # The record of a run is resumed, and lines of another system are read.
        file = FOLDER / f"match {game}.jsonl"
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        run("verify", record)
    return "5 games"


def pgn_of_other_systems():
    text = '[Event "Café"]\r\n[White "Ł"]\r\n\r\n1. e4 {ein schöner Zug}\r\ne5 2. Nf3 *\r\n\r\n'
    (FOLDER / "crlf ü.pgn").write_bytes(text.encode())
    (FOLDER / "bom.pgn").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (FOLDER / "latin.pgn").write_bytes(text.replace("Ł", "L").encode("latin-1"))
    for name in ("crlf ü.pgn", "bom.pgn", "latin.pgn"):
        out = f"out {name}"
        run("analyse", "--nodes", "50", "--pgn", path(out), path(name))
        written = (FOLDER / out).read_text(encoding="utf-8")
        assert "Café" in written and "ein schöner Zug" in written and "2. Nf3" in written, written
    return "3 encodings"


def paths():
    """Blanks, backslashes, a drive, letters that are not ASCII; files that are there, open elsewhere, or not to be written."""
    network = path("no such network é.nn")
    log = path("debug log é.txt")
    with Program() as program:
        program.send(f"setoption name Debug Log File value {log}")
        program.send(f"setoption name EvalFile value {network}")
        program.until("*no such network*")
        program.send("isready")
        program.until("readyok")
        program.send("quit")
        program.end()
    assert ">> isready" in (FOLDER / "debug log é.txt").read_text()
    run("rules", "chess")
    said = run("verify", path("no such record.jsonl"), status=None)
    assert "no such record.jsonl" in said and "panicked" not in said, said
    if WINDOWS:
        # What is no file there, whatever its name ends with.
        for device in ("NUL", "CON", "COM1"):
            said = run("verify", device, status=None)
            assert "panicked" not in said, said
    return "a log, a network, a record"


def survivors(mark):
    """The processes that have this mark in their environment."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                environment = (process / "environ").read_bytes()
                state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except (OSError, IndexError):
                continue
            if mark.encode() in environment and state not in "ZX":
                found.append((int(process.name), (process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")))
    return found


def nothing_survives():
    """A wrapper's child ends with its match: by itself, by Ctrl-C, and (where there are jobs) when the program is killed."""
    if not pathlib.Path("/proc/self/environ").exists():
        return "skipped: processes are looked for in /proc"
    wrapper = FOLDER / ("wrapper.bat" if WINDOWS else "wrapper.sh")
    program = COMMAND[-1]
    if WINDOWS:
        exe = "Z:" + str(pathlib.Path(program).resolve()).replace("/", "\\")
        wrapper.write_bytes(f'@start /b ping -n 1000 127.0.0.1 >nul\r\n@"{exe}"\r\n'.encode())
    else:
        wrapper.write_text(f'#!/bin/sh\nsleep 1000 &\nexec {" ".join(COMMAND)}\n')
        wrapper.chmod(0o755)
    sleeper = "ping" if WINDOWS else "sleep"
    ends = {"by itself": None, "Ctrl-C": signal.SIGINT}
    if WINDOWS:
        ends["killed"] = signal.SIGKILL
    for how, sent in ends.items():
        mark = f"FAUVE_TEST_MARK={uuid.uuid4()}"
        environment = {**os.environ, **dict([mark.split("=")])}
        words = ["match", "--quiet", "--engine", f"cmd={path(wrapper.name)}", "name=a", "--engine", "proto=random", "--record", path(f"{how}.jsonl")]
        words += ["--games", "2", "--nodes", "20", "--max-turns", "5"] if sent is None else ["--games", "1000", "--movetime", "200"]
        match = subprocess.Popen([*COMMAND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
        end = time.monotonic() + PATIENCE
        while not any(sleeper in command for _, command in survivors(mark)):
            assert time.monotonic() < end and (match.poll() is None or sent is None), f"{how}: the wrapper does not start\n{match.stderr.read() if match.poll() is not None else ''}"
            if match.poll() is not None:
                break
            time.sleep(0.02)
        if sent is not None:
            time.sleep(2)
            match.send_signal(sent)
        match.wait(PATIENCE)
        end = time.monotonic() + 20
        while survivors(mark) and time.monotonic() < end:
            time.sleep(0.05)
        left = survivors(mark)
        for process, _ in left:
            os.kill(process, signal.SIGKILL)
        assert not left, f"{how}: {left}"
        if sent == signal.SIGINT:
            assert match.returncode == 130, f"{how}: status {match.returncode}"
            assert "crash" not in (FOLDER / f"{how}.jsonl").read_text()
    return ", ".join(ends)


def main():
    tests = [rows_of_the_protocol, hostile_lines, matches_and_their_records, pgn_of_other_systems, paths, nothing_survives]
    wanted = os.environ.get("ONLY", "")
    failed = 0
    for test in tests:
        if wanted not in test.__name__:
            continue
        name = test.__name__.replace("_", " ")
        begin = time.monotonic()
        try:
            what = test()
            print(f"PASS {name}: {what} ({time.monotonic() - begin:.0f} s)", flush=True)
        except Exception as error:  # the other tests run all the same
            failed += 1
            print(f"FAIL {name}: {error!r}" if not isinstance(error, AssertionError) else f"FAIL {name}: {error}", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    sys.exit(failed)


main()
