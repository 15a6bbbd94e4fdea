//! Ratings of many players on one scale, from all meetings at once.
//!
//! The Elo figures under which the results are likeliest, a draw being half a win (Bradley and Terry, "Rank Analysis of Incomplete
//! Block Designs", Biometrika 39, 1952). A drawn game is added to every meeting, so that one in which all points went to one side has a
//! likeliest difference, too. Error bars come from how much the points of the pairs of games scattered, not from the model's idea
//! of it: draws and equal openings make them smaller (White, "A Heteroskedasticity-Consistent Covariance Matrix Estimator",
//! Econometrica 48, 1980).

use super::{NORMALIZED_SCALE, Z95};

/// Elo for a natural unit of the logistic curve: 400 / ln 10.
const SCALE: f64 = NORMALIZED_SCALE / 2.0;
/// Games, half won, that are added to every meeting.
const PRIOR: f64 = 1.0;
/// The longest step of an iteration, in natural units.
const LONGEST_STEP: f64 = 2.0;
/// Steps below this end the iterations.
const PRECISION: f64 = 1e-10;

/// What two players have scored against each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// The players, by number.
    pub players: [usize; 2],
    /// Games.
    pub games: f64,
    /// The points of the first.
    pub points: f64,
    /// The variance of these points.
    pub variance: f64,
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
/// anchors the first player has 0.
///
/// # Errors
/// When no chain of meetings connects all players.
pub fn rate(
    count: usize,
    meetings: &[Meeting],
    anchors: &[(usize, f64)],
) -> Result<Vec<Rating>, RatingError> {
    check_connected(count, meetings)?;
    // The first player stays at 0 while the likeliest differences are found.
    let free = count.saturating_sub(1);
    let mut strengths = vec![0.0; count];
    for _ in 0..200 {
        let (slopes, curves) = derivatives(&strengths, meetings);
        let step = multiply(&invert(curves), &slopes);
        let longest = step
            .iter()
            .fold(0.0, |longest: f64, s| longest.max(s.abs()));
        let damping = if longest > LONGEST_STEP {
            LONGEST_STEP / longest
        } else {
            1.0
        };
        for (strength, step) in strengths[1..].iter_mut().zip(&step) {
            *strength += damping * step;
        }
        if longest < PRECISION {
            break;
        }
    }
    let (_, curves) = derivatives(&strengths, meetings);
    let inverse = invert(curves);
    let mut scatter = vec![vec![0.0; free]; free];
    for meeting in meetings {
        // The added game scatters as a win or a loss round a half: where all points went to one side nothing else does.
        let variance = meeting.variance + PRIOR / 4.0;
        add(&mut scatter, meeting.players, variance);
    }
    let covariance = product(&product(&inverse, &scatter), &inverse);
    let known = if anchors.is_empty() {
        vec![(0, 0.0)]
    } else {
        anchors.to_vec()
    };
    let share = 1.0 / known.len() as f64;
    let shift: f64 = known
        .iter()
        .map(|&(player, elo)| (elo - SCALE * strengths[player]) * share)
        .sum();
    Ok((0..count)
        .map(|player| {
            // The player less the mean of the anchors, the first player left out.
            let mut weights = vec![0.0; count];
            weights[player] += 1.0;
            for &(anchor, _) in &known {
                weights[anchor] -= share;
            }
            let spread = multiply(&covariance, &weights[1..]);
            let variance: f64 = spread.iter().zip(&weights[1..]).map(|(a, b)| a * b).sum();
            Rating {
                elo: SCALE * strengths[player] + shift,
                error: Z95 * SCALE * variance.max(0.0).sqrt(),
            }
        })
        .collect())
}

/// Whether meetings lead from the first player to all others.
fn check_connected(count: usize, meetings: &[Meeting]) -> Result<(), RatingError> {
    let mut reached = vec![false; count];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for _ in 0..count {
        for meeting in meetings.iter().filter(|meeting| meeting.games > 0.0) {
            let [a, b] = meeting.players;
            let either = reached[a] || reached[b];
            (reached[a], reached[b]) = (either, either);
        }
    }
    match reached.iter().position(|reached| !reached) {
        Some(player) => Err(RatingError::Apart(player)),
        None => Ok(()),
    }
}

