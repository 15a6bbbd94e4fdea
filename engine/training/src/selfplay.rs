//! Self-play: plays one game of the engine against itself and selects positions for training.

use crate::game::{PoolRule, Trainable, forget_past, play_random_turn};
use crate::random::Random;
use crate::record::{GameResult, Packed, Verdict};
use fauve_engine::core::Color;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::rules::{Game, Outcome};
use fauve_engine::search::{Answer, Control, Limits, Score, Searcher, Settings, Table};

/// Greatest absolute value of an opening, in centipawns; others are replaced.
const BALANCED: i32 = 300;
/// Number of openings tried for one game.
const ATTEMPTS: usize = 100;
/// One of this number of turns after the opening is random, in the early part of the game.
const RANDOM_LATER: usize = 30;
/// Number of turns after the opening in which turns may be random.
const EARLY: usize = 40;
/// Change of the value, in centipawns, from which a random turn leaves the result of the earlier positions open.
const BLUNDER: i32 = 100;
/// Number of consecutive turns with a value of at least [`Trainable::DECIDED`] for the same side that end a game as a win.
const DECIDED: u32 = 4;
/// Number of turns after which a game may be adjudicated as drawn.
const DRAWN_AFTER: usize = 80;
/// Draw adjudication: greatest absolute value, in centipawns, and number of consecutive turns.
const DRAWN: (i32, u32) = (10, 16);
/// Number of turns after which a game is drawn.
const LONGEST: usize = 400;
/// Value of a mate in these comparisons, in centipawns.
const MATE: i32 = 30_000;

/// Settings of self-play.
#[derive(Clone, Debug)]
pub struct Play {
    /// Nodes per search.
    pub nodes: u64,
    /// Superchess: the promotion pool.
    pub pool: PoolRule,
    /// Network of the player; `None`: the engine's own evaluation.
    pub network: Option<SharedNetwork>,
}

/// Plays the game with a number under a seed and returns its positions. They depend on nothing else: the table is cleared.
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
            always_reply: false,
            ..Settings::default()
        },
        control: Control::default(),
        table,
    };
    for _ in 0..ATTEMPTS {
        if let Some((game, first)) = opening::<G>(&player, play.pool, &mut random) {
            return play_out(&player, game, first, &mut random);
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
        Searcher::new(table, settings, control).run(game, limits, &mut |_| {})
    }
}

/// A balanced position after random turns, with the player's answer; `None` if the game is over or the position is not
/// balanced.
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
fn play_out<G: Trainable>(
    player: &Player<G>,
    mut game: Game<G>,
    first: Answer<G>,
    random: &mut Random,
) -> Vec<Packed> {
    let mut records: Vec<Packed> = Vec::new();
    let mut keys = Vec::new();
    // Positions before this index have an open result.
    let mut open = 0;
    // Expected value after a random turn, if that turn is no blunder.
    let mut expected = None;
    let mut referee = Referee::default();
    let mut first = Some(first);
    let mut end = GameEnd::Drawn;
    for turn in 0..LONGEST {
        if let Some(outcome) = game.outcome() {
            end = match outcome {
                Outcome::Win(color, _) => GameEnd::Won(color),
                Outcome::Draw(_) => GameEnd::Drawn,
            };
            // The end counts as a value, too: where a random turn has brought it about, it may be a blunder.
            let value = match end {
                GameEnd::Drawn => 0,
                GameEnd::Won(color) if color == game.position().side_to_move() => MATE,
                GameEnd::Won(_) => -MATE,
            };
            if is_blunder(expected, value) {
                open = records.len();
            }
            break;
        }
        let answer = first.take().unwrap_or_else(|| player.think(&game));
        let Some(best) = answer.best else { break };
        let side = game.position().side_to_move();
        let value = centipawns(answer.score);
        if is_blunder(expected.take(), value) {
            open = records.len();
        }
        if let Some(verdict) = referee.adjudicate(turn, side, value, G::DECIDED) {
            end = verdict;
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
        let result = match end {
            GameEnd::Drawn => GameResult::Draw,
            GameEnd::Won(color) if color == verdict.side => GameResult::Win,
            GameEnd::Won(_) => GameResult::Loss,
        };
        Verdict { result, ..verdict }.write(record);
    }
    records
}

/// Whether a random turn, before which this value was expected, has changed it too much.
fn is_blunder(expected: Option<i32>, value: i32) -> bool {
    expected.is_some_and(|expected| (value - expected).abs() > BLUNDER)
}

/// Whether a position is out of check and its best turn does not change the material.
fn is_quiet<G: Trainable>(position: &G, best: &[G::Step]) -> bool {
    !position.in_check() && !best.iter().any(|&step| position.is_noisy(step))
}

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameEnd {
    Won(Color),
    Drawn,
}

/// Adjudicates decided and drawn games.
#[derive(Default)]
struct Referee {
    /// Number of consecutive turns in which each side was winning.
    decided: [u32; 2],
    drawn: u32,
}

impl Referee {
    /// Records the value of a turn; returns the result if the game is adjudicated.
    fn adjudicate(&mut self, turn: usize, side: Color, value: i32, won: i32) -> Option<GameEnd> {
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
            .map(GameEnd::Won)
            .or((self.drawn >= DRAWN.1).then_some(GameEnd::Drawn))
    }
}

/// A score in centipawns, a mate as ±[`MATE`].
pub const fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(turns) if turns > 0 => MATE,
        Score::Mate(_) => -MATE,
    }
}
