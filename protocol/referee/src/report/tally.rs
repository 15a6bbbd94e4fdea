//! Counting the games of a tournament, and what is said about them.

use crate::plan::schedule::Plan;
use crate::record::{GameRecord, Header};
use crate::stats::{Counts, Elo, Verdict, elo_of_score};
use fauve_engine::core::Color;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The games of one pairing, from the first player's point of view.
#[derive(Clone, PartialEq, Debug, Default)]
struct Score {
    /// All games.
    all: Counts,
    /// The games that carry weight: those that are no repetition of another, and the pairs of such games.
    distinct: Counts,
    /// Pairs of which one game is finished.
    open: BTreeMap<u64, Half>,
    /// Finished pairs with dice: the points and the luck per game.
    luck: Vec<(f64, f64)>,
}

/// The finished game of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Half {
    /// The half points of the first player.
    points: u8,
    luck: Option<f64>,
    /// Whether the same game has been played before.
    is_repeated: bool,
}

impl Score {
    fn add(&mut self, pair: u64, game: Half) {
        self.all.add_game(game.points);
        if !game.is_repeated {
            self.distinct.add_game(game.points);
        }
        let Some(other) = self.open.remove(&pair) else {
            self.open.insert(pair, game);
            return;
        };
        self.all.add_pair(other.points, game.points);
        if other.is_repeated || game.is_repeated {
            return;
        }
        self.distinct.add_pair(other.points, game.points);
        if let (Some(a), Some(b)) = (other.luck, game.luck) {
            let points = f64::from(other.points + game.points) / 4.0;
            self.luck.push((points, f64::midpoint(a, b)));
        }
    }
}

/// All results of a tournament.
///
/// Players without randomness repeat games: from the same start, with the same seats, the same turns. Such games are
/// counted, but say nothing new: Elo with its bars, the likelihood of superiority and the sequential test are those of
/// the distinct games. Of a pair with a repeated game neither game carries weight there.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    names: Vec<String>,
    pairings: Vec<(usize, usize)>,
    scores: BTreeMap<(usize, usize), Score>,
    /// How games ended, with how often.
    reasons: BTreeMap<&'static str, u64>,
    games: u64,
    /// What tells the games apart that were counted.
    distinct: HashSet<u64>,
    forfeits: Vec<u64>,
}

impl Tally {
    /// No games yet.
    pub fn new(header: &Header) -> Self {
        let pairings = header.pairings.list(header.engines.len());
        Self {
            names: header
                .engines
                .iter()
                .map(|engine| engine.name.clone())
                .collect(),
            scores: pairings
                .iter()
                .map(|&pairing| (pairing, Score::default()))
                .collect(),
            pairings,
            reasons: BTreeMap::new(),
            games: 0,
            distinct: HashSet::new(),
            forfeits: vec![0; header.engines.len()],
        }
    }

    /// The games of a whole record.
    pub fn of(header: &Header, games: &[GameRecord]) -> Self {
        let mut tally = Self::new(header);
        for game in games {
            tally.add(game);
        }
        tally
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        if game.game == 0 || self.pairings.is_empty() {
            return;
        }
        let plan = Plan::of(game.game, &self.pairings);
        let pair = (game.game - 1) / 2;
        // The first player of the pairing has White in the first game of a pair.
        let color = if game.game % 2 == 1 {
            Color::White
        } else {
            Color::Black
        };
        let (first, second) = if color == Color::White {
            (plan.white, plan.black)
        } else {
            (plan.black, plan.white)
        };
        self.games += 1;
        *self.reasons.entry(game.termination.pgn()).or_default() += 1;
        if game.termination.is_forfeit() {
            let loser = if game.result.half_points(Color::White) == 0 {
                plan.white
            } else {
                plan.black
            };
            self.forfeits[loser] += 1;
        }
        let luck = game
            .luck
            .map(|luck| if color == Color::White { luck } else { -luck });
        let half = Half {
            points: game.result.half_points(color),
            luck,
            is_repeated: !self.distinct.insert(fingerprint(game)),
        };
        self.scores
            .entry((first, second))
            .or_default()
            .add(pair, half);
    }

