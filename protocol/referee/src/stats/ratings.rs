//! Ratings of many players on one scale, from all meetings at once.
//!
//! The Elo figures under which the results are likeliest, a draw being half a win (Bradley and Terry, "Rank Analysis of Incomplete
//! Block Designs", Biometrika 39, 1952). Each player has half a drawn game more, against the average of those who have met the same
//! opponents: that keeps the rating of a player that has won or lost everything finite, takes away what chance would add to
//! large differences (Firth, "Bias Reduction of Maximum Likelihood Estimates", Biometrika 80, 1993), and weighs little beside real
//! games, of which it adds none to a meeting. Error bars are those of
//! the Fisher information, the inverse of the curvature of the likelihood, widened or narrowed by how much the results really
//! scattered round their expectations: draws, and pairs of games from one opening, scatter less than coin tosses
//! (Wedderburn, "Quasi-likelihood Functions", Biometrika 61, 1974). A meeting of many games is taken at its own scatter, one of few at
//! that of all meetings.

use super::{NORMALIZED_SCALE, Z95};

/// Elo for a natural unit of the logistic curve: 400 / ln 10.
const SCALE: f64 = NORMALIZED_SCALE / 2.0;
/// Drawn games that each player has besides its own, against an average of others.
const PRIOR: f64 = 0.5;
/// The share of a player's own opponents in that average; the rest are the players that have met the same opponents.
const OPPONENTS: f64 = 0.05;
/// Fair coin tosses, scattered as those are, that are added to all meetings together.
const COINS: f64 = 4.0;
/// Observations that scatter as in all meetings, added to each meeting.
const POOLED: f64 = 40.0;
/// The longest step of an iteration, in natural units.
const LONGEST_STEP: f64 = 2.0;
/// Steps below this end the iterations.
const PRECISION: f64 = 1e-10;
/// How often the scatter and the strengths that depend on it are found anew.
const ROUNDS: usize = 4;

/// What two players have scored against each other.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HeadToHead {
    /// The players, by number.
    pub players: [usize; 2],
    /// Games.
    pub games: f64,
    /// The points of the first.
    pub points: f64,
    /// Independent observations: pairs of games, and games without a pair.
    pub observations: f64,
    /// The sum of the squares of the numbers of games of the observations.
    pub squares: f64,
    /// The sum of the squared differences of the observations' points from the mean of the meeting.
    pub scatter: f64,
}

impl HeadToHead {
    /// The same from the other player's point of view.
    #[must_use]
    pub fn reversed(self) -> Self {
        let [first, second] = self.players;
        Self {
            players: [second, first],
            points: self.games - self.points,
            ..self
        }
    }

    /// Both meetings of the same two players together.
    pub fn join(&mut self, other: &Self) {
        let mean = |meeting: &Self| meeting.points / meeting.games.max(f64::MIN_POSITIVE);
        let (own, others) = (mean(self), mean(other));
        self.games += other.games;
        self.points += other.points;
        let joint = mean(self);
        let about = |meeting: &Self, mean: f64| meeting.squares * (mean - joint).powi(2);
        self.scatter += other.scatter + about(self, own) + about(other, others);
        self.observations += other.observations;
        self.squares += other.squares;
    }

    /// The squared differences of the observations' points from what was expected, summed.
    fn surprise(&self, expected: f64) -> f64 {
        let mean = self.points / self.games;
        self.scatter + self.squares * (mean - expected).powi(2)
    }
}

/// A player's strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// On the scale of the anchors.
    pub elo: f64,
    /// Half the width of the 95 % interval of the distance from the anchors' mean.
    pub error: f64,
}

/// Results that make no scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// A player whom no chain of meetings leads to.
    #[error("no meetings lead to player {0}")]
    Apart(usize),
}

