//! Players that think on their opponent's time.

use super::{Scratch, ended, said};
use fauve_referee::record::{GameRecord, Record, Termination};
use std::time::Duration;

/// How a scripted program behaves. `answer` is the command that says its turn and what it expects.
#[derive(Clone, Copy)]
struct Manner {
    /// The files of its knights: `g` or `b`.
    knights: char,
    /// What it does on `go ponder`.
    ponder: &'static str,
    /// What it does on `ponderhit`.
    hit: &'static str,
    /// What it does on `stop`.
    stop: &'static str,
}

const PROPER: Manner = Manner {
    knights: 'g',
    ponder: ":",
    hit: "answer",
    stop: "answer",
};

/// One that moves the other knight, so that none of its turns is the one that is expected.
const OTHER_KNIGHTS: Manner = Manner {
    knights: 'b',
    ..PROPER
};

const SLOW_TO_STOP: Manner = Manner {
    stop: "sleep 0.3; answer",
    ..PROPER
};

impl Manner {
    /// A program that moves a knight to and fro, and expects its opponent to do the same. It writes an `x` into a file when it starts.
    fn program(self, started: &Scratch) -> Scratch {
        let Self {
            knights,
            ponder,
            hit,
            stop,
        } = self;
        let turns = match knights {
            'g' => ["g1f3", "g8f6", "f3g1", "f6g8"],
            _ => ["b1c3", "b8c6", "c3b1", "c6b8"],
        };
        let [a, b, c, d] = turns;
        let started = started.text();
        Scratch::file(
            "shuffler.sh",
            format!(
                "echo x >> {started}; t0={a}; t1={b}; t2={c}; t3={d}; ply=0\n\
                 answer() {{ eval turn=\\$t$((ply % 4)); eval next=\\$t$(((ply + 1) % 4))\n\
                 echo info depth 3 score cp 7 nodes 50; echo bestmove $turn ponder $next; }}\n\
                 while read -r line; do case $line in\n\
                 uci) echo option name Ponder type check default false; echo uciok;;\n\
                 isready) echo readyok;;\n\
                 position*) set -- $line; ply=0; if [ $# -gt 3 ]; then ply=$(($# - 3)); fi;;\n\
                 'go ponder'*) {ponder};;\n\
                 go*) answer;;\n\
                 ponderhit) {hit};;\n\
                 stop) {stop};;\n\
                 quit) exit;;\n\
                 esac; done\n"
            ),
        )
    }
}

/// What came of two games between a program that ponders and another one.
struct Match {
    games: Vec<GameRecord>,
    log: String,
    pgn: String,
    /// How often the first program was started.
    starts: usize,
}

fn play(first: Manner, second: Manner, second_ponders: &str, more: &[&str]) -> Match {
    let [record, log, pgn] = ["r.jsonl", "l.log", "p.pgn"].map(Scratch::new);
    let [started, other_started] = ["a.started", "b.started"].map(Scratch::new);
    let programs = [first.program(&started), second.program(&other_started)];
    let words = programs
        .each_ref()
        .map(|program| format!("args={}", program.text()));
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--seed", "1"];
    arguments.extend(["--openings", "startpos", "--record", record.text()]);
    arguments.extend(["--log", log.text(), "--pgn", pgn.text()]);
    arguments.extend(["--engine", "cmd=sh", &words[0], "name=a", "ponder=on"]);
    arguments.extend(["--engine", "cmd=sh", &words[1], "name=b", second_ponders]);
    arguments.extend(more);
    said(&arguments);
    said(&["verify", record.text(), pgn.text()]);
    let read = Record::read(&record.0).unwrap();
    assert!(read.header.engines[0].ponder);
    assert_eq!(read.header.engines[1].ponder, second_ponders == "ponder=on");
    Match {
        games: read.games,
        log: log.read(),
        pgn: pgn.read(),
        starts: started.lines(),
    }
}

fn count(log: &str, line: &str) -> usize {
    let ends = |other: &&str| other.ends_with(line);
    log.lines().filter(ends).count()
}

/// The turns of a player in a game.
fn turns_of<'a>(
    game: &'a GameRecord,
    name: &str,
) -> impl Iterator<Item = &'a fauve_referee::record::TurnRecord> {
    let place = usize::from(game.white != name);
    game.turns.iter().skip(place).step_by(2)
}

