#!/usr/bin/env python3
"""Uses a program that was built for another machine: run.py [--windows] [--here PROGRAM] COMMAND...

COMMAND starts it, such as `qemu-aarch64 target/cross/aarch64-unknown-linux-gnu/debug/fauve`, or with --windows
`wine target/cross/x86_64-pc-windows-gnu/debug/fauve.exe`, or is the program of this machine. The rows of the protocol, lines that no sane GUI sends, matches with their
records, which have to be those of PROGRAM, that of this machine; matches that are killed, interrupted and resumed; PGN of other systems, paths, and players, of which
nothing may survive.

With --windows, console.exe lies beside the program (tests/targets/console.c). What Wine 8 is not used for: it has no window whose closing could be seen by the program, and
GenerateConsoleCtrlEvent finds no console where input and output are pipes, so console.exe starts the thread that Windows starts for such an event; logging off and shutting
down, which the program treats as closing, are not sent; lines are not edited, because there is no console to edit them on; no browser is opened; job objects are Wine's, and so are locks of files, which keep nobody from reading there as they do on
Windows.
"""
import json
import os
import pathlib
import queue
import random
import re
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
TIMEOUT = 120
# How long a program must be silent to count as having nothing more to say.
SILENCE = 0.5

arguments = sys.argv[1:]
WINDOWS = arguments[:1] == ["--windows"]
arguments = arguments[WINDOWS:]
# The program of this machine, with which games are compared.
HERE = arguments[1] if arguments[:1] == ["--here"] else None
COMMAND = arguments[2:] if HERE else arguments
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

    def line(self, timeout=TIMEOUT):
        """The next line; None when the time is up."""
        try:
            line = self.lines.get(timeout=timeout)
        except queue.Empty:
            return None
        if line is None:
            raise AssertionError("it has ended\n" + "\n".join(self.story[-40:]))
        self.story.append("< " + line)
        return line

    def until(self, pattern):
        end = time.monotonic() + TIMEOUT
        while (line := self.line(max(0, end - time.monotonic()))) is not None:
            if fits(line, pattern):
                return line
        raise AssertionError(f"no {pattern}\n" + "\n".join(self.story[-40:]))

    def end(self):
        if self.process.stdin:
            self.process.stdin.close()
        return self.process.wait(TIMEOUT)

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
    more = more if "input" in more else {"stdin": subprocess.DEVNULL, **more}
    done = subprocess.run([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10 * TIMEOUT, check=False, **more)
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


def games_of(record):
    """The games of a record by their numbers, without the day and the times."""
    games = {}
    for line in record.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        if game["type"] == "game":
            del game["date"]
            for turn in game["turns"]:
                turn.pop("ms", None)
            assert game["game"] not in games, f"{record.name}: game {game['game']} twice"
            games[game["game"]] = game
    return games


def pgn_games(file):
    """The games of a PGN file in the order of their numbers, without the day, the times and the breaks of lines."""
    text = file.read_text(encoding="utf-8")
    text = re.sub(r'\[Date "[^"]*"\]', "", re.sub(r"\s+", " ", text))
    text = re.sub(r" ?\b\d+\.\d{3}s,?| ?nps=\d+,?", "", text)
    return sorted(game.replace(",}", "}") for game in text.split("[Event ")[1:])


def matches_and_their_records():
    for game in ("chess", "superchess", "twomove", "dicechess", "cubes4d"):
        record, pgn = path(f"match {game}.jsonl"), path(f"match {game}.pgn")
        words = ["--nodes", "60", "--games", "4", "--concurrency", "2", "--max-turns", "12", "--openings", "random:2", "--seed", "1"]
        said = run("match", "--variant", game, "--engine", *PLAYER, "name=a", "--engine", *PLAYER, "name=b", *words, "--record", record, "--pgn", pgn)
        assert "Results of a vs b" in said, said
        verified = run("verify", record)
        assert "4" in verified, verified
        file, text = FOLDER / f"match {game}.jsonl", FOLDER / f"match {game}.pgn"
        assert len(pgn_games(text)) == 4, text.read_text()
        run("verify", pgn)
        if HERE:
            own, own_text = FOLDER / f"here {game}.jsonl", FOLDER / f"here {game}.pgn"
            subprocess.run([HERE, "match", "--variant", game, "--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", *words,
                            "--record", own, "--pgn", own_text], stdout=subprocess.DEVNULL, check=True, timeout=TIMEOUT)
            assert games_of(file) == games_of(own), f"{game}: other games than here"
            assert pgn_games(text) == pgn_games(own_text), f"{game}: another PGN than here\n{pgn_games(text)[0]}\n{pgn_games(own_text)[0]}"
            # Each reads what the other has written.
            subprocess.run([HERE, "verify", file], stdout=subprocess.DEVNULL, check=True, timeout=TIMEOUT)
            run("verify", path(own.name))
        # The record of a run is resumed, and lines of another system are read.
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        run("verify", record)
    return "5 games, the same as here" if HERE else "5 games"


# How the console or the system ends a program, and the signal that is the same elsewhere.
EVENTS = {"c": signal.SIGINT, "break": signal.SIGTERM, "close": getattr(signal, "SIGHUP", None)}


class Ended:
    """A program that is ended by an event of the console, or by the signal that stands for it, as soon as `send` is called."""

    def __init__(self, event, words, **more):
        self.event = event
        self.flag = FOLDER / f"flag {uuid.uuid4()}"
        command = [*COMMAND, *words]
        if WINDOWS:
            console = pathlib.Path(COMMAND[-1]).resolve().with_name("console.exe")
            command = [*COMMAND[:-1], str(console), event, path(self.flag.name), str(pathlib.Path(COMMAND[-1]).resolve()), *words]
        else:
            # It runs in other folders than this.
            command[len(COMMAND) - 1] = str(pathlib.Path(COMMAND[-1]).resolve())
        self.process = subprocess.Popen(command, **more)

    def send(self):
        if WINDOWS:
            self.flag.touch()
        else:
            self.process.send_signal(EVENTS[self.event])

    def status(self):
        return self.process.wait(TIMEOUT)


def wait_for(what, process, words):
    """Waits until something is so, while a process runs."""
    end = time.monotonic() + TIMEOUT
    while not what():
        assert time.monotonic() < end, f"{words}: it does not come"
        assert process.poll() is None, f"{words}: it has ended, status {process.returncode}"
        time.sleep(0.01)


def an_interrupted_game_is_kept():
    if os.name == "nt":
        return "skipped: events of the console are sent under Wine"
    for event in EVENTS:
        folder = FOLDER / f"a game ü {event}"
        folder.mkdir()
        output = folder / "output.txt"
        with output.open("wb") as file:
            play = Ended(event, ["play", "chess", "--side", "both"], cwd=folder, stdin=subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT)
            play.process.stdin.write(b"e4\n")
            play.process.stdin.flush()
            wait_for(lambda: b"Black to move" in output.read_bytes(), play.process, event)
            play.send()
            status = play.status()
        said = output.read_text(encoding="utf-8", errors="replace")
        assert status == 130, f"{event}: status {status}\n{said}"
        kept = folder / "fauve-chess.pgn"
        assert kept.exists() and "1. e4" in kept.read_text(), f"{event}\n{said}"
        assert "fauve play --load fauve-chess.pgn" in said, f"{event}\n{said}"
        again = run("play", "--load", path(f"{folder.name}/fauve-chess.pgn"), "--side", "both", input=b"history\nquit\n")
        assert "1. e4" in again, again
    return ", ".join(EVENTS)


def a_match_is_killed_interrupted_and_resumed():
    if os.name == "nt":
        return "skipped: events of the console are sent under Wine"
    mark = f"FAUVE_TEST_MARK={uuid.uuid4()}"
    environment = {**os.environ, **dict([mark.split("=")])}
    words = ["match", "--quiet", "--engine", *PLAYER, "name=a", "nodes=100", "--engine", *PLAYER, "name=b", "nodes=50", "--openings", "random:4",
             "--games", "40", "--seed", "11", "--max-turns", "30"]
    record = FOLDER / "disturbed é.jsonl"
    disturbed = [*words, "--record", path(record.name)]
    lines = lambda: record.read_bytes().count(b"\n") if record.exists() else 0
    for number, event in enumerate([*EVENTS, "killed", "killed"]):
        streams = {"env": environment, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        match = Ended(event, disturbed, **streams) if event in EVENTS else None
        process = match.process if match else subprocess.Popen([*COMMAND, *disturbed], **streams)
        wait_for(lambda: lines() > 2 + 6 * number, process, event)
        if match:
            match.send()
        else:
            process.kill()
        status = process.wait(TIMEOUT)
        said = process.stderr.read().decode("utf-8", "replace")
        assert event == "killed" or (status == 130 and "the same command resumes the match" in said), f"{event}: status {status}\n{said}"
        end = time.monotonic() + 20
        while survivors(mark) and time.monotonic() < end:
            time.sleep(0.05)
        left = survivors(mark)
        assert not left, f"{event}: {left}"
        assert "crash" not in record.read_text(), event
        if event == "killed":
            # The beginning of a line, as a crash of the system leaves one.
            with record.open("ab") as file:
                file.write(b'{"type":"game","gam')
        else:
            run("verify", path(record.name))
    run(*disturbed)
    run("verify", path(record.name))
    run(*words, "--record", path("undisturbed.jsonl"))
    games = games_of(record)
    assert sorted(games) == list(range(1, 41)), sorted(games)
    assert games == games_of(FOLDER / "undisturbed.jsonl"), "other games than those of a match that nobody has disturbed"
    return f"{', '.join(EVENTS)}, killed twice"


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
    # Openings and games with the ends of lines of other systems; both kinds of slashes.
    (FOLDER / "openings ü.epd").write_bytes(b"\xef\xbb\xbf4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\r\n4k3/4p3/8/8/8/8/8/4K3 b - - 0 1\r\n")
    record = FOLDER / "openings é.jsonl"
    words = ["match", "--quiet", "--engine", "proto=random", "name=a", "--engine", "proto=random", "name=b", "--games", "4", "--max-turns", "6", "--seed", "1"]
    run(*words, "--openings", path("openings ü.epd"), "--record", path(record.name))
    starts = [game["start"] for game in games_of(record).values()]
    assert len(set(starts)) == 2 and all(start.startswith("4k3/") for start in starts), starts
    (FOLDER / "a game ł.pgn").write_bytes(b"1. e4 e5 *\r\n\r\n")
    said = run("play", "--side", "both", "--load", path("a game ł.pgn").replace("\\", "/"), "--save", path("saved ł.pgn"), input=b"Nf3\r\nquit\r\n")
    assert "2. Nf3" in (FOLDER / "saved ł.pgn").read_text(encoding="utf-8"), said
    # A record to which another run is writing is refused, and can be read.
    held = [*words[:-3], "12", "--seed", "1", "--engine", *PLAYER, "name=c", "--movetime", "200", "--record", path("held é.jsonl")]
    held[held.index("--games") + 1] = "400"
    with Program(*held) as match:
        wait_for(lambda: (FOLDER / "held é.jsonl").exists() and (FOLDER / "held é.jsonl").stat().st_size > 0, match.process, "held")
        said = run(*held, status=None)
        assert "another run is writing to it" in said, said
        run("verify", path("held é.jsonl"))
    run("rules", "chess")
    said = run("verify", path("no such record.jsonl"), status=None)
    assert "no such record.jsonl" in said and "panicked" not in said, said
    if WINDOWS:
        # What is no file there, whatever its name ends with.
        for device in ("NUL", "CON", "COM1"):
            said = run("verify", device, status=None)
            assert "panicked" not in said, said
    return "a log, a network, records, openings, games"


def survivors(mark):
    """The processes that have this mark in their environment; where there is no /proc, nobody is found."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
            state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
            if mark.encode() in environment and state not in "ZX":
                found.append((int(process.name), (process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")))
        except (OSError, IndexError):
            continue
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
        end = time.monotonic() + TIMEOUT
        while not any(sleeper in command for _, command in survivors(mark)):
            assert time.monotonic() < end and (match.poll() is None or sent is None), f"{how}: the wrapper does not start\n{match.stderr.read() if match.poll() is not None else ''}"
            if match.poll() is not None:
                break
            time.sleep(0.02)
        if sent is not None:
            time.sleep(2)
            match.send_signal(sent)
        match.wait(TIMEOUT)
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
    tests = [rows_of_the_protocol, hostile_lines, matches_and_their_records, an_interrupted_game_is_kept, a_match_is_killed_interrupted_and_resumed, pgn_of_other_systems,
             paths, nothing_survives]
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
