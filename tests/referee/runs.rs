//! Runs that are stopped and go on, that are shared out, that are checked afterwards.

use super::{RANDOM, Scratch, fauve, random_games, report, said, timeless};
use crate::skipped::has_gnu_parallel;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_referee::record::{GameRecord, Record, Termination};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// `kill -9` at ten moments of a run of 40 games, and now and then a torn line on top of it: the games are all there,
/// each once, and are those of a run that nobody disturbed.
#[test]
#[ignore = "ten seconds: cargo test -- --ignored long_"]
fn long_a_match_killed_ten_times_is_resumed() {
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
            "4",
            "--seed",
            seed,
            "--record",
            record.text(),
        ]);
        said(&["verify", record.text()]);
        timeless(&Record::read(&record.0).unwrap())
    };
    let first = run("21");
    assert_eq!(first.len(), 4);
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
    if has_gnu_parallel("shards run one after the other") {
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
    let files = ["--record", record.text(), "--pgn", pgn.text()];
    said(&random_games("2", "3", &files));
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
    // 2 where the words are wrong by themselves, 1 where files or players are.
    for (status, more, reason) in [
        (2, &["--games", "3"][..], "even number"),
        (2, &["--openings", "arrays"], "arrays are of superchess"),
        (2, &["--openings", "random:x"], "a number of turns"),
        (2, &["--start", "5"], "is not a file"),
        (1, &["--openings", "/nonexistent.epd"], "nonexistent"),
        (
            2,
            &["--tournament", "swiss"],
            "roundrobin, gauntlet or knockout",
        ),
        (2, &["--sprt", "elo0=5", "elo1=0"], "elo0 must be less"),
        (2, &["--sprt", "alpha=2"], "between 0 and 1"),
        (2, &["--shard", "5/4", "--seed", "1"], "I from 1 to N"),
        (2, &["--rule", "Hash=5"], "not a rule switch"),
        (2, &["--rule", "Prologue=perhaps"], "true or false"),
        (2, &["--engine", "cmd=/nonexistent"], "no limit"),
        (
            1,
            &["--engine", "cmd=/nonexistent", "nodes=1"],
            "cannot start",
        ),
        (
            1,
            &["--engine", "cmd=self", "nodes=1", "option.No Such=1"],
            "no option",
        ),
        (2, &["--resign", "colour=red"], "score, turns and sides"),
    ] {
        let output = fauve(&[&["match"], &RANDOM[..], more].concat())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{more:?}");
        assert!(text.contains(reason), "{more:?}: {text}");
    }
}