#[test]
fn an_expected_turn_is_a_ponderhit() {
    let done = play(PROPER, PROPER, "ponder=on", &["--tc", "9+0"]);
    for game in &done.games {
        assert_eq!(game.termination, Termination::Rules, "{game:?}");
        let hits: Vec<_> = game.turns.iter().map(|turn| turn.ponder_hit).collect();
        // The expected eighth turn ends the game: nobody thinks behind it.
        assert_eq!(hits[..2], [None, None]);
        assert_eq!(hits[2..], [Some(true); 6]);
        let values: Vec<_> = game.turns.iter().map(|turn| turn.cp).collect();
        assert_eq!(values, [Some(7); 8]);
    }
    assert_eq!(count(&done.log, "> ponderhit"), 12, "{}", done.log);
    assert_eq!(count(&done.log, "> stop"), 0);
    assert_eq!(done.pgn.matches("ponderhit").count(), 12, "{}", done.pgn);
    let ponders = done.log.lines().find(|line| line.contains("> go ponder"));
    // The clocks after its turn.
    assert!(ponders.unwrap().contains(" wtime "), "{}", done.log);
}

/// A program that ends on its opponent's time loses although it is not to move; the match goes on, and its files are sound.
#[test]
fn a_program_that_ends_while_it_ponders_forfeits() {
    let broken = Manner {
        ponder: "exit 3",
        ..PROPER
    };
    let done = play(broken, PROPER, "ponder=off", &["--nodes", "9"]);
    for game in &done.games {
        assert_eq!(game.termination, Termination::Crash, "{game:?}");
        let lost = if game.white == "a" { "0-1" } else { "1-0" };
        assert_eq!(game.result.text(), lost, "{game:?}");
    }
}

/// A program that is slow to stop loses the time, and the question says what is left of it.
#[test]
fn another_turn_ends_the_pondering_at_the_expense_of_the_program() {
    let done = play(SLOW_TO_STOP, OTHER_KNIGHTS, "ponder=off", &["--tc", "9+0"]);
    for game in &done.games {
        assert_eq!(game.termination, Termination::Rules, "{game:?}");
        let turns: Vec<_> = turns_of(game, "a").collect();
        // Every other turn that it expects is one of a knight that has not moved, and illegal: nobody thinks about that.
        let hits = turns.iter().map(|turn| turn.ponder_hit);
        let misses = if game.white == "a" {
            [1, 3].as_slice()
        } else {
            &[2]
        };
        assert!(hits.eq((0..4).map(|place| misses.contains(&place).then_some(false))));
        let mut before = 9000;
        for turn in &turns {
            let (ms, left) = (turn.ms.unwrap(), turn.left.unwrap());
            assert!(before - left >= ms && before - left <= ms + 1, "{turn:?}");
            before = left;
        }
        for turn in turns {
            let is_slow = turn.ponder_hit.is_some();
            assert_eq!(turn.ms.unwrap() >= 300, is_slow, "{turn:?}");
        }
        assert!(turns_of(game, "b").all(|turn| turn.ponder_hit.is_none()));
        assert!(turns_of(game, "b").all(|turn| turn.ms.unwrap() < 300));
    }
    let told: Vec<u64> = done
        .log
        .lines()
        .filter(|line| line.contains(" a#1 > go wtime"))
        .map(|line| line.split_whitespace().nth(5).unwrap().parse().unwrap())
        .collect();
    // White's first four turns: the time to stop is gone before the question.
    assert_eq!(told[0], 9000);
    assert!(
        told[1] + 300 <= told[0] && told[3] + 300 <= told[2],
        "{told:?}"
    );
    assert_eq!(count(&done.log, "> stop"), 3, "{}", done.log);
    assert_eq!(count(&done.log, "> ponderhit"), 0);
}

/// Where each turn has its time, the question says what is left of it.
#[test]
fn the_time_to_stop_pondering_is_that_of_the_turn() {
    let done = play(
        SLOW_TO_STOP,
        OTHER_KNIGHTS,
        "ponder=off",
        &["--movetime", "5000"],
    );
    let told: Vec<u64> = done
        .log
        .lines()
        .filter_map(|line| line.split_once(" a#1 > go movetime ")?.1.parse().ok())
        .collect();
    // White's first four turns.
    assert_eq!((told[0], told[2]), (5000, 5000));
    assert!(told[1] <= 4700 && told[3] <= 4700, "{told:?}");
}

