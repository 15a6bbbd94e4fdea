//! What is said about the games that were counted.

use crate::record::Header;
use crate::report::figure::{figure, signed};
use crate::report::luck::Adjusted;
use crate::report::sequence::Sequence;
use crate::report::tally::{Score, Tally};
use crate::stats::{Counts, Elo, Verdict, Z95, elo_of_score};
use fauve_engine::rules::printable;
use std::fmt::Write;

/// The players that a progress line names.
const LEADERS: usize = 3;

impl Tally {
    /// One line for a progress bar: of two players the result and the test, of more the leaders.
    pub fn brief(&self, sequence: &Sequence) -> String {
        if let Some(score) = self.only() {
            return brief_score(score, sequence);
        }
        let mut line = match self.games {
            1 => "1 game".to_owned(),
            games => format!("{games} games"),
        };
        for (rank, ranked) in (1..=LEADERS).zip(self.ranking()) {
            let name = printable(&self.names[ranked.player]);
            let score = ranked.share() * 100.0;
            let _ = write!(line, "  {rank}. {name} {score:.1} %");
        }
        line
    }

    /// The full report, several lines. The sequential test is that of `sequence`, which alone decides it.
    pub fn report(&self, header: &Header, sequence: &Sequence) -> String {
        let mut text = String::new();
        for pairing in &self.pairings {
            let score = &self.scores[pairing];
            if score.all.games() > 0 {
                self.report_pairing(header, *pairing, score, &mut text);
            }
        }
        report_test(header, sequence, &mut text);
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
            self.names[first],
            self.names[second],
            printable(&header.variant)
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
                "Elo: {} +/- {}, nElo: {} +/- {}",
                figure(elo, 2),
                figure(elo_error, 2),
                figure(normalized, 2),
                figure(normalized_error, 2)
            );
            let _ = writeln!(
                text,
                "LOS: {} %, DrawRatio: {} %, PairsRatio: {}",
                figure(los * 100.0, 2),
                figure(distinct.draw_ratio() * 100.0, 2),
                figure(distinct.pairs_ratio(), 2)
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
                "Distinct games: {}; the other {} repeat them and carry no weight: Elo and LOS are of {} of {} pairs",
                distinct.games(),
                all.games() - distinct.games(),
                distinct.pair_count(),
                all.pair_count()
            );
        }
        if let Some(adjusted) = Adjusted::of(&score.luck) {
            let _ = writeln!(
                text,
                "Luck-adjusted: {} % +/- {} (raw {} % +/- {}), Elo {}; luck {} points per game, coefficient {}",
                figure(adjusted.mean * 100.0, 2),
                figure(adjusted.error * 100.0, 2),
                figure(adjusted.raw_mean * 100.0, 2),
                figure(adjusted.raw_error * 100.0, 2),
                figure(elo_of_score(adjusted.mean), 2),
                signed(adjusted.luck, 2),
                figure(adjusted.coefficient, 2)
            );
        }
        if score.stakes.len() > 1 {
            let (mean, error) = mean_and_error(&score.stakes);
            let _ = writeln!(
                text,
                "With the doubling cube: {} points per game +/- {}",
                signed(mean, 3),
                figure(error, 3)
            );
        }
    }

    /// The players that have played, the best share of points first.
    fn ranking(&self) -> Vec<Ranked> {
        let players = (0..self.names.len()).map(|player| {
            let (all, distinct) = self.total(player);
            Ranked {
                player,
                all,
                distinct,
            }
        });
        let mut ranking: Vec<Ranked> = players.filter(|ranked| ranked.all.games() > 0).collect();
        ranking.sort_by(|a, b| b.share().total_cmp(&a.share()));
        ranking
    }

    fn report_ranking(&self, text: &mut String) {
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
        for (rank, ranked) in self.ranking().iter().enumerate() {
            let Some(elo) = ranked.distinct.elo() else {
                continue;
            };
            let _ = writeln!(
                text,
                "{:>4} {:width$} {:>8} {:>8} {:>7} {:>9.1} {:>6.2}%",
                rank + 1,
                self.names[ranked.player],
                figure(elo.elo, 1),
                figure(elo.elo_error, 1),
                ranked.all.games(),
                ranked.all.points(),
                ranked.share() * 100.0
            );
        }
    }
}

/// The sequential test, in a line; nothing where there is none.
fn report_test(header: &Header, sequence: &Sequence, text: &mut String) {
    let (Some(test), Some((llr, (lower, upper)))) = (&header.sprt, sequence.llr()) else {
        return;
    };
    let share = llr / if llr < 0.0 { -lower } else { upper } * 100.0;
    let verdict = match sequence.verdict() {
        Some(Verdict::H1) => ", H1 accepted",
        Some(Verdict::H0) => ", H0 accepted",
        None => "",
    };
    let _ = writeln!(
        text,
        "LLR: {} ({}%) ({lower:.2}, {upper:.2}) [{}, {}] after the first {} in order{verdict}",
        figure(llr, 2),
        figure(share, 1),
        figure(test.elo0, 2),
        figure(test.elo1, 2),
        match sequence.pairs() {
            1 => "pair".to_owned(),
            pairs => format!("{pairs} pairs"),
        },
    );
}

/// The result of two players, and their test.
fn brief_score(Score { all, distinct, .. }: &Score, sequence: &Sequence) -> String {
    let mut line = format!("+{} ={} -{}", all.wins, all.draws, all.losses);
    if let Some(elo) = distinct.elo() {
        let (elo, error) = (figure(elo.elo, 1), figure(elo.elo_error, 1));
        let _ = write!(line, "  Elo {elo} ± {error}");
    }
    if let Some((llr, (lower, upper))) = sequence.llr() {
        let llr = figure(llr, 2);
        let _ = write!(line, "  LLR {llr} ({lower:.2}, {upper:.2})");
    }
    line
}

/// What a player has scored against all others.
struct Ranked {
    player: usize,
    all: Counts,
    /// Without repeated games.
    distinct: Counts,
}

impl Ranked {
    fn share(&self) -> f64 {
        self.all.points() / self.all.games() as f64
    }
}

/// The mean of some figures and half the width of its 95 % interval.
fn mean_and_error(figures: &[f64]) -> (f64, f64) {
    let count = figures.len().max(1) as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let variance = figures
        .iter()
        .map(|figure| (figure - mean).powi(2))
        .sum::<f64>()
        / (count - 1.0).max(1.0);
    (mean, Z95 * (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples;
    use crate::record::{GameRecord, GameResult};

    #[test]
    fn a_progress_line_of_many_players_names_the_leaders() {
        let mut header = samples::header();
        for name in ["c", "d"] {
            let mut player = header.engines[0].clone();
            name.clone_into(&mut player.name);
            header.engines.push(player);
        }
        let game = |number, white: &str, black: &str, result| GameRecord {
            white: white.to_owned(),
            black: black.to_owned(),
            result,
            ..samples::game(number)
        };
        let mut tally = Tally::new(&header);
        let sequence = Sequence::new(&header);
        assert_eq!(tally.brief(&sequence), "0 games");
        tally.add(&game(1, "a", "b", GameResult::Black));
        assert_eq!(tally.brief(&sequence), "1 game  1. b 100.0 %  2. a 0.0 %");
        tally.add(&game(3, "a", "c", GameResult::White));
        tally.add(&game(5, "a", "d", GameResult::White));
        tally.add(&game(7, "b", "c", GameResult::Draw));
        assert_eq!(
            tally.brief(&sequence),
            "4 games  1. b 75.0 %  2. a 66.7 %  3. c 25.0 %"
        );
    }
}
