//! A batch: some pairs of games from the same values, on several threads, and what is learnt from them.

use crate::matches::workers::work_on_all;
use crate::tuning::state::State;
use std::sync::{Mutex, PoisonError};

/// A game that a batch wants played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchGame<'a> {
    /// The pair that it belongs to, from 1.
    pub pair: u64,
    /// Whether it is the second game of its pair: the second setting has White.
    pub is_second: bool,
    /// The values of the two settings.
    pub sides: &'a [Vec<i32>; 2],
}

/// The games of a batch, handed out to threads.
struct Work<E> {
    next: usize,
    /// Half points of the first setting by pair.
    points: Vec<u8>,
    score: [u64; 3],
    error: Option<E>,
}

/// Plays the next batch and learns from it. `play` gives the half points of the first setting. What is learnt does not
/// depend on the number of threads.
///
/// # Errors
/// The first error of `play`. Nothing is learnt then.
pub fn advance<E: Send>(
    state: &mut State,
    threads: usize,
    play: &(impl Fn(BatchGame<'_>) -> Result<u8, E> + Sync),
) -> Result<(), E> {
    let schedule = &state.settings.schedule;
    let pairs: Vec<u64> = (state.pairs + 1..=schedule.pairs)
        .take(usize::try_from(schedule.batch).unwrap_or(usize::MAX))
        .collect();
    let sides: Vec<_> = pairs
        .iter()
        .map(|&pair| schedule.sides(&state.values, pair))
        .collect();
    let work = Mutex::new(Work {
        next: 0,
        points: vec![0; pairs.len()],
        score: [0; 3],
        error: None,
    });
    let lock = || work.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || {
        let mut work = lock();
        let game = work.next;
        work.next += 1;
        (game < 2 * pairs.len() && work.error.is_none()).then_some(game)
    };
    let play_games = |_| {
        while let Some(game) = next() {
            let place = game / 2;
            let played = play(BatchGame {
                pair: pairs[place],
                is_second: game % 2 == 1,
                sides: &sides[place],
            });
            let mut work = lock();
            match played {
                Ok(points) => {
                    work.points[place] += points;
                    work.score[usize::from(2 - points.min(2))] += 1;
                }
                Err(error) => {
                    work.error.get_or_insert(error);
                }
            }
        }
    };
    work_on_all(threads.min(2 * pairs.len()), play_games);
    let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = work.error {
        return Err(error);
    }
    for (&pair, &points) in pairs.iter().zip(&work.points) {
        schedule.learn(&mut state.values, pair, i32::from(points) - 2);
    }
    state.pairs += pairs.len() as u64;
    for (sum, count) in state.games.iter_mut().zip(work.score) {
        *sum += count;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::schedule::{Random, RngStream, derive};
    use crate::tuning::state::samples::settings;
    use std::convert::Infallible;

    /// Where the best values lie.
    const BEST: [f64; 2] = [9.0, 180.0];

    /// A game between settings that play the better the nearer they are to the best: a chance that falls with the square of
    /// the distance in steps.
    fn game(game_of_batch: BatchGame<'_>) -> u8 {
        let loss = |side: &Vec<i32>| {
            let steps = [1.0, 10.0];
            let distance = |i: usize| (f64::from(side[i]) - BEST[i]) / steps[i];
            distance(0).powi(2) + distance(1).powi(2)
        };
        let [plus, minus] = game_of_batch.sides.each_ref().map(loss);
        let chance = 1.0 / (1.0 + ((plus - minus) / 40.0).exp());
        let number = 2 * game_of_batch.pair + u64::from(game_of_batch.is_second);
        let drawn = Random::new(derive(3, RngStream::Player, number)).below(1 << 30) as f64;
        if drawn / f64::from(1 << 30) < chance {
            2
        } else {
            0
        }
    }

    fn tune(state: &mut State, threads: usize, until: u64) {
        while state.pairs < until {
            advance(state, threads, &|game_of_batch| {
                Ok::<_, Infallible>(game(game_of_batch))
            })
            .unwrap();
        }
    }

    fn start() -> State {
        let mut settings = settings();
        settings.schedule.pairs = 6000;
        State::new(settings)
    }

    #[test]
    fn finds_the_best_values_of_a_noisy_objective() {
        let mut state = start();
        let distance = |state: &State| {
            let steps = [1.0, 10.0];
            let off = |i: usize| ((state.values[i] - BEST[i]) / steps[i]).abs();
            off(0).max(off(1))
        };
        let before = distance(&state);
        tune(&mut state, 2, 6000);
        let after = distance(&state);
        assert!(
            before >= 6.0 && after < 1.0,
            "{before} to {after}: {:?}",
            state.values
        );
        assert_eq!(state.games.iter().sum::<u64>(), 12_000);
        assert!(state.is_finished());
    }

    #[test]
    fn stands_still_where_nothing_matters() {
        let mut state = start();
        let draw = |_: BatchGame<'_>| Ok::<_, Infallible>(1);
        while !state.is_finished() {
            advance(&mut state, 1, &draw).unwrap();
        }
        assert_eq!(state.values, start().values);
        assert_eq!(state.games, [0, 12_000, 0]);
    }

    #[test]
    fn goes_on_exactly_whatever_the_threads() {
        let (mut whole, mut part) = (start(), start());
        tune(&mut whole, 1, 400);
        tune(&mut part, 4, 160);
        let file = std::env::temp_dir().join(format!("fauve-resume-{}", std::process::id()));
        part.save(&file).unwrap();
        let mut rest = State::resume(&file, part.settings).unwrap();
        std::fs::remove_file(&file).unwrap();
        tune(&mut rest, 3, 400);
        assert_eq!(rest, whole);
    }

    #[test]
    fn an_error_teaches_nothing() {
        let mut state = start();
        let broken = |game_of_batch: BatchGame<'_>| match game_of_batch.pair {
            5 => Err("broken"),
            _ => Ok(2),
        };
        assert_eq!(advance(&mut state, 3, &broken), Err("broken"));
        assert_eq!(state, start());
    }
}