/// The ratings of `count` players. The mean of the anchors (players with their known Elo) lies where it is known to lie; without
/// anchors the mean of all players is 0.
///
/// # Errors
/// When no chain of meetings connects all players.
pub fn rate(
    count: usize,
    meetings: &[HeadToHead],
    anchors: &[(usize, f64)],
) -> Result<Vec<Rating>, RatingError> {
    let meetings = connected(count, meetings)?;
    let results = Results {
        ties: ties(count, &meetings),
        meetings: &meetings,
        fixed: vec![false; count],
    };
    let mut strengths = vec![0.0; count];
    let scatter = results.fit(&mut strengths);
    let covariance = results.covariance(&strengths, scatter);
    let known: Vec<(usize, f64)> = if anchors.is_empty() {
        let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
        (0..count)
            .map(|player| (player, SCALE * (strengths[player] - mean)))
            .collect()
    } else {
        anchors.to_vec()
    };
    let share = 1.0 / known.len().max(1) as f64;
    let shift: f64 = known
        .iter()
        .map(|&(player, elo)| (elo - SCALE * strengths[player]) * share)
        .sum();
    let mut mean = vec![0.0; count];
    for &(anchor, _) in &known {
        mean[anchor] += share;
    }
    // The variance of a player less the mean of the anchors: (player - mean)' C (player - mean).
    let against_mean = multiply(&covariance, &mean);
    let of_mean: f64 = against_mean.iter().zip(&mean).map(|(a, b)| a * b).sum();
    Ok((0..count)
        .map(|player| {
            let variance = covariance[player][player] - 2.0 * against_mean[player] + of_mean;
            let is_fixed = known.len() == 1 && known[0].0 == player;
            Rating {
                elo: SCALE * strengths[player] + shift,
                error: if is_fixed {
                    0.0
                } else {
                    Z95 * SCALE * variance.max(0.0).sqrt()
                },
            }
        })
        .collect())
}

/// The ratings of `count` players of which some have a known Elo. These keep it exactly, and the others are rated against them; without any,
/// the mean of all players is 0.
///
/// # Errors
/// When no chain of meetings connects all players.
pub fn rate_against(
    count: usize,
    meetings: &[HeadToHead],
    known: &[(usize, f64)],
) -> Result<Vec<Rating>, RatingError> {
    if known.is_empty() {
        return rate(count, meetings, known);
    }
    let meetings = connected(count, meetings)?;
    let mean = known.iter().map(|(_, elo)| elo).sum::<f64>() / known.len() as f64;
    let mut strengths = vec![mean / SCALE; count];
    let mut fixed = vec![false; count];
    for &(player, elo) in known {
        fixed[player] = true;
        strengths[player] = elo / SCALE;
    }
    let results = Results {
        ties: ties(count, &meetings),
        meetings: &meetings,
        fixed,
    };
    let scatter = results.fit(&mut strengths);
    let covariance = results.covariance(&strengths, scatter);
    let rating = |player: usize| Rating {
        elo: SCALE * strengths[player],
        error: if results.fixed[player] {
            0.0
        } else {
            Z95 * SCALE * covariance[player][player].max(0.0).sqrt()
        },
    };
    Ok((0..count).map(rating).collect())
}

/// The meetings that had games, which connect all players.
fn connected(count: usize, meetings: &[HeadToHead]) -> Result<Vec<HeadToHead>, RatingError> {
    let played = meetings.iter().filter(|meeting| meeting.games > 0.0);
    let meetings: Vec<HeadToHead> = played.copied().collect();
    let apart = islands(count, &meetings)
        .iter()
        .position(|&island| island != 0);
    apart.map_or(Ok(meetings), |player| Err(RatingError::Apart(player)))
}

/// Which players meetings connect: a number for each player, equal for those who are on one scale. That of the first player is 0.
pub fn islands(count: usize, meetings: &[HeadToHead]) -> Vec<usize> {
    let pairs = meetings
        .iter()
        .filter(|meeting| meeting.games > 0.0)
        .flat_map(|meeting| {
            let [a, b] = meeting.players;
            [(a, b), (b, a)]
        });
    components(count, pairs)
}

/// The levels of the results: groups of players that have lost all points to the others above them, or won all from those
/// below, so that only the made-up games say how far apart they are. Equal numbers for those of one group; 0 for all, if there is one.
pub fn levels(count: usize, meetings: &[HeadToHead]) -> Vec<usize> {
    // From a player to each that it has scored against.
    let scored = meetings.iter().flat_map(|meeting| {
        let [a, b] = meeting.players;
        let first = (meeting.points > 0.0).then_some((a, b));
        let second = (meeting.points < meeting.games).then_some((b, a));
        first.into_iter().chain(second)
    });
    components(count, scored)
}