/// A hundred games by default, with few nodes: every pair has an opening (or dice) of its own, and both of its games begin
/// alike; with `--openings startpos` all begin at the start.
#[test]
#[ignore = "ten seconds: cargo test -- --ignored long_"]
fn long_a_hundred_games_by_default_are_fifty_openings() {
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

/// A record of three rounds becomes one of six: the games are those of a run of six.
#[test]
fn a_tournament_is_prolonged() {
    let (grown, whole) = (Scratch::new("grown.jsonl"), Scratch::new("whole.jsonl"));
    said(&random_games("6", "4", &["--record", grown.text()]));
    said(&random_games("12", "4", &["--record", grown.text()]));
    said(&random_games("12", "4", &["--record", whole.text()]));
    let (grown, whole) = (
        Record::read(&grown.0).unwrap(),
        Record::read(&whole.0).unwrap(),
    );
    assert_eq!(grown.header, whole.header);
    assert_eq!(timeless(&grown), timeless(&whole));
}

/// What is missing of a tournament is named, and games that were played twice count once.
#[test]
fn merge_names_the_shard_that_is_missing() {
    let file = |number: usize| Scratch::new(&format!("part{number}.jsonl"));
    let files: Vec<Scratch> = (1..=4).map(file).collect();
    for (number, file) in (1..).zip(&files) {
        if number != 3 {
            let shard = format!("{number}/4");
            said(&random_games(
                "16",
                "4",
                &["--shard", &shard, "--record", file.text()],
            ));
        }
    }
    let errors = |files: &[&str]| {
        let output = fauve(&[&["merge"], files].concat()).output().unwrap();
        assert!(output.status.success());
        let report = String::from_utf8(output.stdout).unwrap();
        (String::from_utf8(output.stderr).unwrap(), report)
    };
    let three = [files[0].text(), files[1].text(), files[3].text()];
    let (said_of_three, report) = errors(&three);
    assert_eq!(said_of_three, "note: 12 of 16 games, shard 3/4 missing\n");
    assert!(report.contains("Games: 12,"), "{report}");
    // The same shard as pairs, and another one again.
    said(&random_games(
        "16",
        "4",
        &["--pairs", "3", "--record", files[2].text()],
    ));
    let rest = Scratch::new("rest.jsonl");
    said(&random_games(
        "16",
        "4",
        &["--pairs", "6-7", "--record", rest.text()],
    ));
    let all = [&three[..], &[files[2].text(), rest.text()]].concat();
    let (said_of_all, report) = errors(&all);
    assert!(!said_of_all.contains("missing"), "{said_of_all}");
    assert!(report.contains("Games: 16,"), "{report}");
}

/// Ends that the players' values bring, openings, luck and reasons are computed again.
#[test]
fn verify_finds_changed_values_openings_luck_and_reasons() {
    let record = Scratch::new("computed.jsonl");
    said(&[
        "match",
        "--quiet",
        "--variant",
        "dicechess",
        "--games",
        "2",
        "--seed",
        "3",
        "--nodes",
        "20",
        "--max-turns",
        "3",
        "--engine",
        "proto=internal",
        "name=a",
        "option.Hash=1",
        "--engine",
        "proto=internal",
        "name=b",
        "option.Hash=1",
        "--record",
        record.text(),
    ]);
    said(&["verify", record.text()]);
    let honest = std::fs::read_to_string(&record.0).unwrap();
    let found = |text: &str, what: &str| {
        assert_ne!(text, honest);
        std::fs::write(&record.0, text).unwrap();
        let output = fauve(&["verify", record.text()]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{what}");
        assert!(errors.contains(what), "{what}: {errors}");
    };
    let games = Record::read(&record.0).unwrap().games;
    assert!(
        games
            .iter()
            .any(|game| game.termination == Termination::Adjudication),
        "{games:?}"
    );
    let reason = games[0].reason.clone();
    found(
        &honest.replacen(&reason, "White was tired", 1),
        "the reason of its end",
    );
    found(
        &honest.replacen("\"max_turns\":3", "\"max_turns\":1", 1),
        "ends otherwise",
    );
    found(
        &honest.replacen("\"max_turns\":3", "\"max_turns\":300", 1),
        "was adjudicated",
    );
    let luck = games[0].luck.unwrap();
    let changed = honest.replacen(
        &format!("\"luck\":{luck}"),
        &format!("\"luck\":{}", luck + 0.5),
        1,
    );
    found(&changed, "the luck of the dice");
    found(
        &honest.replacen("\"seed\":3", "\"seed\":4", 1),
        "the tournament gives",
    );
}

/// A record does not hold the book; `verify` reads it where it was, or where it is now.
#[test]
fn verify_compares_the_openings_with_the_book() {
    let folder = Scratch::folder("book");
    let (record, book, moved) = (folder.at("r.jsonl"), folder.at("b.epd"), folder.at("m.epd"));
    let lines = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
                 rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n";
    std::fs::write(&book, lines).unwrap();
    said(&random_games(
        "4",
        "1",
        &["--openings", &book, "--record", &record],
    ));
    let text = std::fs::read_to_string(&record).unwrap();
    assert!(!text.lines().next().unwrap().contains("rnbqkbnr"));
    let verify = |more: &[&str]| {
        let output = fauve(&[&["verify", &record], more].concat())
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.success(), errors)
    };
    assert_eq!(verify(&[]), (true, String::new()));
    // The other opening is in the book, but not that of this round.
    let fen = |pawn: &str| format!("\"start\":\"rnbqkbnr/pppppppp/8/8/{pawn}");
    let swapped = text.replace(&fen("4P3"), &fen("3P4"));
    assert_ne!(swapped, text);
    std::fs::write(&record, swapped).unwrap();
    assert!(verify(&[]).1.contains("it begins at"));
    std::fs::write(&record, &text).unwrap();
    std::fs::rename(&book, &moved).unwrap();
    let (is_right, note) = verify(&[]);
    assert!(is_right && note.contains("is not at hand"), "{note}");
    assert_eq!(verify(&["--openings", &moved]), (true, String::new()));
    std::fs::write(&moved, lines.lines().next().unwrap()).unwrap();
    assert!(verify(&["--openings", &moved]).1.contains("another book"));
}

/// Shards with a sequential test are watched while they are played; when the test is decided they end after their games, and the
/// decision is that of one run with the same seed.
#[test]
fn watched_shards_decide_as_one_run_does() {
    let folder = Scratch::folder("watched");
    let settings = [
        "match",
        "--quiet",
        "--engine",
        "proto=internal",
        "name=a",
        "nodes=60",
        "option.Hash=1",
        "--engine",
        "proto=random",
        "name=b",
        "--rounds",
        "5000",
        "--seed",
        "1",
        "--openings",
        "random:4",
        "--sprt",
        "elo0=0",
        "elo1=100",
        "--concurrency",
        "1",
        "--max-turns",
        "60",
        "--resign",
        "score=300",
        "turns=1",
        "sides=loser",
    ];
    let decision = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("SPRT: "));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let one = said(&settings);
    let mut shards: Vec<_> = (1..=3)
        .map(|number| {
            let shard = format!("{number}/3");
            let record = folder.at(&format!("{number}.jsonl"));
            let share = ["--shard", &shard, "--record", &record];
            fauve(&[&settings[..], &share].concat())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let done = folder.at("done");
    let then = format!("touch {done}");
    let text = said(&[
        "watch",
        folder.0.to_str().unwrap(),
        "--interval",
        "1",
        "--then",
        &then,
    ]);
    assert_eq!(decision(&text), decision(&one));
    assert!(std::path::Path::new(&done).exists());
    for shard in shards.drain(..) {
        let output = shard.wait_with_output().unwrap();
        assert!(output.status.success());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("decided elsewhere"), "{errors}");
    }
    // A report of what is there, and of what another tournament has left.
    let other = folder.at("other.jsonl");
    said(&random_games("2", "9", &["--record", &other]));
    let output = fauve(&["watch", folder.0.to_str().unwrap(), "--once"])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("other.jsonl is left out: it is of another tournament ("),
        "{errors}"
    );
    assert_eq!(
        decision(&String::from_utf8(output.stdout).unwrap()),
        decision(&one)
    );
}