/// The score that the first player of a meeting may expect, per game.
fn expected(strengths: &[f64], meeting: &Meeting) -> f64 {
    let [a, b] = meeting.players;
    1.0 / (1.0 + (strengths[b] - strengths[a]).exp())
}

/// The slope of the logarithm of the likelihood in the strength of each player but the first, and its curvature (negated).
fn derivatives(strengths: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let free = strengths.len() - 1;
    let mut slopes = vec![0.0; free];
    let mut curves = vec![vec![0.0; free]; free];
    for meeting in meetings {
        let games = meeting.games + PRIOR;
        let expected = expected(strengths, meeting);
        let surplus = meeting.points + PRIOR / 2.0 - games * expected;
        let [a, b] = meeting.players;
        for (player, surplus) in [(a, surplus), (b, -surplus)] {
            if player > 0 {
                slopes[player - 1] += surplus;
            }
        }
        add(
            &mut curves,
            meeting.players,
            games * expected * (1.0 - expected),
        );
    }
    (slopes, curves)
}

/// Adds what a difference of two players weighs to a matrix over all players but the first.
fn add(matrix: &mut [Vec<f64>], [a, b]: [usize; 2], weight: f64) {
    for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
        if row > 0 && column > 0 {
            matrix[row - 1][column - 1] += sign * weight;
        }
    }
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(dot).collect()
}

fn product(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = (0..right.len())
        .map(|column| right.iter().map(|row| row[column]).collect())
        .collect();
    left.iter().map(|row| multiply(&columns, row)).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let unit = |row: usize| {
        (0..size)
            .map(|column| f64::from(u8::from(row == column)))
            .collect()
    };
    let mut inverse: Vec<Vec<f64>> = (0..size).map(unit).collect();
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        for rows in [&mut matrix, &mut inverse] {
            rows[pivot].iter_mut().for_each(|value| *value /= scale);
        }
        let (own, own_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for (rows, own) in [(&mut matrix, &own), (&mut inverse, &own_inverse)] {
                for (value, own) in rows[row].iter_mut().zip(own) {
                    *value -= factor * own;
                }
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{elo_of_score, score_of_elo};

    fn meeting(players: [usize; 2], games: f64, points: f64) -> Meeting {
        let share = points / games;
        Meeting {
            players,
            games,
            points,
            variance: games * share * (1.0 - share),
        }
    }

    #[test]
    fn two_players_differ_by_what_their_score_says() {
        let ratings = rate(2, &[meeting([0, 1], 9_999.0, 2_499.5)], &[]).unwrap();
        // With the added draw it is 2,500 of 10,000.
        assert!((ratings[1].elo - elo_of_score(0.75)).abs() < 1e-6);
        assert!((ratings[0].elo, ratings[0].error) == (0.0, 0.0));
        let deviation = (0.25_f64 * 0.75 / 10_000.0).sqrt();
        let bar = Z95 * deviation * SCALE / (0.25 * 0.75);
        assert!(
            (ratings[1].error - bar).abs() < 0.01,
            "{}",
            ratings[1].error
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
    fn a_chain_adds_its_errors_up() {
        let meetings = [meeting([0, 1], 100.0, 50.0), meeting([1, 2], 100.0, 50.0)];
        let ratings = rate(3, &meetings, &[]).unwrap();
        assert!((ratings[2].error / ratings[1].error - 2.0_f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn who_wins_all_games_has_a_finite_rating_and_who_meets_nobody_none() {
        let ratings = rate(2, &[meeting([0, 1], 100.0, 0.0)], &[]).unwrap();
        assert!(ratings[1].elo > 800.0 && ratings[1].elo < 1200.0);
        let error = ratings[1].error;
        assert!(error > 200.0 && error.is_finite(), "{error}");
        let apart = rate(3, &[meeting([0, 1], 100.0, 50.0)], &[]);
        assert_eq!(apart, Err(RatingError::Apart(2)));
        assert_eq!(rate(1, &[], &[]).unwrap().len(), 1);
    }
}