/// The strongly connected components of a graph: the number of that of each node, in the order of their first nodes
/// (by reachability forwards and backwards from each node that has no component yet).
fn components(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut forwards = vec![Vec::new(); count];
    let mut backwards = vec![Vec::new(); count];
    for (from, to) in edges {
        forwards[from].push(to);
        backwards[to].push(from);
    }
    let mut component = vec![usize::MAX; count];
    let mut next = 0;
    for node in 0..count {
        if component[node] != usize::MAX {
            continue;
        }
        let (ahead, behind) = (reached(node, &forwards), reached(node, &backwards));
        for other in 0..count {
            if ahead[other] && behind[other] {
                component[other] = next;
            }
        }
        next += 1;
    }
    component
}

fn reached(from: usize, neighbours: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; neighbours.len()];
    reached[from] = true;
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &next in &neighbours[node] {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

/// The expected score per game of a player that is this much stronger, in natural units.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// What a game shows of the difference of its players, if it is a coin toss: the variance of its result.
fn information(expected: f64) -> f64 {
    expected * (1.0 - expected)
}

fn expected_in(strengths: &[f64], meeting: &HeadToHead) -> f64 {
    let [a, b] = meeting.players;
    expected(strengths[a] - strengths[b])
}

/// What the strengths are found from.
struct Results<'a> {
    meetings: &'a [HeadToHead],
    /// The made-up game of each player, as the weights of all players' strengths in the difference that it is about.
    ties: Vec<Vec<f64>>,
    /// Whose strength is known, and stays as it is.
    fixed: Vec<bool>,
}

/// The made-up games: each player against a mean of others. These are the players that have met the same opponents, the
/// more often the more games they had, and a little of the opponents themselves; where nobody else has met those, they alone.
fn ties(count: usize, meetings: &[HeadToHead]) -> Vec<Vec<f64>> {
    let mut opponents = vec![Vec::new(); count];
    let mut games = vec![0.0; count];
    for meeting in meetings {
        let [a, b] = meeting.players;
        opponents[a].push((b, meeting.games));
        opponents[b].push((a, meeting.games));
        games[a] += meeting.games;
        games[b] += meeting.games;
    }
    let of = |player: usize| {
        let mut tie = vec![0.0; count];
        let mut others = 0.0;
        for &(opponent, own) in &opponents[player] {
            for &(other, theirs) in &opponents[opponent] {
                if other != player {
                    let weight = own / games[player] * theirs / games[opponent];
                    tie[other] -= weight;
                    others += weight;
                }
            }
        }
        let share = if others > 0.0 { OPPONENTS } else { 1.0 };
        for weight in &mut tie {
            *weight *= (1.0 - share) / f64::max(others, f64::MIN_POSITIVE);
        }
        for &(opponent, own) in &opponents[player] {
            tie[opponent] -= share * own / games[player];
        }
        if !opponents[player].is_empty() {
            tie[player] = 1.0;
        }
        tie
    };
    (0..count).map(of).collect()
}

