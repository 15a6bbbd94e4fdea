//! Levels of strength against one another, and against players who do not think.

use super::inside::played;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::strength_scales::StrengthScale;
use std::thread;

/// The half points that the first of two players wins in this many games.
fn half_points(
    variant: Variant,
    name: &str,
    first: &[String],
    second: &[String],
    games: u32,
) -> u32 {
    let (variant, games) = (variant.name(), games.to_string());
    let mut words = vec!["match", "--quiet", "--variant", variant, "--games", &games];
    words.extend(["--seed", "14", "--max-turns", "400", "--no-luck"]);
    for player in [first, second] {
        words.push("--engine");
        words.extend(player.iter().map(String::as_str));
    }
    let record = played(&format!("{name}-{variant}.jsonl"), &words);
    let own = record.games.iter().map(|game| {
        let color = if game.white == "a" {
            Color::White
        } else {
            Color::Black
        };
        u32::from(game.result.half_points(color))
    });
    own.sum()
}

fn limited(name: &str, elo: u32) -> Vec<String> {
    let elo = format!("option.UCI_Elo={elo}");
    let words = [
        "proto=internal",
        "option.Hash=1",
        "option.UCI_LimitStrength=true",
        "option.Strength Seed=1",
        &elo,
        "nodes=100000",
    ];
    let name = format!("name={name}");
    words.into_iter().map(str::to_owned).chain([name]).collect()
}

fn thoughtless(kind: &str) -> Vec<String> {
    ["proto=", "name=b"]
        .map(|word| {
            if word == "proto=" {
                format!("proto={kind}")
            } else {
                word.to_owned()
            }
        })
        .to_vec()
}

#[test]
fn the_weakest_level_is_no_match_for_the_strongest_and_does_not_win_every_game_against_random_turns()
 {
    let games = ["chess", "superchess", "twomove", "dicechess", "cubes4d"];
    thread::scope(|scope| {
        for variant in games.map(|name| Variant::from_name(name).unwrap()) {
            scope.spawn(move || {
                let range = StrengthScale::of(variant).range();
                let weakest = limited("a", *range.start());
                let strongest = limited("b", *range.end());
                let points = half_points(variant, "ends", &weakest, &strongest, 4);
                assert!(points <= 1, "{variant}: {points} of 8 half points");
                let points = half_points(variant, "random", &weakest, &thoughtless("random"), 40);
                assert!(
                    (40..=72).contains(&points),
                    "{variant}: {points} of 80 half points"
                );
            });
        }
    });
}