/// The clocks of a machine are multiplied by a factor or by what its benchmark says, which the record keeps; the tournament is the
/// same one.
#[test]
fn clocks_are_scaled_to_the_machine() {
    let run = |scale: &str, shard: &str| {
        let record = Scratch::new(&format!("scale-{scale}-{}.jsonl", &shard[..1]));
        let pgn = Scratch::new(&format!("scale-{scale}-{}.pgn", &shard[..1]));
        let settings = [
            "match",
            "--engine",
            "proto=internal",
            "name=a",
            "option.Hash=1",
            "depth=1",
            "tc=8+0.1",
            "--engine",
            "proto=random",
            "name=b",
            "--rounds",
            "2",
            "--max-turns",
            "4",
            "--seed",
            "1",
            "--scale",
            scale,
            "--record",
            record.text(),
            "--pgn",
            pgn.text(),
            "--shard",
            shard,
        ];
        let text = said(&settings);
        said(&["verify", record.text(), pgn.text()]);
        (record, text, pgn)
    };
    let (half, text, pgn) = run("0.5", "1/2");
    assert!(text.contains("multiplied by 0.500"), "{text}");
    // The tags say what the clocks show.
    let pgn = pgn.read();
    assert!(pgn.contains("TimeControl \"4+0.05 "), "{pgn}");
    assert!(!pgn.contains("8+0.1"), "{pgn}");
    let games = Record::read(&half.0).unwrap().games;
    for game in &games {
        assert_eq!(game.scale, Some(0.5));
        let left: Vec<u64> = game.turns.iter().filter_map(|turn| turn.left).collect();
        assert!(!left.is_empty());
        assert!(
            left.iter().all(|&left| (3000..4200).contains(&left)),
            "{left:?}"
        );
    }
    let (measured, text, _) = run("bench", "2/2");
    let factor = Record::read(&measured.0).unwrap().games[0].scale.unwrap();
    assert!(
        factor > 0.0 && text.contains(&format!("multiplied by {factor:.3}")),
        "{text}"
    );
    // How times are found is a setting of the tournament; the factor is not.
    let both = fauve(&["merge", half.text(), measured.text()])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&both.stderr).contains("scale"));
    let (first, ..) = run("bench", "1/2");
    said(&["merge", first.text(), measured.text()]);
    for wrong in ["0", "-1", "fast", "1e9"] {
        let output = fauve(&["match", &format!("--scale={wrong}"), "--engine", "x"])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("factor from 0.01 to 100"), "{errors}");
    }
}

/// With --no-swap the same player has White in all games, which begin differently; with --reverse the second one begins. The points
/// are counted for the right side.
#[test]
fn colours_stay_or_are_reversed_on_demand() {
    for (options, whites, openings) in [
        (&[][..], ["a", "b", "a", "b"], 2),
        (&["--reverse"], ["b", "a", "b", "a"], 2),
        (&["--no-swap"], ["a", "a", "a", "a"], 4),
        (&["--noswap", "--reverse"], ["b", "b", "b", "b"], 4),
    ] {
        let record = Scratch::new(&format!("colours{}.jsonl", options.len() + openings));
        let files = [
            "--openings",
            "random:6",
            "--record",
            record.text(),
            "--max-turns",
            "200",
        ];
        let text = said(&random_games("4", "7", &[&files[..], options].concat()));
        let games = Record::read(&record.0).unwrap().games;
        let white: Vec<&str> = games.iter().map(|game| game.white.as_str()).collect();
        assert_eq!(white, whites, "{options:?}");
        let starts: BTreeSet<&str> = games.iter().map(|game| game.start.as_str()).collect();
        assert_eq!(starts.len(), openings, "{options:?}");
        let points = |game: &GameRecord| {
            let color = if game.white == "a" {
                Color::White
            } else {
                Color::Black
            };
            f64::from(game.result.half_points(color)) / 2.0
        };
        let points: f64 = games.iter().map(points).sum();
        let report = report(&text);
        assert!(
            report.contains(&format!("Points: {points:.1} ")),
            "{points} {report}"
        );
        said(&["verify", record.text()]);
    }
}