impl Results<'_> {
    /// Moves the strengths to where the results are likeliest, and gives how much the results scatter round that.
    fn fit(&self, strengths: &mut [f64]) -> f64 {
        let mut scatter = 1.0;
        for _ in 0..ROUNDS {
            self.climb(strengths, scatter);
            scatter = self.common_scatter(strengths);
        }
        self.climb(strengths, scatter);
        scatter
    }

    /// Moves the strengths to where the results are likeliest (Newton's method); if none is fixed their sum stays as it is.
    fn climb(&self, strengths: &mut [f64], scatter: f64) {
        for _ in 0..200 {
            let (slopes, curves) = self.derivatives(strengths, scatter);
            let step = Cholesky::of(curves).solve(slopes);
            let longest = step
                .iter()
                .fold(0.0, |longest: f64, s| longest.max(s.abs()));
            let damping = if longest > LONGEST_STEP {
                LONGEST_STEP / longest
            } else {
                1.0
            };
            for (strength, step) in strengths.iter_mut().zip(&step) {
                *strength += damping * step;
            }
            if longest < PRECISION {
                return;
            }
        }
    }

    /// The slope of the logarithm of the likelihood in the strength of each player, and its curvature (negated). A result
    /// weighs the more, the less results scatter.
    fn derivatives(&self, strengths: &[f64], scatter: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = strengths.len();
        let mut slopes = vec![0.0; count];
        // Only differences matter: nothing is known of the sum, and any curvature there keeps it.
        let of_sum = if self.fixed.contains(&true) {
            0.0
        } else {
            1.0 / count as f64
        };
        let mut curves = vec![vec![of_sum; count]; count];
        for tie in &self.ties {
            let expected = expected(dot(tie, strengths));
            for (slope, weight) in slopes.iter_mut().zip(tie) {
                *slope += PRIOR * (0.5 - expected) * weight;
            }
        }
        self.add_ties(strengths, &mut curves);
        for meeting in self.meetings {
            let expected = expected_in(strengths, meeting);
            let surplus = (meeting.points - meeting.games * expected) / scatter;
            let [a, b] = meeting.players;
            slopes[a] += surplus;
            slopes[b] -= surplus;
            let weight = meeting.games * information(expected) / scatter;
            add(&mut curves, meeting.players, weight);
        }
        for player in (0..count).filter(|&player| self.fixed[player]) {
            slopes[player] = 0.0;
            for row in &mut curves {
                row[player] = 0.0;
            }
            curves[player].fill(0.0);
            curves[player][player] = 1.0;
        }
        (slopes, curves)
    }

    /// Adds the information of the made-up games to a matrix.
    fn add_ties(&self, strengths: &[f64], matrix: &mut [Vec<f64>]) {
        for tie in &self.ties {
            let weight = PRIOR * information(expected(dot(tie, strengths)));
            for (row, &one) in matrix.iter_mut().zip(tie) {
                if one != 0.0 {
                    for (value, other) in row.iter_mut().zip(tie) {
                        *value += weight * one * other;
                    }
                }
            }
        }
    }

    /// How much the results of all meetings scatter, as a multiple of what coin tosses would.
    fn common_scatter(&self, strengths: &[f64]) -> f64 {
        let (mut surprise, mut due, mut observations) = (0.0, 0.0, 0.0);
        for meeting in self.meetings {
            let expected = expected_in(strengths, meeting);
            surprise += meeting.surprise(expected);
            due += meeting.games * information(expected);
            observations += meeting.observations;
        }
        if observations == 0.0 {
            return 1.0;
        }
        // The strengths were fitted to the results: each takes one observation's worth of scatter away, but one if only differences matter.
        let known = self.fixed.iter().filter(|&&fixed| fixed).count().max(1);
        let fitted = (strengths.len() as f64 - known as f64).min(observations);
        let coins = COINS * information(0.5);
        let free = due * (1.0 - fitted / observations);
        ((surprise + coins) / (free + coins)).clamp(0.01, 4.0)
    }

    /// The covariance of the strengths.
    fn covariance(&self, strengths: &[f64], scatter: f64) -> Vec<Vec<f64>> {
        let count = strengths.len();
        let (_, curves) = self.derivatives(strengths, scatter);
        let inverse = Cholesky::of(curves).inverse();
        let mut spread = vec![vec![0.0; count]; count];
        self.add_ties(strengths, &mut spread);
        for meeting in self.meetings {
            let expected = expected_in(strengths, meeting);
            let due = meeting.games * information(expected);
            let pooled = POOLED * due / meeting.observations.max(1.0);
            let own = (meeting.surprise(expected) + pooled * scatter) / (due + pooled);
            add(
                &mut spread,
                meeting.players,
                due * own / (scatter * scatter),
            );
        }
        product(&product(&inverse, &spread), &inverse)
    }
}

