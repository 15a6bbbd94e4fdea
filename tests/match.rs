//! The referee: what it plays follows from the settings alone, is recorded whole, and can be checked and counted.

use fauve_engine::Variant;
use fauve_engine::rules::{Chance, Notation, Roll, chess, cubes, dice, superchess, twomove};
use fauve_engine::search::{Engine, Table};
use fauve_referee::matches::luck;
use fauve_referee::matches::tournament::{Run, run};
use fauve_referee::plan::openings::Openings;
use fauve_referee::plan::schedule::Pairings;
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::record::replay;
use fauve_referee::record::{FORMAT, GameRecord, Header, Record, Termination};
use fauve_referee::report::tally::Tally;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

fn header(variant: Variant, rounds: u64, players: &[&str]) -> Header {
    Header {
        format: FORMAT,
        event: "test".to_owned(),
        variant: variant.name().to_owned(),
        rules: Vec::new(),
        engines: players
            .iter()
            .map(|name| {
                EngineSpec::complete(&["proto=random", &format!("name={name}")], &[]).unwrap()
            })
            .collect(),
        pairings: Pairings::RoundRobin,
        rounds,
        seed: 7,
        openings: Openings::Start,
        margin: 20,
        stall: 10_000,
        resign: None,
        draw: None,
        max_turns: None,
        sprt: None,
        luck: false,
        shard: None,
    }
}

fn play<G: Engine>(header: &Header, variant: Variant, concurrency: usize) -> Record {
    let settings = Run {
        concurrency,
        quiet: true,
        ..Run::default()
    };
    run::<G>(header, variant, &G::Options::default(), &settings).unwrap()
}

fn timeless(record: &Record) -> Vec<GameRecord> {
    record
        .games
        .iter()
        .cloned()
        .map(GameRecord::timeless)
        .collect()
}

/// Random players: the same seed gives the same games, whatever the number of workers; another seed others; every
/// game ends by the rules and replays; shards merge to the record and the report of one run.
fn a_seed_is_a_tournament<G: Engine>(variant: Variant, rounds: u64, openings: Openings) {
    let whole = Header {
        openings,
        ..header(variant, rounds, &["a", "b", "c"])
    };
    let one = play::<G>(&whole, variant, 1);
    assert_eq!(one.games.len() as u64, 6 * rounds);
    for game in &one.games {
        assert_eq!(game.termination, Termination::Rules, "{game:?}");
        replay::verify::<G>(&whole, game, &G::Options::default()).unwrap();
    }
    let again = play::<G>(&whole, variant, 3);
    assert_eq!(timeless(&one), timeless(&again));
    let shards = (1..=4)
        .map(|number| {
            let share = Header {
                shard: Some((number, 4)),
                ..whole.clone()
            };
            play::<G>(&share, variant, 1)
        })
        .collect();
    let merged = Record::merge(shards).unwrap();
    assert_eq!(timeless(&one), timeless(&merged));
    assert_eq!(
        Tally::of(&whole, &one.games).report(&whole),
        Tally::of(&whole, &merged.games).report(&whole)
    );
    let other = play::<G>(&Header { seed: 8, ..whole }, variant, 1);
    assert_ne!(timeless(&one), timeless(&other));
}

#[test]
fn chess_tournament_of_random_players() {
    a_seed_is_a_tournament::<chess::Chess>(
        Variant::Chess,
        2,
        Openings::Random {
            turns: 4,
            balance: None,
        },
    );
}

#[test]
fn two_move_tournament_of_random_players() {
    a_seed_is_a_tournament::<twomove::TwoMove>(Variant::TwoMove, 2, Openings::Start);
}

#[test]
fn cubes_tournament_of_random_players_from_both_lateral_sides() {
    a_seed_is_a_tournament::<cubes::Position>(
        Variant::Cubes4d,
        2,
        Openings::Named("laterals".to_owned()),
    );
}

#[test]
fn superchess_tournament_of_random_players_after_the_prologue() {
    a_seed_is_a_tournament::<superchess::Superchess>(
        Variant::Superchess,
        2,
        Openings::Named("prologue".to_owned()),
    );
}

