//! Play below full strength: the range of Elo, its errors, and how a clock is used.

use super::driver::{Engine, number};
use std::time::Instant;

/// The Elo at the start, the least and the greatest, as the engine says them.
fn range(engine: &mut Engine) -> [u64; 3] {
    engine.send("uci");
    let (lines, _) = engine.until("uciok", |line| line == "uciok");
    let start = "option name UCI_Elo type spin ";
    let line = lines.iter().find(|line| line.starts_with(start)).unwrap();
    ["default", "min", "max"].map(|word| number(line, word).unwrap())
}

/// Holds the engine to the least Elo of its game.
fn limited(variant: &str) -> Engine {
    let mut engine = Engine::of(variant);
    let [_, least, _] = range(&mut engine);
    engine.quietly("setoption name UCI_LimitStrength value true");
    engine.quietly(&format!("setoption name UCI_Elo value {least}"));
    engine.quietly("setoption name Strength Seed value 5");
    engine
}

#[test]
fn every_game_has_a_range_of_its_own_and_what_is_no_number_is_refused() {
    let mut ranges = Vec::new();
    for variant in ["chess", "superchess", "twomove", "dicechess", "cubes4d"] {
        let [start, least, greatest] = range(&mut Engine::of(variant));
        assert!(
            least <= start && start <= greatest && least + 300 < greatest,
            "{variant}"
        );
        ranges.push((least, greatest));
    }
    assert!(ranges.iter().any(|range| *range != ranges[0]));
    let mut engine = Engine::start(&[]);
    for wrong in ["1e3", "strong", ""] {
        let said = engine.ask(&format!("setoption name UCI_Elo value {wrong}"));
        assert!(
            said.len() == 1 && said[0].contains("UCI_Elo takes"),
            "{wrong}: {said:?}"
        );
    }
    // What another game has, or none, is brought into the range of this one.
    engine.quietly("setoption name UCI_LimitStrength value true");
    let (own_least, own_greatest) = ranges[0];
    let others = ranges
        .iter()
        .flat_map(|&(least, greatest)| [least, greatest]);
    for elo in others.chain([0, 9999]) {
        let said = engine.ask(&format!("setoption name UCI_Elo value {elo}"));
        let used = elo.clamp(own_least, own_greatest);
        if used == elo {
            assert!(said.is_empty(), "{elo}: {said:?}");
        } else {
            let ends = format!("{own_least} to {own_greatest}; {used} is used");
            assert!(
                said.len() == 1 && said[0].ends_with(&ends),
                "{elo}: {said:?}"
            );
        }
        assert_ne!(engine.go("nodes 5000").best, "(none)");
    }
    for (elo, used) in [
        ("-1", own_least),
        ("99999999999999999999", own_greatest),
        ("-99999999999999999999", own_least),
    ] {
        let said = engine.ask(&format!("setoption name UCI_Elo value {elo}"));
        assert!(
            said.len() == 1
                && said[0].starts_with(&format!("info string UCI_Elo {elo} "))
                && said[0].ends_with(&format!("; {used} is used")),
            "{said:?}"
        );
    }
}

#[test]
fn a_clock_is_used_as_a_person_would_and_other_limits_at_once() {
    for position in ["position startpos", "position startpos moves e2e4 e7e5"] {
        let mut engine = limited("chess");
        engine.quietly(position);
        let begin = Instant::now();
        engine.go("nodes 1000");
        engine.go("depth 1");
        let at_once = begin.elapsed().as_millis();
        let begin = Instant::now();
        engine.go("wtime 60000 btime 60000");
        let thought = begin.elapsed().as_millis();
        // A thirtieth of the clock is two seconds; people take more, or less.
        assert!((550..6000).contains(&thought), "{thought} ms");
        assert!(at_once < thought, "{at_once} ms");
    }
}

#[test]
fn a_limited_engine_does_not_lose_on_time_and_can_be_stopped() {
    let mut engine = limited("chess");
    for left in [1, 20, 100, 400] {
        let begin = Instant::now();
        engine.go(&format!("wtime {left} btime {left}"));
        // A busy machine may take its time to begin.
        let used = begin.elapsed().as_millis();
        assert!(used < left + 500, "{used} of {left} ms");
    }
    let begin = Instant::now();
    engine.send("go wtime 3600000 btime 3600000");
    engine.send("stop");
    engine.best();
    assert!(begin.elapsed().as_secs() < 20);
    // The only legal turn takes a tenth of the time.
    engine.quietly("position fen 7k/8/8/8/8/8/r7/7K w - - 0 1");
    let begin = Instant::now();
    engine.go("wtime 300000 btime 300000");
    assert!(begin.elapsed().as_secs() < 5);
}

#[test]
fn errors_are_the_same_with_the_same_seed_in_every_game() {
    for (variant, position) in [
        ("chess", "position startpos moves e2e4 e7e5 g1f3"),
        ("superchess", "position startpos"),
        ("twomove", "position startpos moves e2e4"),
        ("dicechess", "position startpos"),
        ("cubes4d", "position startpos"),
    ] {
        let limit = if variant == "dicechess" {
            "nodes 3000 dice PNB"
        } else {
            "nodes 3000"
        };
        let answers = || {
            let mut engine = limited(variant);
            engine.quietly(position);
            // What the engine has seen before does not help it.
            let first = engine.go(limit).best;
            engine.quietly("ucinewgame");
            [first, engine.go(limit).best]
        };
        let [first, again] = answers();
        assert_eq!(first, again, "{variant}");
        assert_eq!(answers(), [first.clone(), first], "{variant}");
    }
}

#[test]
fn errors_differ_from_seed_to_seed() {
    let mut engine = limited("chess");
    engine.quietly("position startpos moves e2e4 e7e5 g1f3");
    let mut bests = std::collections::BTreeSet::new();
    for seed in 1..20 {
        engine.quietly(&format!("setoption name Strength Seed value {seed}"));
        bests.insert(engine.go("nodes 3000").best);
    }
    assert!(bests.len() > 2, "{bests:?}");
}