/// Adds what a difference of two players weighs.
fn add(matrix: &mut [Vec<f64>], [a, b]: [usize; 2], weight: f64) {
    matrix[a][a] += weight;
    matrix[b][b] += weight;
    matrix[a][b] -= weight;
    matrix[b][a] -= weight;
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// The product of two matrices, of which the second is symmetric.
fn product(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    left.iter().map(|row| multiply(right, row)).collect()
}

/// The lower triangle whose product with its transpose is a positive definite matrix.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn of(mut matrix: Vec<Vec<f64>>) -> Self {
        for row in 0..matrix.len() {
            let (above, rest) = matrix.split_at_mut(row);
            let own = &mut rest[0];
            for column in 0..row {
                let other = &above[column];
                let dot: f64 = own[..column]
                    .iter()
                    .zip(&other[..column])
                    .map(|(a, b)| a * b)
                    .sum();
                own[column] = (own[column] - dot) / other[column];
            }
            let square: f64 = own[..row].iter().map(|value| value * value).sum();
            own[row] = (own[row] - square).max(f64::MIN_POSITIVE).sqrt();
        }
        Self(matrix)
    }

    /// The vector that the matrix takes to this one.
    fn solve(&self, mut vector: Vec<f64>) -> Vec<f64> {
        let rows = &self.0;
        for row in 0..rows.len() {
            let dot: f64 = (0..row).map(|i| rows[row][i] * vector[i]).sum();
            vector[row] = (vector[row] - dot) / rows[row][row];
        }
        for row in (0..rows.len()).rev() {
            vector[row] /= rows[row][row];
            for i in 0..row {
                vector[i] -= rows[row][i] * vector[row];
            }
        }
        vector
    }

    fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.0.len();
        let unit = |row: usize| {
            (0..size)
                .map(|column| f64::from(u8::from(row == column)))
                .collect()
        };
        (0..size).map(|row| self.solve(unit(row))).collect()
    }
}