#[test]
fn a_program_that_does_not_stop_pondering_loses_on_time() {
    let deaf = Manner {
        stop: ":",
        ..PROPER
    };
    let done = play(deaf, OTHER_KNIGHTS, "ponder=off", &["--tc", "0.5+0"]);
    for game in &done.games {
        assert_eq!(game.termination, Termination::Time, "{game:?}");
        let result = if game.white == "a" { "0-1" } else { "1-0" };
        assert_eq!(game.result.text(), result);
        assert!(game.reason.contains("does not answer"), "{}", game.reason);
    }
    assert_eq!(done.starts, 2);
}

/// The game ends while it ponders: it has to be silent before the next one, or is started anew.
#[test]
fn pondering_ends_with_the_game() {
    for (stop, starts) in [("answer", 1), (":", 2)] {
        let manner = Manner { stop, ..PROPER };
        let limits = ["--tc", "9+0", "--max-turns", "2"];
        let done = play(manner, OTHER_KNIGHTS, "ponder=off", &limits);
        for game in &done.games {
            assert_eq!(game.termination, Termination::Adjudication, "{game:?}");
        }
        assert_eq!(done.starts, starts, "{stop}");
    }
}

/// Against the protocol, but no reason to lose: a turn that comes before `ponderhit` or `stop`.
#[test]
fn an_answer_before_it_is_asked_for_is_taken_or_passed_over() {
    let early = Manner {
        ponder: "answer",
        hit: ":",
        stop: ":",
        ..PROPER
    };
    for (knights, hit) in [('g', true), ('b', false)] {
        let other = Manner { knights, ..PROPER };
        let done = play(early, other, "ponder=off", &["--tc", "9+0"]);
        for game in &done.games {
            assert_eq!(game.termination, Termination::Rules, "{game:?}");
            let mut hits = turns_of(game, "a").filter_map(|turn| turn.ponder_hit);
            assert_eq!(hits.next(), Some(hit), "{game:?}");
            assert!(hits.all(|other| other == hit), "{game:?}");
        }
        assert_eq!(done.starts, 1);
    }
}

#[test]
fn a_program_that_dies_while_it_ponders_loses() {
    let dying = Manner {
        ponder: "echo no room >&2; exit 3",
        ..PROPER
    };
    let done = play(dying, PROPER, "ponder=off", &["--tc", "9+0"]);
    for game in &done.games {
        assert_eq!(game.termination, Termination::Crash, "{game:?}");
        assert!(game.reason.contains("no room"), "{}", game.reason);
        let result = if game.white == "a" { "0-1" } else { "1-0" };
        assert_eq!(game.result.text(), result);
    }
}

/// The clocks of our own program are right whether its expectation comes true or not, in every game without dice.
#[test]
fn our_own_program_ponders() {
    for variant in ["chess", "superchess", "twomove", "cubes4d"] {
        let (record, log) = (Scratch::new("own.jsonl"), Scratch::new("own.log"));
        let mut arguments = vec!["match", "--quiet", "--games", "2", "--seed", "7"];
        arguments.extend([
            "--variant",
            variant,
            "--tc",
            "0.6+0.02",
            "--max-turns",
            "10",
        ]);
        arguments.extend(["--record", record.text(), "--log", log.text()]);
        arguments.extend(["--engine", "cmd=self", "name=a", "ponder=on"]);
        arguments.extend(["--engine", "cmd=self", "name=b", "ponder=on"]);
        said(&arguments);
        said(&["verify", record.text()]);
        let games = Record::read(&record.0).unwrap().games;
        let mut answers = [0, 0];
        for game in &games {
            let ends = [Termination::Rules, Termination::Adjudication];
            assert!(ends.contains(&game.termination), "{variant}: {game:?}");
            for name in ["a", "b"] {
                let mut before = 600;
                for turn in turns_of(game, name) {
                    let (Some(ms), Some(left)) = (turn.ms, turn.left) else {
                        continue;
                    };
                    let spent = (before + 20_u64).saturating_sub(left);
                    assert!(spent.abs_diff(ms) <= 1, "{variant}: {before} {turn:?}");
                    before = left;
                    if let Some(hit) = turn.ponder_hit {
                        answers[usize::from(hit)] += 1;
                    }
                }
            }
        }
        let text = log.read();
        assert_eq!(count(&text, "> ponderhit"), answers[1], "{variant}");
        assert!(answers[1] > 0, "{variant}: {answers:?}");
        // Beside those, the ends of the games.
        let stops = count(&text, "> stop");
        assert!((answers[0]..=answers[0] + 4).contains(&stops), "{variant}");
    }
}

