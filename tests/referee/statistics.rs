//! What a report may claim: luck as the analysis sees it, and no certainty from repeated games.

use super::{Scratch, fauve, random_games, report, said};
use fauve_referee::record::Record;

/// The luck in the record of a match is that of `fauve analyse`, which goes another way: it asks the search for the mean
/// over all rolls at once, where the referee searches each.
#[test]
fn record_and_analysis_agree_on_the_luck_of_ten_games() {
    let record = Scratch::new("luck.jsonl");
    said(&[
        "match",
        "--quiet",
        "--variant",
        "dicechess",
        "--engine",
        "cmd=self",
        "name=a",
        "nodes=300",
        "--engine",
        "proto=random",
        "name=b",
        "--games",
        "10",
        "--seed",
        "10",
        "--max-turns",
        "40",
        "--record",
        record.text(),
    ]);
    let games = Record::read(&record.0).unwrap().games;
    assert_eq!(games.len(), 10);
    let mut total = 0.0;
    for (number, game) in (1..).zip(games) {
        let number: u32 = number;
        let lines = said(&[
            "analyse",
            "--variant",
            "dicechess",
            "--depth",
            "1",
            "--hash",
            "1",
            "--json",
            "--game",
            &number.to_string(),
            record.text(),
        ]);
        let mut luck = 0.0;
        for line in lines.lines() {
            let turn: serde_json::Value = serde_json::from_str(line).unwrap();
            let sign = if turn["side"] == "w" { 1.0 } else { -1.0 };
            luck += sign * turn["luck"].as_f64().unwrap();
        }
        let recorded = game.luck.unwrap();
        assert!(
            (luck - recorded).abs() < 1e-6,
            "game {number}: {luck} and {recorded}"
        );
        total += luck.abs();
    }
    assert!(total > 0.5, "there was luck in these games: {total}");
}

/// Two players without randomness from one start: 30 games, of which two are different. They prove nothing.
#[test]
fn repeated_games_carry_no_weight() {
    let settings = [
        "match",
        "--quiet",
        "--engine",
        "cmd=self",
        "name=a",
        "nodes=400",
        "--engine",
        "cmd=self",
        "name=b",
        "nodes=20",
        "--games",
        "30",
        "--openings",
        "startpos",
        "--seed",
        "1",
        "--max-turns",
        "60",
        "--resign",
        "score=400",
        "turns=2",
    ];
    let text = said(&settings);
    let text = report(&text);
    assert!(text.contains("Games: 30, "), "{text}");
    assert!(
        text.contains("Distinct games: 2; the other 28 repeat them"),
        "{text}"
    );
    assert!(!text.contains("+/- 0.00"), "{text}");
    assert!(!text.contains("LOS: 100.00"), "{text}");
    let test = [&settings[..], &["--sprt", "elo0=0", "elo1=100"]].concat();
    let text = said(&test);
    assert!(report(&text).contains("Games: 30, "), "{text}");
    assert!(!text.contains("accepted"), "{text}");
}

/// Games that differ all carry weight, and nothing is said about repetition.
#[test]
fn distinct_games_carry_weight() {
    let text = said(&random_games("20", "4", &[]));
    assert!(!text.contains("Distinct games"), "{text}");
}

/// A tournament as two shards, as their merged record, as one run and as PGN: whatever of it is given, each game counts once.
#[test]
fn ratings_count_a_game_once_however_many_files_have_it() {
    let folder = Scratch::folder("rate");
    let players = ["--engine", "proto=random", "name=c", "--max-turns", "60"];
    let run = |more: &[&str]| {
        said(&[&random_games("6", "3", &players)[..], more].concat());
    };
    let at = |name: &str| folder.at(name);
    let names = ["one.jsonl", "1.jsonl", "2.jsonl", "all.jsonl", "one.pgn"].map(at);
    let [one, first, second, merged, pgn] = names.each_ref().map(String::as_str);
    run(&["--record", one, "--pgn", pgn]);
    run(&["--record", first, "--shard", "1/2"]);
    run(&["--record", second, "--shard", "2/2"]);
    said(&["merge", first, second, "--record", merged]);
    let table = said(&["rate", one]);
    let width = |line: &str| line.chars().count();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(
        lines[0].starts_with("player  ") && !table.contains('|'),
        "{table}"
    );
    let column = |line: &str| width(&line[..line.find(" %").unwrap()]);
    assert!(
        lines[2..]
            .iter()
            .all(|line| column(line) == column(lines[1]))
    );
    for files in [
        &[first, second][..],
        &[second, first, merged],
        &[one, merged, pgn, first, second],
        &[pgn, one],
    ] {
        let given = [&["rate"], files].concat();
        let output = fauve(&given).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text, table, "{files:?}");
        let notes = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            notes.contains("several times"),
            files.len() > 1 && files != [first, second]
        );
    }
    assert_eq!(said(&["rate", pgn]).lines().count(), 4);
    let text = said(&["rate", "--markdown", one]);
    assert!(text.starts_with("| player | Elo |"), "{text}");
}

/// Lists of results have no turns: each line of them is a game of its own.
#[test]
fn results_without_turns_are_all_counted() {
    let game = |result: &str| {
        format!("[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    let games = game("1-0").repeat(10) + &game("0-1");
    let file = Scratch::file("results.pgn", games);
    let output = fauve(&["rate", file.text()]).output().unwrap();
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        table.contains("90.9 %") && table.contains(" 11 "),
        "{table}"
    );
    assert!(
        output.stderr.is_empty(),
        "{:?}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn what_cannot_be_rated_is_refused_with_a_sentence() {
    let pgn = |name: &str, text: &str| Scratch::file(name, text);
    let one = pgn("one.pgn", "[White \"a\"]\n[Black \"b\"]\n\n1. e4 1-0\n");
    let other = pgn(
        "other.pgn",
        "[White \"c\"]\n[Black \"d\"]\n\n1. e4 1/2-1/2\n",
    );
    let unfinished = pgn("open.pgn", "[White \"a\"]\n[Black \"b\"]\n\n1. e4 *\n");
    let dice = pgn(
        "dice.pgn",
        "[Variant \"dicechess\"]\n[White \"a\"]\n[Black \"b\"]\n\n1-0\n",
    );
    let notes = pgn("notes.txt", "my notes\n");
    for (files, part) in [
        (&[&one, &other][..], "no games connect c with a"),
        (&[&unfinished], "no finished games"),
        (&[&one, &dice], "that is dicechess, the others are chess"),
        (&[&notes], "neither a record nor PGN"),
    ] {
        let mut words = vec!["rate"];
        words.extend(files.iter().map(|file| file.text()));
        let output = fauve(&words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(part),
            "{errors}"
        );
    }
    let output = fauve(&["rate", one.text()]).output().unwrap();
    let notes = String::from_utf8_lossy(&output.stderr);
    assert!(notes.contains("b has lost every game"), "{notes}");
}
