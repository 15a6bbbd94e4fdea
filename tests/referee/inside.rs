//! Players inside the referee's process.

use super::{Scratch, ended, said, timeless};
use fauve_referee::record::{GameRecord, Record, Termination};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The words of two players, `kind` each, with what else is said.
fn players<'a>(kind: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let two = ["--engine", kind, "name=a", "--engine", kind, "name=b"];
    [&["match", "--quiet"], &two[..], more].concat()
}

/// Plays and gives the record, without what differs from run to run.
pub fn played(name: &str, words: &[&str]) -> Record {
    let file = Scratch::new(name);
    said(&[words, &["--record", file.text()]].concat());
    let mut record = Record::read(&file.0).unwrap();
    record.games.sort_by_key(|game| game.game);
    record.games = timeless(&record);
    record
}

/// What a player inside finds is what the program finds: the same turns, values and depths, in every game.
#[test]
fn players_inside_play_the_games_of_programs() {
    thread::scope(|scope| {
        for variant in ["chess", "superchess", "twomove", "dicechess", "cubes4d"] {
            scope.spawn(move || {
                let more = [
                    "--variant",
                    variant,
                    "--nodes",
                    "150",
                    "--games",
                    "2",
                    "--seed",
                    "5",
                    "--max-turns",
                    "40",
                    "--each",
                    "option.Hash=1",
                ];
                let file = |kind: &str| format!("{kind}-{variant}.jsonl");
                let mut inside = played(&file("inside"), &players("proto=internal", &more));
                let mut programs = played(&file("programs"), &players("cmd=self", &more));
                let effort = |record: &mut Record| -> Vec<(u64, Option<u32>)> {
                    let turns = record.games.iter_mut().flat_map(|game| &mut game.turns);
                    let effort =
                        turns.filter_map(|turn| Some((turn.nodes.take()?, turn.seldepth.take())));
                    effort.collect()
                };
                // A program reports its nodes with its last line, before it has spent the rest. A player inside reports no expected
                // reply after the search, and with it no greater depth that an unfinished iteration has reached.
                let (spent, reported) = (effort(&mut inside), effort(&mut programs));
                assert_eq!(inside.games, programs.games);
                assert_eq!(spent.len(), reported.len());
                for ((spent, inside), (reported, program)) in spent.into_iter().zip(reported) {
                    assert!(reported <= spent && spent <= 150, "{reported} of {spent}");
                    assert!(inside <= program, "{inside:?} plies deep, {program:?}");
                }
            });
        }
    });
}

/// A player of either kind can meet the other, and `network=` means the same to both: a file that is none is refused.
#[test]
fn kinds_of_players_meet() {
    let words = [
        "match",
        "--quiet",
        "--depth",
        "2",
        "--games",
        "2",
        "--max-turns",
        "20",
        "--engine",
        "proto=internal",
        "--engine",
        "cmd=self",
        "--engine",
        "proto=random",
    ];
    let record = played("kinds.jsonl", &words);
    assert_eq!(record.games.len(), 6);
    for game in record.games {
        assert!(!game.termination.is_forfeit(), "{game:?}");
    }
}

/// A run that was stopped continues with the games that it would have played.
#[test]
fn a_record_of_players_inside_is_resumed() {
    let more = [
        "--nodes",
        "60",
        "--games",
        "8",
        "--seed",
        "3",
        "--max-turns",
        "30",
    ];
    let words = players("proto=internal", &more);
    let whole = played("whole.jsonl", &words);
    let file = Scratch::new("rest.jsonl");
    let again = [&words[..], &["--record", file.text()]].concat();
    said(&again);
    let text = std::fs::read_to_string(&file.0).unwrap();
    // The tournament, three games, and half of another.
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    std::fs::write(&file.0, &text[..ends[3] + 40]).unwrap();
    said(&again);
    let mut record = Record::read(&file.0).unwrap();
    record.games.sort_by_key(|game| game.game);
    assert_eq!(timeless(&record), whole.games);
}