#[test]
fn dice_tournament_of_random_players() {
    a_seed_is_a_tournament::<dice::DiceChess>(Variant::DiceChess, 2, Openings::Start);
}

/// Every round has another array until all 432 were there, and another prologue until all 12,096 were there.
#[test]
fn openings_of_superchess_are_all_different() {
    let count = |openings: Openings, rounds: u64| {
        let mut fens: Vec<String> = (0..rounds)
            .map(|round| {
                openings
                    .of_round::<superchess::Superchess>(5, round, &superchess::Options::default())
                    .unwrap()
                    .position
                    .fen()
            })
            .collect();
        fens.sort();
        fens.dedup();
        fens.len()
    };
    assert_eq!(count(Openings::Named("arrays".to_owned()), 432), 432);
    // The 12,096 prologues lead to 432 arrays; a few hundred of them reach most.
    assert!(count(Openings::Named("prologue".to_owned()), 432) > 200);
}

/// 1,000 games of DiceChess: the rolls of a pair are the same turn by turn, and those of the longer game of each pair
/// pass a chi-square test over the 56 rolls (the 99.9 % quantile for 55 degrees of freedom is 93.2).
#[test]
fn dice_are_fair_and_the_same_for_both_players_of_a_pair() {
    let header = header(Variant::DiceChess, 500, &["a", "b"]);
    let record = play::<dice::DiceChess>(&header, Variant::DiceChess, 2);
    assert_eq!(record.games.len(), 1000);
    let mut counts = std::collections::HashMap::new();
    let mut total = 0u32;
    for pair in record.games.chunks(2) {
        assert_eq!(pair[0].dice_seed, pair[1].dice_seed);
        let rolls = |game: &GameRecord| -> Vec<String> {
            game.turns
                .iter()
                .map(|turn| turn.roll.clone().unwrap())
                .collect()
        };
        let (mut long, mut short) = (rolls(&pair[0]), rolls(&pair[1]));
        if long.len() < short.len() {
            std::mem::swap(&mut long, &mut short);
        }
        assert_eq!(long[..short.len()], short[..]);
        for roll in long {
            *counts.entry(Roll::parse(&roll).unwrap()).or_insert(0u32) += 1;
            total += 1;
        }
    }
    let chi_square: f64 = dice::DiceChess::rolls()
        .iter()
        .map(|(roll, weight)| {
            let expected = f64::from(total) * f64::from(*weight) / 216.0;
            let seen = f64::from(counts.get(roll).copied().unwrap_or(0));
            (seen - expected).powi(2) / expected
        })
        .sum();
    println!("{total} rolls, chi-square {chi_square:.1}");
    assert!(total > 10_000);
    assert!(chi_square < 93.2, "{chi_square}");
}

/// The luck of the dice is 0 on average over the rolls, and in a match it explains part of the results.
#[test]
fn luck_is_reckoned_for_dice() {
    let header = Header {
        luck: true,
        max_turns: Some(16),
        ..header(Variant::DiceChess, 2, &["a", "b"])
    };
    let record = play::<dice::DiceChess>(&header, Variant::DiceChess, 2);
    for pair in record.games.chunks(2) {
        assert!(pair.iter().all(|game| game.luck.unwrap().abs() < 10.0));
        assert!(pair.iter().any(|game| game.luck.unwrap() != 0.0));
    }
    let table = Table::new(1).unwrap();
    let start = dice::DiceChess::start(&dice::Options::default());
    let mean: f64 = dice::DiceChess::rolls()
        .iter()
        .map(|&(roll, weight)| luck::luck(&start, roll, &table) * f64::from(weight) / 216.0)
        .sum();
    assert!(mean.abs() < 1e-9, "{mean}");
    assert!(
        Tally::of(&header, &record.games)
            .report(&header)
            .contains("Luck-adjusted")
    );
}