/// With `hard` a program of CECP plays on by itself, as under XBoard, and thinks while its opponent does.
#[test]
fn a_program_of_cecp_ponders_as_under_xboard() {
    let (record, log) = (Scratch::new("hard.jsonl"), Scratch::new("hard.log"));
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--seed", "7"];
    arguments.extend(["--tc", "2+0.02", "--max-turns", "12"]);
    arguments.extend(["--record", record.text(), "--log", log.text()]);
    arguments.extend([
        "--engine",
        "cmd=self",
        "name=hard",
        "proto=cecp",
        "ponder=on",
    ]);
    arguments.extend(["--engine", "cmd=self", "name=easy", "proto=cecp"]);
    said(&arguments);
    said(&["verify", record.text()]);
    for game in Record::read(&record.0).unwrap().games {
        assert_eq!(game.termination, Termination::Adjudication, "{game:?}");
    }
    let text = log.read();
    let lines = |name: &str| -> Vec<&str> {
        let of = |line: &&str| line.split_whitespace().nth(1).unwrap().starts_with(name);
        text.lines().filter(of).collect()
    };
    let (hard, easy) = (lines("hard"), lines("easy"));
    let sent = |lines: &[&str], line: &str| lines.iter().filter(|one| one.ends_with(line)).count();
    assert_eq!((sent(&hard, "> hard"), sent(&hard, "> easy")), (2, 0));
    assert_eq!((sent(&easy, "> hard"), sent(&easy, "> easy")), (0, 2));
    // Once a game; the other one is asked for each of its turns.
    assert_eq!((sent(&hard, "> go"), sent(&easy, "> go")), (2, 12));
    // Thinking lines between its own turn and the next thing that it is sent.
    let thinks = |lines: &[&str]| {
        let own = |pair: &&[&str]| {
            pair[0].contains(" < move ") && pair[1].contains(" < ") && !pair[1].contains("pong")
        };
        lines.windows(2).filter(own).count()
    };
    assert!(thinks(&hard) > 0, "{text}");
    assert_eq!(thinks(&easy), 0, "{text}");
}

#[test]
fn players_that_cannot_ponder_are_refused_with_a_sentence() {
    let silent =
        "args=-c 'while read -r line; do case $line in uci) echo uciok;; quit) exit;; esac; done'";
    for (words, part) in [
        (
            &["cmd=sh", silent, "ponder=on"][..],
            "it does not ponder: it has no option Ponder",
        ),
        (
            &["cmd=self", "ponder=on", "cputime=5"],
            "limited by the clock on the wall, not by processor time",
        ),
        (
            &["proto=internal", "ponder=on"],
            "ponder=on is for programs; proto=internal",
        ),
        (
            &["cmd=self", "proto=ugi", "ponder=on"],
            "UGI has no command for it",
        ),
        (
            &["cmd=self", "ponder=perhaps"],
            "ponder is on or off, not 'perhaps'",
        ),
    ] {
        let first = ["match", "--games", "2", "--nodes", "9", "--engine"];
        let other = ["--engine", "proto=random", "name=other"];
        let result = ended(
            &[&first[..], words, &other].concat(),
            Duration::from_mins(1),
        );
        assert!(!result.output.status.success(), "{words:?}");
        assert!(result.errors().contains(part), "{}", result.errors());
    }
    let dice = [
        "match",
        "--variant",
        "dicechess",
        "--nodes",
        "9",
        "--engine",
        "cmd=self",
        "ponder=on",
        "--engine",
        "proto=random",
    ];
    let result = ended(&dice, Duration::from_mins(1));
    assert!(
        result.errors().contains("before its roll"),
        "{}",
        result.errors()
    );
}
