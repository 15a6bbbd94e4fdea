//! The report of a tournament for programs.

use crate::record::Header;
use crate::report::luck::Adjusted;
use crate::report::sequence::Sequence;
use crate::report::tally::{Score, Tally};
use crate::stats::{Counts, Elo, Verdict};
use serde_json::{Value, json};

/// The report as JSON: the pairings with their figures, what each player has scored altogether, and the sequential test. A figure
/// that has no value is `null`.
pub fn report(tally: &Tally, header: &Header, sequence: &Sequence) -> Value {
    let pairings = tally.pairings.iter().map(|pairing| {
        let mut value = of_score(&tally.scores[pairing]);
        value["first"] = tally.names[pairing.0].clone().into();
        value["second"] = tally.names[pairing.1].clone().into();
        value
    });
    json!({
        "event": header.event,
        "variant": header.variant,
        "games": tally.games,
        "distinct_games": tally.distinct_games(),
        "pairings": pairings.collect::<Vec<_>>(),
        "players": players(tally),
        "sprt": test(header, sequence),
    })
}

fn of_score(score: &Score) -> Value {
    let mut value = of_counts(&score.all, &score.distinct);
    value["pentanomial"] = score.all.pairs.to_vec().into();
    value["draw_draw_pairs"] = score.all.double_draws.into();
    if let Some(luck) = Adjusted::of(&score.luck) {
        value["luck_adjusted"] = json!({
            "score": luck.mean,
            "score_error": luck.error,
            "luck": luck.luck,
            "coefficient": luck.coefficient,
        });
    }
    value
}

fn of_counts(all: &Counts, distinct: &Counts) -> Value {
    let mut value = json!({
        "games": all.games(),
        "wins": all.wins,
        "losses": all.losses,
        "draws": all.draws,
        "points": all.points(),
    });
    let figures = distinct.elo().map(
        |Elo {
             elo,
             elo_error,
             normalized,
             normalized_error,
             los,
         }| {
            [
                ("elo", elo),
                ("elo_error", elo_error),
                ("normalized_elo", normalized),
                ("normalized_elo_error", normalized_error),
                ("los", los),
            ]
        },
    );
    for (key, figure) in figures.into_iter().flatten() {
        // Infinite figures are null.
        value[key] = json!(figure);
    }
    value
}

fn players(tally: &Tally) -> Vec<Value> {
    let mut players = Vec::new();
    for (number, name) in tally.names.iter().enumerate() {
        let (all, distinct) = tally.total(number);
        let mut value = of_counts(&all, &distinct);
        value["name"] = name.clone().into();
        value["forfeits"] = tally.forfeits[number].into();
        players.push(value);
    }
    players
}

fn test(header: &Header, sequence: &Sequence) -> Value {
    let (Some(test), Some((llr, (lower, upper)))) = (&header.sprt, sequence.llr()) else {
        return Value::Null;
    };
    json!({
        "elo0": test.elo0,
        "elo1": test.elo1,
        "llr": llr,
        "lower": lower,
        "upper": upper,
        "pairs": sequence.pairs(),
        "verdict": sequence.verdict().map(|verdict| match verdict {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{game, header};

    #[test]
    fn the_report_for_programs_has_the_figures_of_the_text() {
        let header = header();
        let games = [1, 2, 3].map(game);
        let tally = Tally::of(&header, &games);
        let value = report(&tally, &header, &Sequence::new(&header));
        assert_eq!(value["games"], 3);
        assert_eq!(value["pairings"][0]["first"], "a");
        assert_eq!(value["pairings"][0]["draws"], 3);
        assert_eq!(value["players"][1]["points"], 1.5);
        assert_eq!(value["sprt"], Value::Null);
        assert_eq!(value["pairings"][0]["pentanomial"][2], 1);
    }
}