/// Shares of one tournament are known by it, also where one of them has been prolonged; and there may be more shares than anyone plays.
#[test]
fn shares_of_other_lengths_are_of_one_tournament() {
    let folder = Scratch::folder("shares");
    let (short, long) = (folder.at("short.jsonl"), folder.at("long.jsonl"));
    let share = |rounds: &str, record: &str| {
        said(&random_games(
            rounds,
            "3",
            &["--shard", "1/1000000000000", "--record", record],
        ));
        Record::read(record.as_ref()).unwrap().header
    };
    let [first, second] =
        [("2", short.as_str()), ("4", long.as_str())].map(|(rounds, record)| share(rounds, record));
    assert_ne!(first.rounds, second.rounds);
    assert_eq!(first.fingerprint(), second.fingerprint());
    let merged = super::ended(&["merge", &long], Duration::from_secs(20));
    assert!(merged.output.status.success(), "{}", merged.errors());
}

/// In a knockout the better player of each meeting goes on, after tie breaks if need be; the meetings are records of their own, and the
/// same command plays nothing twice.
#[test]
fn the_better_player_of_a_meeting_goes_on() {
    let folder = Scratch::folder("knockout");
    let cup = folder.at("cup");
    let mut settings = vec![
        "match",
        "--tournament",
        "knockout",
        "--quiet",
        "--rounds",
        "1",
        "--seed",
        "4",
    ];
    settings.extend([
        "--max-turns",
        "80",
        "--openings",
        "random:4",
        "--record",
        &cup,
    ]);
    for (kind, name) in [
        ("proto=random", "name=a"),
        ("proto=random", "name=b"),
        ("proto=greedy", "name=g"),
        ("proto=random", "name=c"),
        ("proto=random", "name=d"),
    ] {
        settings.extend(["--engine", kind, name]);
    }
    let text = said(&settings);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "{text}");
    assert_eq!(
        lines[..3].join(", "),
        "Round 1: a has a bye, Round 1: b has a bye, Round 1: g has a bye"
    );
    assert!(lines[3].starts_with("Round 1: c - d "), "{text}");
    assert!(lines[4].starts_with("Round 2: a - "), "{text}");
    assert!(lines[5].starts_with("Round 2: b - g "), "{text}");
    assert_eq!(lines[7], "Winner: g", "{text}");
    for meeting in ["1-1", "2-1", "2-2", "3-1"] {
        let record = folder.at(&format!("cup/{meeting}.jsonl"));
        said(&["verify", &record]);
        said(&["verify", &folder.at(&format!("cup/{meeting}.pgn"))]);
        // More pairs than one where the first was drawn, and none without need.
        let games = Record::read(std::path::Path::new(&record)).unwrap().games;
        let first = games[0].white.clone();
        let ahead = |games: &[GameRecord]| {
            let points = |game: &GameRecord| {
                let color = if game.white == first {
                    Color::White
                } else {
                    Color::Black
                };
                i32::from(game.result.half_points(color)) - 1
            };
            games.iter().map(points).sum::<i32>()
        };
        assert!(games.len().is_multiple_of(2) && games.len() <= 22);
        for pairs in 1..games.len() / 2 {
            assert_eq!(ahead(&games[..2 * pairs]), 0, "{meeting}");
        }
    }
    let before = std::fs::read(folder.at("cup/2-1.jsonl")).unwrap();
    assert_eq!(said(&settings), text);
    assert_eq!(std::fs::read(folder.at("cup/2-1.jsonl")).unwrap(), before);
    // A PGN without a record is somebody else's, and missed before the first game.
    std::fs::remove_file(folder.at("cup/3-1.jsonl")).unwrap();
    let pgn = folder.at("cup/3-1.pgn");
    std::fs::write(&pgn, "precious").unwrap();
    let output = fauve(&settings).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && output.stdout.is_empty(),
        "{errors}"
    );
    assert!(
        errors.contains("3-1.pgn: the file is there already"),
        "{errors}"
    );
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "precious");
    // A meeting that was broken off is played to its end.
    assert_eq!(said(&[&settings[..], &["--force"]].concat()), text);
    for wrong in [
        &["--pgn", "x"][..],
        &["--shard", "1/2"],
        &["--report", "json"],
    ] {
        let output = fauve(&[&settings, wrong].concat()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("a knockout takes no"), "{errors}");
    }
}