#[cfg(test)]
mod simulation;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{elo_of_score, score_of_elo};

    fn meeting(players: [usize; 2], games: f64, points: f64) -> HeadToHead {
        let share = points / games;
        HeadToHead {
            players,
            games,
            points,
            observations: games,
            squares: games,
            scatter: games * share * (1.0 - share),
        }
    }

    #[test]
    fn two_players_differ_by_what_their_score_says() {
        let anchors = [(0, 0.0)];
        let ratings = rate(2, &[meeting([0, 1], 10_000.0, 2_500.0)], &anchors).unwrap();
        let expected = elo_of_score(0.75);
        assert!((ratings[1].elo - expected).abs() < 0.05, "{ratings:?}");
        assert!((ratings[0].elo, ratings[0].error) == (0.0, 0.0));
        let deviation = (0.25_f64 * 0.75 / 10_000.0).sqrt();
        let bar = Z95 * deviation * SCALE / (0.25 * 0.75);
        assert!(
            (ratings[1].error - bar).abs() < 0.01,
            "{} {bar}",
            ratings[1].error
        );
    }

    #[test]
    fn without_anchors_the_mean_is_0() {
        let ratings = rate(2, &[meeting([0, 1], 1000.0, 250.0)], &[]).unwrap();
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-9);
        assert!((ratings[0].error - ratings[1].error).abs() < 1e-6);
        let fixed = rate(2, &[meeting([0, 1], 1000.0, 250.0)], &[(0, 0.0)]).unwrap();
        assert!((fixed[1].error - 2.0 * ratings[1].error).abs() < 1e-6);
    }

    #[test]
    fn a_gauntlet_of_short_meetings_says_what_its_score_says() {
        let meetings: Vec<HeadToHead> = (1..=30)
            .map(|other| meeting([0, other], 2.0, 1.5))
            .collect();
        let ratings = rate(31, &meetings, &[]).unwrap();
        let difference = ratings[0].elo - ratings[1].elo;
        assert!(
            (difference / elo_of_score(0.75) - 1.0).abs() < 0.03,
            "{difference}"
        );
    }

    #[test]
    fn ratings_that_made_the_results_are_found_again() {
        let elos = [0.0, 150.0, 290.0, 700.0, 410.0];
        let mut meetings = Vec::new();
        for a in 0..5 {
            for b in a + 1..5 {
                let games = 1e7;
                meetings.push(meeting(
                    [a, b],
                    games,
                    games * score_of_elo(elos[a] - elos[b]),
                ));
            }
        }
        let anchors = [(1, 1150.0), (3, 1700.0)];
        for (rating, elo) in rate(5, &meetings, &anchors).unwrap().iter().zip(elos) {
            assert!((rating.elo - elo - 1000.0).abs() < 0.05, "{rating:?} {elo}");
        }
    }

    #[test]
    fn fixed_anchors_keep_their_elo_and_the_others_are_rated_against_them() {
        let meetings = [
            meeting([0, 1], 200.0, 80.0),
            meeting([1, 2], 200.0, 90.0),
            meeting([2, 0], 100.0, 65.0),
            meeting([3, 1], 50.0, 30.0),
        ];
        // With one anchor both are the same.
        let anchor = [(1, 1500.0)];
        let one = rate(4, &meetings, &anchor).unwrap();
        for (free, fixed) in one.iter().zip(rate_against(4, &meetings, &anchor).unwrap()) {
            assert!((free.elo - fixed.elo).abs() < 1e-6, "{free:?} {fixed:?}");
            assert!(
                (free.error - fixed.error).abs() < 1e-6,
                "{free:?} {fixed:?}"
            );
        }
        // With several, one that has only met a fixed one is as far from it as its score says, whatever the others have scored.
        let anchors = [(0, 1000.0), (1, 1060.0), (2, 1110.0)];
        let several = rate_against(4, &meetings, &anchors).unwrap();
        for (player, elo) in anchors {
            assert_eq!((several[player].elo, several[player].error), (elo, 0.0));
        }
        let distance = several[3].elo - 1060.0;
        assert!(
            (distance / elo_of_score(0.6) - 1.0).abs() < 0.05,
            "{distance}"
        );
        let bar = Z95 * SCALE / (50.0_f64 * 0.6 * 0.4).sqrt();
        assert!(
            (several[3].error / bar - 1.0).abs() < 0.15,
            "{} {bar}",
            several[3].error
        );
        // Between two fixed ones a player lies where both results together are likeliest.
        let between = [meeting([0, 2], 1e6, 2.5e5), meeting([2, 1], 1e6, 2.5e5)];
        let known = [(0, 0.0), (1, 600.0)];
        let middle = rate_against(3, &between, &known).unwrap()[2].elo;
        assert!((middle - 300.0).abs() < 0.01, "{middle}");
        assert_eq!(
            rate_against(4, &meetings[..3], &anchors),
            Err(RatingError::Apart(3))
        );
    }

    #[test]
    fn a_chain_adds_its_errors_up() {
        let meetings = [
            meeting([0, 1], 10_000.0, 5_000.0),
            meeting([1, 2], 10_000.0, 5_000.0),
        ];
        let ratings = rate(3, &meetings, &[(0, 0.0)]).unwrap();
        assert!((ratings[2].error / ratings[1].error - 2.0_f64.sqrt()).abs() < 1e-3);
    }

    #[test]
    fn a_player_that_wins_all_games_has_a_finite_rating_and_one_without_games_none() {
        let all_lost = [meeting([0, 1], 100.0, 0.0)];
        let ratings = rate(2, &all_lost, &[(0, 0.0)]).unwrap();
        assert!(ratings[1].elo > 600.0 && ratings[1].elo < 1500.0);
        let error = ratings[1].error;
        assert!(error > 200.0 && error.is_finite(), "{error}");
        assert_eq!(levels(2, &all_lost), [0, 1]);
        assert_eq!(levels(2, &[meeting([0, 1], 100.0, 0.5)]), [0, 0]);
        let half = meeting([0, 1], 100.0, 50.0);
        assert_eq!(rate(3, &[half], &[]), Err(RatingError::Apart(2)));
        assert_eq!(islands(4, &[half, meeting([3, 2], 2.0, 0.0)]), [0, 0, 1, 1]);
        assert_eq!(rate(1, &[], &[]).unwrap().len(), 1);
        assert_eq!(rate(0, &[], &[]).unwrap().len(), 0);
    }

    #[test]
    fn meetings_join_as_if_they_had_been_one() {
        let mut one = meeting([0, 1], 10.0, 8.0);
        one.join(&meeting([0, 1], 30.0, 9.0));
        let whole = meeting([0, 1], 40.0, 17.0);
        assert!(
            (one.scatter - whole.scatter).abs() < 1e-9,
            "{one:?} {whole:?}"
        );
        assert!((one.points, one.games, one.squares) == (17.0, 40.0, 40.0));
        assert!((one.reversed().points - 23.0).abs() < 1e-9);
    }
}