#[test]
fn every_limit_holds() {
    for limit in [
        "--depth=1",
        "--nodes=30",
        "--movetime=2",
        "--tc=1+0.02",
        "--cputime=2",
    ] {
        let more = [
            limit,
            // From random openings somebody may be mated sooner.
            "--openings",
            "startpos",
            "--games",
            "2",
            "--max-turns",
            "12",
            "--margin",
            "10000",
        ];
        let record = played("limits.jsonl", &players("proto=internal", &more));
        assert_eq!(record.games.len(), 2);
        for game in record.games {
            assert_eq!(
                game.termination,
                Termination::Adjudication,
                "{limit}: {game:?}"
            );
        }
    }
}

/// Beside threads that take all processors the two sides of a match by processor time still see as much as each other, and
/// nobody loses on time.
#[test]
fn processor_time_is_shared_fairly_on_a_busy_machine() {
    let done = &AtomicBool::new(false);
    let processors = thread::available_parallelism().map_or(2, Into::into);
    thread::scope(|scope| {
        for _ in 0..2 * processors {
            scope.spawn(|| while !done.load(Ordering::Relaxed) {});
        }
        for kind in ["proto=internal", "cmd=self"] {
            let more = ["--cputime", "15", "--games", "2", "--max-turns", "16"];
            let record = played("busy.jsonl", &players(kind, &more));
            let mut nodes = [0u64; 2];
            for game in &record.games {
                assert!(!game.termination.is_forfeit(), "{kind}: {game:?}");
                for (number, turn) in game.turns.iter().enumerate() {
                    let is_a = (number % 2 == 0) == (game.white == "a");
                    nodes[usize::from(!is_a)] += turn.nodes.unwrap_or_default();
                }
            }
            let [low, high] = [nodes[0].min(nodes[1]), nodes[0].max(nodes[1])];
            assert!(low > 0 && high < 2 * low, "{kind}: {nodes:?}");
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// A search whose limit is not reached is given up when the patience of the referee is at its end.
#[test]
fn a_search_without_end_stalls() {
    let file = Scratch::new("endless.jsonl");
    let words = [
        "match",
        "--quiet",
        "--games",
        "2",
        "--stall",
        "1",
        // From another seed the random player may walk into a mate, which ends the search.
        "--seed",
        "1",
        "--engine",
        "proto=internal",
        "name=bad",
        "nodes=1000000000000",
        "--engine",
        "proto=random",
        "--record",
        file.text(),
    ];
    let ended = ended(&words, Duration::from_mins(1));
    assert!(ended.output.status.success(), "{}", ended.errors());
    for game in Record::read(&file.0).unwrap().games {
        assert_eq!(game.termination, Termination::Stall, "{game:?}");
        assert_eq!(
            game.result.text(),
            if game.white == "bad" { "0-1" } else { "1-0" }
        );
    }
}

#[test]
fn what_a_player_cannot_be_set_to_is_said() {
    let cases = [
        (&["option.Hush=3"][..], "engine x: no option 'Hush'"),
        (&["option.Hash=0"], "engine x: Hash takes 1 to"),
        (&["param.no_such=1"], "engine x: no option 'no_such'"),
        (
            &["option.UCI_Variant=dicechess"],
            "not for a player, but for the match",
        ),
        (
            &["option.Prologue=false"],
            "not for a player, but for the match",
        ),
        (
            &["network=/nowhere/x.nn"],
            "engine x: the network /nowhere/x.nn: ",
        ),
        (&["network=/"], "not a regular file"),
        (&["cputime=0"], "cannot read cputime=0"),
    ];
    for (words, reason) in cases {
        let start = [
            "match",
            "--depth",
            "1",
            "--engine",
            "proto=random",
            "--engine",
        ];
        let player = ["proto=internal", "name=x"];
        let ended = ended(
            &[&start[..], &player, words].concat(),
            Duration::from_mins(1),
        );
        assert!(!ended.output.status.success(), "{words:?}");
        let errors = ended.errors();
        assert!(errors.contains(reason), "{words:?}: {errors}");
    }
}

/// A program that cannot count processor time gets a message, and not given the time of the wall instead.
#[test]
fn processor_time_needs_a_program_that_knows_it() {
    let script = "args=-c 'while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done'";
    for (words, reason) in [
        (
            &["cmd=sh", script, "cputime=5"][..],
            "no option 'CPU Clock'",
        ),
        (
            &["cmd=self", "cputime=5", "movetime=5"],
            "by movetime or cputime, not by both",
        ),
        (
            &["cmd=self", "proto=cecp", "cputime=5"],
            "CECP has no limit by processor time",
        ),
        (
            &["cmd=self", "proto=cecp", "nodes=100"],
            "CECP has no limit by nodes",
        ),
    ] {
        let start = [
            "match",
            "--quiet",
            "--games",
            "2",
            "--engine",
            "proto=random",
            "--engine",
        ];
        let ended = ended(&[&start[..], words].concat(), Duration::from_mins(1));
        assert!(!ended.output.status.success(), "{words:?}");
        let errors = ended.errors();
        assert!(errors.contains(reason), "{words:?}: {errors}");
    }
}

/// Twelve games with a doubling cube.
const DOUBLED: [&str; 11] = [
    "--variant",
    "dicechess",
    "--depth",
    "1",
    "--games",
    "12",
    "--seed",
    "6",
    "--doubling",
    "--each",
    "option.Hash=1",
];

/// A double is passed by the side that is not to move; `verify` knows its loser.
#[test]
fn a_game_that_ends_with_a_passed_double_verifies() {
    let file = Scratch::new("passed.jsonl");
    let more = [&DOUBLED[..], &["--record", file.text()]].concat();
    said(&players("proto=internal", &more));
    let games = Record::read(&file.0).unwrap().games;
    let passes = |game: &&GameRecord| game.termination == Termination::Pass;
    assert_ne!(games.iter().filter(passes).count(), 0, "a pass in 12 games");
    said(&["verify", file.text()]);
}

/// Players of either kind turn the cube alike; what a game was worth is kept and counted, and a pass is the win of who doubled.
#[test]
#[ignore = "ten seconds: cargo test -- --ignored long_"]
fn long_games_with_a_doubling_cube_are_worth_points() {
    let inside = played(
        "doubling-inside.jsonl",
        &players("proto=internal", &DOUBLED),
    );
    let programs = played("doubling-programs.jsonl", &players("cmd=self", &DOUBLED));
    for (inside, program) in inside.games.iter().zip(&programs.games) {
        let of = |game: &fauve_referee::record::GameRecord| {
            (
                game.result,
                game.termination,
                game.stakes,
                game.doubles.clone(),
            )
        };
        assert_eq!(of(inside), of(program));
    }
    let passed: Vec<_> = inside
        .games
        .iter()
        .filter(|game| game.termination == Termination::Pass)
        .collect();
    assert!(!passed.is_empty(), "a pass in 12 games");
    for game in &inside.games {
        let passes = game.termination == Termination::Pass;
        let taken = game.doubles.len() - usize::from(passes);
        assert_eq!(game.stakes, Some(1 << taken), "{}", game.reason);
        assert!(game.doubles.is_sorted());
    }
    let file = Scratch::new("doubling-verified.jsonl");
    let report = said(
        &[
            &players("proto=internal", &DOUBLED)[..],
            &["--record", file.text()],
        ]
        .concat(),
    );
    assert!(report.contains("With the doubling cube: "), "{report}");
    said(&["verify", file.text()]);
    // The winner of a pass is who doubled.
    let text = std::fs::read_to_string(&file.0).unwrap();
    let line = text.lines().find(|line| line.contains("\"pass\"")).unwrap();
    let turned = if line.contains("\"result\":\"1-0\"") {
        line.replace("\"result\":\"1-0\"", "\"result\":\"0-1\"")
    } else {
        line.replace("\"result\":\"0-1\"", "\"result\":\"1-0\"")
    };
    std::fs::write(&file.0, text.replace(line, &turned)).unwrap();
    let limit = Duration::from_mins(1);
    let fails = |words: &[&str]| !ended(words, limit).output.status.success();
    assert!(fails(&["verify", file.text()]));
    let chess = ["match", "--doubling", "--games", "2"];
    let two = ["--engine", "proto=random", "--engine", "proto=random"];
    assert!(fails(&[&chess[..], &two].concat()));
}
