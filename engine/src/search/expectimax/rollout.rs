//! Rollouts of DiceChess: games played to the end with shared dice, as in backgammon programs.
//!
//! Both sides play by a search of fixed depth. Three techniques reduce the variance: all candidates get the same dice; the
//! first roll runs through all 216 throws in turn; and throws that capture the king are never played but computed: a game
//! is weighted by the probability that none of them occurred, and their wins are added exactly (Rao-Blackwell).

use super::player::Player;
use crate::core::zobrist::splitmix;
use crate::eval::dice::endgames::Endgames;
use crate::rules::dice::DiceChess;
use crate::rules::{Chance, Roll, Rules};
use crate::search::control::Control;
use std::collections::TryReserveError;
use std::thread;

/// Number of throws of three dice, and of games between estimates.
const THROWS: u32 = 216;
/// A game whose weight is below this is ended by the evaluation.
const NEGLIGIBLE: f64 = 1e-4;
/// Greatest length of a game, in turns.
const LONGEST: u32 = 400;
/// Lead of the best candidate, in standard errors of the difference, that ends the rollout.
const DOUBTLESS: f64 = 3.0;

/// Settings of a rollout.
#[derive(Clone, Debug)]
pub struct Rollout {
    /// Maximum number of games for each candidate; rounded up to a multiple of 216.
    pub games: u32,
    /// Search depth of the players, in turns.
    pub depth: u32,
    /// Number of turns after which the evaluation ends a game; `None`: played to the end.
    pub truncate: Option<u32>,
    /// Standard error at which the rollout ends, for all candidates.
    pub error: f64,
    /// Seed of the dice.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Endgame tables, used by the players and to end games.
    pub endgames: Option<Endgames>,
    /// Whether the counter of quiet turns draws.
    pub clock_draw: bool,
}

/// Estimated winning probability of a candidate.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// Winning probability of the side that rolls, draws counting half, 0 to 1.
    pub mean: f64,
    /// Standard error of the mean.
    pub error: f64,
    /// Number of games played.
    pub games: u32,
}

impl Rollout {
    /// Rolls out positions that await their roll, and calls `listen` with the estimates after every 216 games. Ends after
    /// the given number of games, when all errors are small enough, when one of several candidates is clearly the best, or
    /// at a stop. Candidates are positions after a turn: the best one has the lowest value for the side that rolls.
    ///
    /// # Errors
    /// If there is no memory for a player.
    pub fn run(
        &self,
        candidates: &[DiceChess],
        control: &Control,
        listen: &mut dyn FnMut(&[Estimate]),
    ) -> Result<Vec<Estimate>, TryReserveError> {
        let mut results: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];
        let mut estimates = vec![Estimate::default(); candidates.len()];
        let mut done = 0;
        while done < self.games && !control.is_stopped() {
            let portion = self.portion(candidates, done, control)?;
            if control.is_stopped() {
                break;
            }
            for game in portion {
                for (result, all) in game.into_iter().zip(&mut results) {
                    all.push(result);
                }
            }
            done += THROWS;
            estimates = results.iter().map(|all| estimate(all)).collect();
            listen(&estimates);
            if estimates.iter().all(|one| one.error <= self.error) || is_decided(&results) {
                break;
            }
        }
        Ok(estimates)
    }

    /// Plays the next games of all candidates; returns for each game the results by candidate.
    fn portion(
        &self,
        candidates: &[DiceChess],
        from: u32,
        control: &Control,
    ) -> Result<Vec<Vec<f64>>, TryReserveError> {
        let threads = self.threads.clamp(1, THROWS as usize) as u32;
        let mut games = shared_out(threads, |thread| -> Result<Vec<(u32, Vec<f64>)>, _> {
            Player::with(control, self.endgames.as_ref(), self.clock_draw, |player| {
                (0..THROWS)
                    .skip(thread as usize)
                    .step_by(threads as usize)
                    .map(|n| {
                        let play = |start| self.play(player, start, from + n);
                        (n, candidates.iter().map(play).collect())
                    })
                    .collect()
            })
        })?;
        games.sort_by_key(|&(n, _)| n);
        Ok(games.into_iter().map(|(_, results)| results).collect())
    }

    /// Plays one game; returns the result for the side that rolls first, 0 to 1.
    fn play(&self, player: &mut Player<'_>, start: &DiceChess, game: u32) -> f64 {
        let first = start.side_to_move();
        let mut position = *start;
        let (mut sum, mut weight) = (0.0, 1.0);
        for turn in 0..LONGEST {
            let own = position.side_to_move() == first;
            let toward = |chance: f64| if own { chance } else { 1.0 - chance };
            if self.clock_draw && position.clock() >= 100 {
                return sum + weight * 0.5;
            }
            if weight < NEGLIGIBLE || self.truncate.is_some_and(|most| turn >= most) {
                return sum + weight * toward(player.chance(&position));
            }
            let kings = position.king_capturing_rolls(position.side_to_move());
            let taken = f64::from(position.king_capture()) / f64::from(THROWS);
            sum += weight * taken * toward(1.0);
            weight *= 1.0 - taken;
            let Some(roll) = self.roll(game, turn, kings) else {
                return sum;
            };
            position = player.play(&position, roll, self.depth);
        }
        sum + weight * 0.5
    }

    /// The roll of a turn, from those that do not capture the king. It is the same for all candidates where their possible
    /// rolls agree.
    fn roll(&self, game: u32, turn: u32, kings: u64) -> Option<Roll> {
        let random = splitmix(self.seed ^ u64::from(game) << 20, u64::from(turn)) >> 11;
        let mut place = random as f64 / (1u64 << 53) as f64;
        if turn == 0 {
            // Each round of 216 games begins with each throw once, in an order independent of the games' own dice.
            place = (f64::from(game % THROWS) + place) / f64::from(THROWS);
        }
        let rolls = DiceChess::rolls();
        let free = |n: usize| kings >> n & 1 == 0;
        let throws: u32 = (0..rolls.len())
            .filter(|&n| free(n))
            .map(|n| rolls[n].1)
            .sum();
        let mut left = (place * f64::from(throws)) as u32;
        for (n, &(roll, weight)) in rolls.iter().enumerate() {
            if free(n) {
                if left < weight {
                    return Some(roll);
                }
                left -= weight;
            }
        }
        None
    }
}