    /// Finished games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Finished games that are no repetition of another.
    pub fn distinct_games(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// The score of the only pairing; `None` with more than two players.
    fn only(&self) -> Option<&Score> {
        match self.pairings.as_slice() {
            [pairing] => Some(&self.scores[pairing]),
            _ => None,
        }
    }

    /// What the sequential test says of the distinct games, if there is one.
    pub fn verdict(&self, header: &Header) -> Option<Verdict> {
        header.sprt.as_ref()?.verdict(&self.only()?.distinct)
    }

    /// One line for a progress bar.
    pub fn brief(&self, header: &Header) -> String {
        let mut line = String::new();
        match self.only() {
            Some(Score { all, distinct, .. }) => {
                let _ = write!(line, "+{} ={} -{}", all.wins, all.draws, all.losses);
                if let Some(elo) = distinct.elo() {
                    let _ = write!(line, "  Elo {:.1} ± {:.1}", elo.elo, elo.elo_error);
                }
                if let Some(test) = &header.sprt {
                    let (lower, upper) = test.bounds();
                    let _ = write!(
                        line,
                        "  LLR {:.2} ({lower:.2}, {upper:.2})",
                        test.llr(distinct)
                    );
                }
            }
            None => {
                let _ = write!(line, "{} games", self.games);
            }
        }
        line
    }

    /// The full report, several lines.
    pub fn report(&self, header: &Header) -> String {
        let mut text = String::new();
        for pairing in &self.pairings {
            let score = &self.scores[pairing];
            if score.all.games() > 0 {
                self.report_pairing(header, *pairing, score, &mut text);
            }
        }
        if self.pairings.len() > 1 && self.games > 0 {
            self.report_ranking(&mut text);
        }
        let forfeits: u64 = self.forfeits.iter().sum();
        if forfeits > 0 {
            for (name, count) in self
                .names
                .iter()
                .zip(&self.forfeits)
                .filter(|(_, count)| **count > 0)
            {
                let _ = writeln!(text, "Forfeits of {name}: {count}");
            }
        }
        text
    }

    fn report_pairing(
        &self,
        header: &Header,
        (first, second): (usize, usize),
        score: &Score,
        text: &mut String,
    ) {
        let Score { all, distinct, .. } = score;
        let limits = (&header.engines[first].limit, &header.engines[second].limit);
        let limit = if limits.0 == limits.1 {
            limits.0.to_string()
        } else {
            format!("{} against {}", limits.0, limits.1)
        };
        let _ = writeln!(
            text,
            "Results of {} vs {} ({}, {limit}):",
            self.names[first], self.names[second], header.variant
        );
        if let Some(Elo {
            elo,
            elo_error,
            normalized,
            normalized_error,
            los,
        }) = distinct.elo()
        {
            let _ = writeln!(
                text,
                "Elo: {elo:.2} +/- {elo_error:.2}, nElo: {normalized:.2} +/- {normalized_error:.2}"
            );
            let _ = writeln!(
                text,
                "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {:.2}",
                los * 100.0,
                distinct.draw_ratio() * 100.0,
                distinct.pairs_ratio()
            );
        }
        let _ = writeln!(
            text,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            all.games(),
            all.wins,
            all.losses,
            all.draws,
            all.points(),
            all.points() / all.games() as f64 * 100.0
        );
        let _ = writeln!(
            text,
            "Ptnml(0-2): {:?}, DD pairs: {}",
            all.pairs, all.double_draws
        );
        if distinct.games() < all.games() {
            let _ = writeln!(
                text,
                "Distinct games: {}; the other {} repeat them and carry no weight in Elo, LOS and LLR ({} pairs do)",
                distinct.games(),
                all.games() - distinct.games(),
                distinct.pair_count()
            );
        }
        if let Some(test) = &header.sprt {
            let (lower, upper) = test.bounds();
            let llr = test.llr(distinct);
            let share = llr / if llr < 0.0 { -lower } else { upper } * 100.0;
            let verdict = match test.verdict(distinct) {
                Some(Verdict::H1) => ", H1 accepted",
                Some(Verdict::H0) => ", H0 accepted",
                None => "",
            };
            let _ = writeln!(
                text,
                "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]{verdict}",
                test.elo0, test.elo1
            );
        }
        if let Some(adjusted) = Adjusted::of(&score.luck) {
            let _ = writeln!(
                text,
                "Luck-adjusted: {:.2} % +/- {:.2} (raw {:.2} % +/- {:.2}), Elo {:.2}; luck {:+.2} points per game, \
                 coefficient {:.2}",
                adjusted.mean * 100.0,
                adjusted.error * 100.0,
                adjusted.raw_mean * 100.0,
                adjusted.raw_error * 100.0,
                elo_of_score(adjusted.mean),
                adjusted.luck,
                adjusted.coefficient
            );
        }
    }

    fn report_ranking(&self, text: &mut String) {
        let none = (Counts::default(), Counts::default());
        let mut totals = vec![none; self.names.len()];
        for ((first, second), score) in &self.scores {
            let (all, distinct) = &mut totals[*first];
            all.add(&score.all);
            distinct.add(&score.distinct);
            let (all, distinct) = &mut totals[*second];
            all.add(&score.all.reversed());
            distinct.add(&score.distinct.reversed());
        }
        let mut order: Vec<usize> = (0..totals.len())
            .filter(|&player| totals[player].0.games() > 0)
            .collect();
        let share = |player: usize| totals[player].0.points() / totals[player].0.games() as f64;
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let width = self
            .names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(4)
            .max(4);
        let _ = writeln!(
            text,
            "Rank {:width$} {:>8} {:>8} {:>7} {:>9} {:>7}",
            "Name", "Elo", "+/-", "Games", "Points", "Score"
        );
        for (rank, player) in order.into_iter().enumerate() {
            let (all, distinct) = &totals[player];
            let Some(elo) = distinct.elo() else {
                continue;
            };
            let _ = writeln!(
                text,
                "{:>4} {:width$} {:>8.1} {:>8.1} {:>7} {:>9.1} {:>6.2}%",
                rank + 1,
                self.names[player],
                elo.elo,
                elo.elo_error,
                all.games(),
                all.points(),
                share(player) * 100.0
            );
        }
    }
}

/// What tells a game apart from others: its seats, its start, its rolls and its turns.
fn fingerprint(game: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.white, &game.black, &game.start).hash(&mut hasher);
    for turn in &game.turns {
        (&turn.roll, &turn.token).hash(&mut hasher);
    }
    hasher.finish()
}

