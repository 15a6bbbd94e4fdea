//! Counting the games of a tournament, and what is said about them.

use crate::plan::schedule::Plan;
use crate::record::{GameRecord, Header};
use crate::stats::{Counts, Elo, Verdict, elo_of_score};
use fauve_engine::core::Color;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The games of one pairing, from the first player's point of view.
#[derive(Clone, PartialEq, Debug, Default)]
struct Score {
    counts: Counts,
    /// Pairs of which one game is finished: its half points and luck.
    open: BTreeMap<u64, (u8, Option<f64>)>,
    /// Finished pairs with dice: the points and the luck per game.
    luck: Vec<(f64, f64)>,
}

/// All results of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    names: Vec<String>,
    pairings: Vec<(usize, usize)>,
    scores: BTreeMap<(usize, usize), Score>,
    /// How games ended, with how often.
    reasons: BTreeMap<&'static str, u64>,
    games: u64,
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
        let score = self.scores.entry((first, second)).or_default();
        let half = game.result.half_points(color);
        let luck = game
            .luck
            .map(|luck| if color == Color::White { luck } else { -luck });
        score.counts.add_game(half);
        match score.open.remove(&pair) {
            None => {
                score.open.insert(pair, (half, luck));
            }
            Some((other, other_luck)) => {
                score.counts.add_pair(other, half);
                if let (Some(a), Some(b)) = (other_luck, luck) {
                    score
                        .luck
                        .push((f64::from(other + half) / 4.0, f64::midpoint(a, b)));
                }
            }
        }
    }

    /// Finished games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The counts of the only pairing; `None` with more than two players.
    pub fn only(&self) -> Option<&Counts> {
        match self.pairings.as_slice() {
            [pairing] => Some(&self.scores[pairing].counts),
            _ => None,
        }
    }

    /// What the sequential test says, if there is one.
    pub fn verdict(&self, header: &Header) -> Option<Verdict> {
        header.sprt.as_ref()?.verdict(self.only()?)
    }

    /// One line for a progress bar.
    pub fn brief(&self, header: &Header) -> String {
        let mut line = String::new();
        match self.only() {
            Some(counts) => {
                let _ = write!(
                    line,
                    "+{} ={} -{}",
                    counts.wins, counts.draws, counts.losses
                );
                if let Some(elo) = counts.elo() {
                    let _ = write!(line, "  Elo {:.1} ± {:.1}", elo.elo, elo.elo_error);
                }
                if let Some(test) = &header.sprt {
                    let (lower, upper) = test.bounds();
                    let _ = write!(
                        line,
                        "  LLR {:.2} ({lower:.2}, {upper:.2})",
                        test.llr(counts)
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
            if score.counts.games() > 0 {
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
        let counts = &score.counts;
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
        }) = counts.elo()
        {
            let _ = writeln!(
                text,
                "Elo: {elo:.2} +/- {elo_error:.2}, nElo: {normalized:.2} +/- {normalized_error:.2}"
            );
            let _ = writeln!(
                text,
                "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {:.2}",
                los * 100.0,
                counts.draw_ratio() * 100.0,
                counts.pairs_ratio()
            );
        }
        let _ = writeln!(
            text,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            counts.games(),
            counts.wins,
            counts.losses,
            counts.draws,
            counts.points(),
            counts.points() / counts.games() as f64 * 100.0
        );
        let _ = writeln!(
            text,
            "Ptnml(0-2): {:?}, DD pairs: {}",
            counts.pairs, counts.double_draws
        );
        if let Some(test) = &header.sprt {
            let (lower, upper) = test.bounds();
            let llr = test.llr(counts);
            let share = llr / if llr < 0.0 { -lower } else { upper } * 100.0;
            let verdict = match test.verdict(counts) {
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
        let mut totals = vec![Counts::default(); self.names.len()];
        for ((first, second), score) in &self.scores {
            for (player, counts) in [(*first, score.counts), (*second, score.counts.reversed())] {
                let total = &mut totals[player];
                total.wins += counts.wins;
                total.draws += counts.draws;
                total.losses += counts.losses;
                for (sum, count) in total.pairs.iter_mut().zip(counts.pairs) {
                    *sum += count;
                }
            }
        }
        let mut order: Vec<usize> = (0..totals.len())
            .filter(|&player| totals[player].games() > 0)
            .collect();
        let share = |player: usize| totals[player].points() / totals[player].games() as f64;
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
            let Some(elo) = totals[player].elo() else {
                continue;
            };
            let _ = writeln!(
                text,
                "{:>4} {:width$} {:>8.1} {:>8.1} {:>7} {:>9.1} {:>6.2}%",
                rank + 1,
                self.names[player],
                elo.elo,
                elo.elo_error,
                totals[player].games(),
                totals[player].points(),
                share(player) * 100.0
            );
        }
    }
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