/// Does work in this number of parts, each on a thread of its own. A part for which there was no thread, or no memory beside the
/// others, is done by this thread alone afterwards.
fn shared_out<T: Send, E: Send>(
    threads: u32,
    work: impl Fn(u32) -> Result<Vec<T>, E> + Sync,
) -> Result<Vec<T>, E> {
    let parts: Vec<_> = thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..threads)
            .map(|n| thread::Builder::new().spawn_scoped(scope, move || work(n)))
            .collect();
        let own = work(0).ok();
        let others = others
            .into_iter()
            .map(|thread| thread.ok()?.join().ok()?.ok());
        std::iter::once(own).chain(others).collect()
    });
    let mut all = Vec::new();
    for (n, part) in (0..).zip(parts) {
        all.extend(match part {
            Some(part) => part,
            None => work(n)?,
        });
    }
    Ok(all)
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1);
    values.sum::<f64>() / count as f64
}

/// The mean and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count();
    let middle = mean(values.clone());
    let variance = mean(values.map(|value| (value - middle).powi(2)));
    (middle, (variance / (count.max(2) - 1) as f64).sqrt())
}

fn estimate(results: &[f64]) -> Estimate {
    let (mean, error) = mean_and_error(results.iter().copied());
    Estimate {
        mean,
        error,
        games: results.len() as u32,
    }
}

/// Whether one of several candidates leads all others significantly.
fn is_decided(results: &[Vec<f64>]) -> bool {
    let sum = |all: &&Vec<f64>| all.iter().sum::<f64>();
    let Some(best) = results.iter().min_by(|a, b| sum(a).total_cmp(&sum(b))) else {
        return false;
    };
    results.len() > 1
        && results
            .iter()
            .filter(|other| !std::ptr::eq(*other, best))
            .all(|other| {
                let differences = other.iter().zip(best).map(|(a, b)| a - b);
                let (lead, error) = mean_and_error(differences);
                lead > DOUBTLESS * error
            })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;
    use crate::rules::dice::Options;

    fn read(fen: &str) -> DiceChess {
        DiceChess::from_fen(fen, &Options::default())
            .unwrap_or_else(|error| panic!("{fen}: {error}"))
            .position
    }

    fn settings(games: u32) -> Rollout {
        Rollout {
            games,
            depth: 1,
            truncate: None,
            error: 0.0,
            seed: 1,
            threads: 1,
            endgames: None,
            clock_draw: true,
        }
    }

    #[test]
    fn threads_do_not_change_the_games() {
        let start = [DiceChess::start(&Options::default())];
        let rollout = settings(216);
        let threads = Rollout {
            threads: 3,
            ..rollout.clone()
        };
        let run = |rollout: &Rollout| {
            let found = rollout.run(&start, &Control::default(), &mut |_| {});
            found.expect("memory")
        };
        let (alone, together) = (run(&rollout), run(&threads));
        assert_eq!(alone, together);
        assert_eq!(alone[0].games, 216);
        assert!((0.4..0.75).contains(&alone[0].mean), "{alone:?}");
        assert!(alone[0].error < 0.04);
    }

    #[test]
    fn a_part_that_has_no_memory_is_done_alone_or_refused() {
        use std::sync::Mutex;
        for refusals in 0..=4 {
            let left = Mutex::new(refusals);
            let found = shared_out(3, |n| {
                let mut left = left.lock().unwrap();
                if *left > 0 {
                    *left -= 1;
                    return Err("no memory");
                }
                Ok(vec![n, n + 3])
            });
            let all = if refusals <= 3 {
                Ok(vec![0, 3, 1, 4, 2, 5])
            } else {
                Err("no memory")
            };
            assert_eq!(found, all, "{refusals} refusals");
        }
    }

    #[test]
    fn a_clear_lead_and_a_small_error_end_it() {
        // The side that rolls has a queen more, or a queen less.
        let candidates = [
            read("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"),
            read("q3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ];
        let found = settings(100_000)
            .run(&candidates, &Control::default(), &mut |_| {})
            .expect("memory");
        assert_eq!(found[0].games, 216);
        assert!(found[0].mean > 0.8 && found[1].mean < 0.2, "{found:?}");
        let rollout = Rollout {
            error: 0.05,
            ..settings(100_000)
        };
        let one = rollout
            .run(&candidates[..1], &Control::default(), &mut |_| {})
            .expect("memory");
        assert_eq!(one[0].games, 216);
    }

    #[test]
    fn king_captures_are_computed_exactly() {
        // Any queen's die wins at once; the bare king always loses to the next one.
        let position = read("k7/8/8/8/8/8/8/QK6 w - - 0 1");
        let truncated = Rollout {
            truncate: Some(1),
            ..settings(216)
        };
        let found = truncated
            .run(&[position], &Control::default(), &mut |_| {})
            .expect("memory");
        assert!(found[0].mean > 91.0 / 216.0);
        assert!(found[0].error < 0.03, "{found:?}");
    }
}