/// A result less the luck in it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Adjusted {
    mean: f64,
    error: f64,
    raw_mean: f64,
    raw_error: f64,
    luck: f64,
    coefficient: f64,
}

impl Adjusted {
    /// Of pairs of points and luck per game. The coefficient is the one that leaves the least variance (the slope of
    /// the regression of points on luck); with few pairs it is 1. `None` for fewer than two pairs.
    fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        let count = pairs.len() as f64;
        if pairs.len() < 2 {
            return None;
        }
        let mean = |pick: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
        let points = mean(&|pair| pair.0);
        let luck = mean(&|pair| pair.1);
        let covariance = mean(&|pair| (pair.0 - points) * (pair.1 - luck));
        let variance = mean(&|pair| (pair.1 - luck).powi(2));
        let coefficient = if pairs.len() >= 10 && variance > 0.0 {
            covariance / variance
        } else {
            1.0
        };
        let adjusted = points - coefficient * luck;
        let bar = |square: f64| 1.959963984540054 * (square / count).sqrt();
        Some(Self {
            mean: adjusted,
            error: bar(mean(&|pair| {
                (pair.0 - coefficient * pair.1 - adjusted).powi(2)
            })),
            raw_mean: points,
            raw_error: bar(mean(&|pair| (pair.0 - points).powi(2))),
            luck,
            coefficient,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_that_explains_everything_leaves_no_error() {
        let pairs: Vec<(f64, f64)> = (0..40)
            .map(|i| {
                let luck = f64::from(i % 5 - 2) / 10.0;
                (0.6 + luck, luck)
            })
            .collect();
        let adjusted = Adjusted::of(&pairs).unwrap();
        assert!((adjusted.mean - 0.6).abs() < 1e-12);
        assert!(adjusted.error < 1e-9 && adjusted.raw_error > 0.01);
        assert!((adjusted.coefficient - 1.0).abs() < 1e-9);
        assert_eq!(Adjusted::of(&pairs[..1]), None);
    }
}