/// A file in the directory for temporary files, gone when this is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fauve-match-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// The number of whole lines.
    fn lines(&self) -> usize {
        std::fs::read(&self.0).map_or(0, |text| text.split(|&byte| byte == b'\n').count() - 1)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn fauve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program, which has to succeed, and gives what it says.
fn said(arguments: &[&str]) -> String {
    let output = fauve(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "fauve {}\n{}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The report at the end of what a match says.
fn report(text: &str) -> &str {
    &text[text.find("Results of").unwrap()..]
}

/// `kill -9` at ten moments of a run of 40 games, and now and then a torn line on top of it: the games are all there,
/// each once, and are those of a run that nobody disturbed.
#[test]
fn killed_ten_times_and_gone_on_with() {
    let record = Scratch::new("killed.jsonl");
    let settings = [
        "match",
        "--quiet",
        "--engine",
        "cmd=self",
        "name=a",
        "nodes=60",
        "--engine",
        "cmd=self",
        "name=b",
        "nodes=30",
        "--games",
        "40",
        "--openings",
        "random:6",
        "--seed",
        "11",
        "--max-turns",
        "80",
        "--record",
        record.text(),
    ];
    for kill in 0..10 {
        let mut child = fauve(&settings).stdout(Stdio::null()).spawn().unwrap();
        let due = 1 + kill * 7 / 2;
        while record.lines() < due {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(kill as u64 * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        if kill % 3 == 0 {
            let mut file = OpenOptions::new().append(true).open(&record.0).unwrap();
            file.write_all(b"{\"type\":\"game\",\"gam").unwrap();
        }
    }
    said(&settings);
    let games = Record::read(&record.0).unwrap().games;
    let mut numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    said(&["verify", record.text()]);

    let undisturbed = Scratch::new("undisturbed.jsonl");
    let mut settings = settings;
    *settings.last_mut().unwrap() = undisturbed.text();
    said(&settings);
    let mut games: Vec<GameRecord> = games.into_iter().map(GameRecord::timeless).collect();
    games.sort_by_key(|game| game.game);
    assert_eq!(games, timeless(&Record::read(&undisturbed.0).unwrap()));
}

/// Engines with fixed nodes play the same games of DiceChess again from the same seed, and others from another.
#[test]
fn a_seed_reproduces_a_dice_match_of_engines() {
    let run = |seed: &str| {
        let record = Scratch::new(&format!("dice{seed}.jsonl"));
        said(&[
            "match",
            "--quiet",
            "--variant",
            "dicechess",
            "--engine",
            "cmd=self",
            "name=a",
            "nodes=400",
            "--engine",
            "cmd=self",
            "name=b",
            "nodes=100",
            "--games",
            "6",
            "--seed",
            seed,
            "--record",
            record.text(),
        ]);
        said(&["verify", record.text()]);
        timeless(&Record::read(&record.0).unwrap())
    };
    let first = run("21");
    assert_eq!(first.len(), 6);
    assert_eq!(first, run("21"));
    assert_ne!(first, run("22"));
}

/// Four shards, run by GNU parallel where there is one, merge to the record and the report of one run.
#[test]
fn four_shards_are_one_run() {
    let files: Vec<Scratch> = (1..=4)
        .map(|i| Scratch::new(&format!("shard{i}.jsonl")))
        .collect();
    let settings = [
        "match",
        "--quiet",
        "--engine",
        "cmd=self",
        "name=a",
        "nodes=200",
        "--engine",
        "cmd=self",
        "name=b",
        "nodes=50",
        "--engine",
        "proto=random",
        "--rounds",
        "3",
        "--openings",
        "random:4",
        "--seed",
        "5",
        "--max-turns",
        "60",
    ];
    let has_parallel = Command::new("parallel")
        .arg("--version")
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU"));
    if has_parallel {
        let status = Command::new("parallel")
            .args([
                "--will-cite",
                "--jobs",
                "2",
                "--quote",
                env!("CARGO_BIN_EXE_fauve"),
            ])
            .args(settings)
            .args([
                "--shard", "{1}/4", "--record", "{2}", ":::", "1", "2", "3", "4", ":::+",
            ])
            .args(files.iter().map(Scratch::text))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
    } else {
        println!("GNU parallel is not there, the shards run one after the other");
        for (i, file) in files.iter().enumerate() {
            let shard = format!("{}/4", i + 1);
            let more = ["--shard", &shard, "--record", file.text()];
            said(&[&settings[..], &more].concat());
        }
    }
    let merged = Scratch::new("merged.jsonl");
    let mut arguments = vec!["merge"];
    arguments.extend(files.iter().map(Scratch::text));
    arguments.extend(["--record", merged.text()]);
    let merged_report = said(&arguments);

    let one = Scratch::new("one.jsonl");
    let one_report = said(&[&settings[..], &["--record", one.text()]].concat());
    assert_eq!(report(&merged_report), report(&one_report));
    let (merged, one) = (
        Record::read(&merged.0).unwrap(),
        Record::read(&one.0).unwrap(),
    );
    assert_eq!(merged.header, one.header);
    assert_eq!(timeless(&merged), timeless(&one));
    assert_eq!(one.games.len(), 18);
}

/// A program that answers UCI from a shell script; `go` says what it does when it is asked for a turn.
fn script(go: &str) -> Vec<String> {
    vec![
        "cmd=sh".to_owned(),
        format!(
            "args=-c 'while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
             quit) exit;; go*) {go};; esac; done'"
        ),
    ]
}

/// A program that misbehaves loses with the reason, is started again, and the match goes on.
#[test]
fn misbehaviour_forfeits_with_its_reason() {
    let cases = [
        (
            "echo bestmove e2e5",
            &["--nodes", "10"][..],
            Termination::IllegalTurn,
            "makes an illegal turn: e2e5",
        ),
        (
            "echo bestmove",
            &["--nodes", "10"],
            Termination::IllegalTurn,
            "makes an illegal turn",
        ),
        (
            "echo oh dear >&2; exit 3",
            &["--nodes", "10"],
            Termination::Crash,
            "oh dear",
        ),
        (
            "true",
            &["--nodes", "10", "--stall", "1"],
            Termination::Stall,
            "stalls",
        ),
        (
            "true",
            &["--tc", "0.2+0"],
            Termination::Time,
            "loses on time",
        ),
        (
            "sleep 0.5; echo bestmove e7e5",
            &["--tc", "0.2+0"],
            Termination::Time,
            "loses on time",
        ),
    ];
    thread::scope(|scope| {
        for (number, (go, limit, termination, reason)) in cases.into_iter().enumerate() {
            scope.spawn(move || {
                let record = Scratch::new(&format!("forfeit{number}.jsonl"));
                let words = script(go);
                let mut arguments = vec![
                    "match",
                    "--quiet",
                    "--games",
                    "2",
                    "--record",
                    record.text(),
                ];
                arguments.extend([
                    "--engine",
                    &words[0],
                    &words[1],
                    "name=bad",
                    "--engine",
                    "proto=random",
                ]);
                arguments.extend(limit);
                said(&arguments);
                let games = Record::read(&record.0).unwrap().games;
                assert_eq!(games.len(), 2, "{go}");
                for game in games {
                    assert_eq!(game.termination, termination, "{go}: {game:?}");
                    assert!(game.reason.contains(reason), "{go}: {}", game.reason);
                    let bad_is_white = game.white == "bad";
                    assert_eq!(game.result.text(), if bad_is_white { "0-1" } else { "1-0" });
                }
            });
        }
    });
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let text = said(&[
        "match",
        "--engine",
        "cmd=self",
        "nodes=300",
        "--engine",
        "proto=random",
        "--rounds",
        "500",
        "--sprt",
        "elo0=0",
        "elo1=200",
        "--seed",
        "1",
        "--openings",
        "random:2",
    ]);
    let games = text
        .lines()
        .filter(|line| line.starts_with("Finished game"))
        .count();
    assert!(report(&text).contains("H1 accepted"), "{text}");
    assert!((4..200).contains(&games), "{games}");
}

/// A record that was tampered with is found out: a turn, a result, a player.
#[test]
fn verify_finds_what_was_changed() {
    let record = Scratch::new("tampered.jsonl");
    let pgn = Scratch::new("tampered.pgn");
    said(&[
        "match",
        "--quiet",
        "--engine",
        "proto=random",
        "name=a",
        "--engine",
        "proto=random",
        "name=b",
        "--games",
        "2",
        "--seed",
        "3",
        "--record",
        record.text(),
        "--pgn",
        pgn.text(),
    ]);
    said(&["verify", record.text(), pgn.text()]);
    let honest = std::fs::read_to_string(&record.0).unwrap();
    let first = Record::read(&record.0).unwrap().games.remove(0);
    let swapped = match first.result.text() {
        "1-0" => "0-1",
        _ => "1-0",
    };
    let changes = [
        (
            format!("\"token\":\"{}\"", first.turns[4].token),
            "\"token\":\"a1a8\"".to_owned(),
        ),
        (
            format!("\"result\":\"{}\"", first.result.text()),
            format!("\"result\":\"{swapped}\""),
        ),
        ("\"white\":\"a\"".to_owned(), "\"white\":\"b\"".to_owned()),
    ];
    for (from, to) in changes {
        let tampered = honest.replacen(&from, &to, 1);
        assert_ne!(tampered, honest);
        std::fs::write(&record.0, tampered).unwrap();
        let output = fauve(&["verify", record.text()]).output().unwrap();
        assert!(!output.status.success(), "{from} became {to}");
    }
    let text = std::fs::read_to_string(&pgn.0).unwrap();
    std::fs::write(&pgn.0, text.replacen("1. ", "1. Ke5 ", 1)).unwrap();
    assert!(
        !fauve(&["verify", pgn.text()])
            .output()
            .unwrap()
            .status
            .success()
    );
}

#[test]
fn settings_that_make_no_match_are_refused_with_a_reason() {
    let two = [
        "--engine",
        "proto=random",
        "name=a",
        "--engine",
        "proto=random",
        "name=b",
    ];
    for (more, reason) in [
        (&["--games", "3"][..], "even number"),
        (&["--openings", "arrays"], "arrays are of superchess"),
        (&["--openings", "/nonexistent.epd"], "nonexistent"),
        (&["--tournament", "swiss"], "roundrobin or gauntlet"),
        (&["--sprt", "elo0=5", "elo1=0"], "elo0 must be less"),
        (&["--shard", "5/4", "--seed", "1"], "I from 1 to N"),
        (&["--rule", "Hash=5"], "no rule switch"),
        (&["--rule", "Prologue=perhaps"], "true or false"),
        (&["--engine", "cmd=/nonexistent"], "no limit"),
        (&["--engine", "cmd=/nonexistent", "nodes=1"], "cannot start"),
        (
            &["--engine", "cmd=self", "nodes=1", "option.No Such=1"],
            "no option",
        ),
        (&["--resign", "colour=red"], "score and turns"),
    ] {
        let output = fauve(&[&["match"], &two[..], more].concat())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{more:?}");
        assert!(text.contains(reason), "{more:?}: {text}");
    }
}

/// A hundred games by default, with few nodes: every pair has an opening (or dice) of its own, and both of its games begin
/// alike; with `--openings startpos` all begin at the start.
#[test]
fn fault_11_a_hundred_games_by_default_are_fifty_openings() {
    for &variant in Variant::ALL {
        let run = |more: &[&str]| {
            let record = Scratch::new(&format!("varied-{variant}.jsonl"));
            let mut words = vec!["match", "--quiet", "--variant", variant.name()];
            words.extend(["--engine", "cmd=self", "name=a", "--engine", "cmd=self"]);
            words.extend(["name=b", "--nodes", "1", "--max-turns", "1", "--seed", "9"]);
            words.extend(["--no-luck", "--record", record.text()]);
            words.extend(more);
            said(&words);
            Record::read(&record.0).unwrap().games
        };
        let games = run(&["--rounds", "50"]);
        assert_eq!(games.len(), 100);
        let begin = |game: &GameRecord| (game.start.clone(), game.dice_seed.clone());
        let mut begins = BTreeSet::new();
        for pair in games.chunks(2) {
            assert_eq!(begin(&pair[0]), begin(&pair[1]));
            assert!(begins.insert(begin(&pair[0])), "{variant}: {:?}", pair[0]);
        }
        let games = run(&["--rounds", "2", "--openings", "startpos"]);
        assert_eq!(games[0].start, games[2].start);
    }
}
