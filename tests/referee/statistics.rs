//! What a report may claim: luck as the analysis sees it, and no certainty from repeated games.

use super::{Scratch, random_games, report, said};
use fauve_referee::record::Record;

/// The luck in the record of a match is that of `fauve analyse`, which goes another way: it asks the search for the mean
/// over all rolls at once, where the referee searches each.
#[test]
fn fault_10_record_and_analysis_agree_on_the_luck_of_ten_games() {
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
fn fault_11_repeated_games_carry_no_weight() {
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
fn fault_11_distinct_games_carry_weight() {
    let text = said(&random_games("20", "4", &[]));
    assert!(!text.contains("Distinct games"), "{text}");
}
