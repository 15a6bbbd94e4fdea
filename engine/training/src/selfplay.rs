//! One game of the engine against itself, and the positions that are learned from.

use crate::game::{PoolRule, Trainable, forget_past, play_random_turn};
use crate::random::Random;
use crate::record::{GameResult, Packed, Verdict};
use fauve_engine::core::Color;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::rules::{Game, Outcome};
use fauve_engine::search::{Answer, Control, Limits, Score, Settings, Table};

/// An opening whose value is farther from zero than this is replaced by another.
const BALANCED: i32 = 300;
/// So many openings are tried for one game.
const ATTEMPTS: usize = 100;
/// One turn in so many among the first turns is random.
const RANDOM_LATER: usize = 30;
/// The turns after the opening in which this happens.
const EARLY: usize = 40;
/// A random turn that changes the value by more than this leaves the result of the positions before it open.
const BLUNDER: i32 = 100;
/// A game is won when the value was at least [`Trainable::DECIDED`] for the same side for so many turns in a row.
const DECIDED: u32 = 4;
/// A game is drawn when, after so many turns, the value was at most this for so many turns in a row.
const DRAWN_AFTER: usize = 80;
const DRAWN: (i32, u32) = (10, 16);
/// A game is drawn after so many turns.
const LONGEST: usize = 400;
/// What a mate counts in these comparisons.
const MATE: i32 = 30_000;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Play {
    /// Nodes of a search.
    pub nodes: u64,
    /// Superchess: the promotion pool.
    pub pool: PoolRule,
    /// What the player evaluates with instead of the evaluation that the engine has by itself.
    pub network: Option<SharedNetwork>,
}

/// Plays the game of a number under a seed and gives its positions; nothing else has an influence. The table may hold
/// anything.
pub fn play<G: Trainable>(play: &Play, seed: u64, id: u64, table: &Table) -> Vec<Packed> {
    let mut random = Random::new(seed, id);
    table.clear();
    let player = Player {
        limits: Limits {
            nodes: Some(play.nodes),
            ..Limits::default()
        },
        settings: Settings {
            network: play.network.clone(),
            ..Settings::default()
        },
        control: Control::default(),
        table,
    };
    for _ in 0..ATTEMPTS {
        if let Some((game, first)) = opening::<G>(&player, play.pool, &mut random) {
            return go_on(&player, game, first, &mut random);
        }
    }
    Vec::new()
}

struct Player<'a, G: Trainable> {
    limits: Limits<G>,
    settings: Settings,
    control: Control,
    table: &'a Table,
}

impl<G: Trainable> Player<'_, G> {
    fn think(&self, game: &Game<G>) -> Answer<G> {
        let Self {
            limits,
            settings,
            control,
            table,
        } = self;
        G::run_search(game, limits, settings, table, control, &mut |_| {})
    }
}

/// A balanced position after random turns, with what the player thinks of it; `None` if it is over or not balanced.
fn opening<G: Trainable>(
    player: &Player<G>,
    pool: PoolRule,
    random: &mut Random,
) -> Option<(Game<G>, Answer<G>)> {
    let mut game = G::start_of_game(random, pool);
    let (least, most) = G::RANDOM_TURNS;
    for _ in 0..least + random.below(most - least + 1) {
        if game.outcome().is_some() || !play_random_turn(&mut game, random) {
            return None;
        }
    }
    if game.outcome().is_some() {
        return None;
    }
    forget_past(&mut game);
    let answer = player.think(&game);
    (centipawns(answer.score).abs() <= BALANCED).then_some((game, answer))
}

/// Plays from an opening to the end.
fn go_on<G: Trainable>(
    player: &Player<G>,
    mut game: Game<G>,
    first: Answer<G>,
    random: &mut Random,
) -> Vec<Packed> {
    let mut records: Vec<Packed> = Vec::new();
    let mut keys = Vec::new();
    // Positions before this one have an open result.
    let mut open = 0;
    // What the position is worth after a random turn if that changes nothing.
    let mut expected = None;
    let mut referee = Referee::default();
    let mut first = Some(first);
    let mut ending = Ending::Drawn;
    for turn in 0..LONGEST {
        if let Some(outcome) = game.outcome() {
            ending = match outcome {
                Outcome::Win(color, _) => Ending::Won(color),
                Outcome::Draw(_) => Ending::Drawn,
            };
            break;
        }
        let answer = first.take().unwrap_or_else(|| player.think(&game));
        let Some(best) = answer.best else { break };
        let side = game.position().side_to_move();
        let value = centipawns(answer.score);
        if expected
            .take()
            .is_some_and(|old: i32| (value - old).abs() > BLUNDER)
        {
            open = records.len();
        }
        if let Some(verdict) = referee.look(turn, side, value, G::DECIDED) {
            ending = verdict;
            break;
        }
        if game.position().is_stale() {
            break;
        }
        if turn < EARLY && random.one_in(RANDOM_LATER) {
            if !play_random_turn(&mut game, random) {
                break;
            }
            expected = Some(-value);
        } else {
            let position = game.position();
            if let Score::Cp(score) = answer.score
                && position.is_in_play()
                && (!G::QUIET_ONLY || is_quiet(position, &best))
                && !keys.contains(&position.key())
                && let Some(mut record) = G::describe(&game).filter(G::asks_network)
            {
                keys.push(position.key());
                Verdict {
                    score: score.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
                    side,
                    result: GameResult::Open,
                }
                .write(&mut record);
                records.push(record);
            }
            for step in best {
                game.play(step);
            }
        }
        forget_past(&mut game);
    }
    for record in &mut records[open..] {
        let verdict = Verdict::of(record);
        let result = match ending {
            Ending::Drawn => GameResult::Draw,
            Ending::Won(color) if color == verdict.side => GameResult::Win,
            Ending::Won(_) => GameResult::Loss,
        };
        Verdict { result, ..verdict }.write(record);
    }
    records
}

/// Whether a position out of check has a best turn that changes no material.
fn is_quiet<G: Trainable>(position: &G, best: &[G::Step]) -> bool {
    !position.in_check() && !best.iter().any(|&step| position.is_noisy(step))
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Won(Color),
    Drawn,
}

/// StopConditions games that nobody needs to see to the end.
#[derive(Default)]
struct Referee {
    /// Turns in a row that a side was winning.
    decided: [u32; 2],
    drawn: u32,
}

impl Referee {
    /// Takes in the value of a turn; how the game has ended, if it has.
    fn look(&mut self, turn: usize, side: Color, value: i32, won: i32) -> Option<Ending> {
        let count = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        count(&mut self.decided[side.index()], value >= won);
        count(&mut self.decided[(!side).index()], -value >= won);
        count(
            &mut self.drawn,
            turn >= DRAWN_AFTER && value.abs() <= DRAWN.0,
        );
        let winner = Color::ALL
            .into_iter()
            .find(|color| self.decided[color.index()] >= DECIDED);
        winner
            .map(Ending::Won)
            .or((self.drawn >= DRAWN.1).then_some(Ending::Drawn))
    }
}

/// A score as one number, a mate as [`MATE`].
pub const fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(turns) if turns > 0 => MATE,
        Score::Mate(_) => -MATE,
    }
}
