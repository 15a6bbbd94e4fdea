//! What searches are for and what they say, both also as text, so that another instance of the board can run them.

use crate::games::NewGameError;
use crate::play::{self, AnyGame, KeptGame, Line, Think};
use crate::review::{Assessed, Tried};
use crate::room::{Handle, Kind};
use crate::session::GameSession;
use crate::view::{Arrow, Step};
use crate::wire::Hint;
use fauve_engine::core::Color;
use fauve_engine::search::{Clock, Control, Instant, Table};
use fauve_game::names;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;

/// Megabytes of the transposition table of a turn or a hint.
const HASH: usize = 16;
/// The nodes of the search for a hint.
const HINT_NODES: u64 = 250_000;

/// What a search is for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Task {
    /// The turn of a level of play, on a clock where there is one.
    Turn {
        level: u32,
        clock: Option<TurnClock>,
    },
    /// This number of lines, until it is stopped, with a table of these megabytes.
    Analysis {
        lines: usize,
        threads: usize,
        hash: usize,
    },
    /// The turns of the game assessed by searches of this many nodes.
    Review { nodes: u64 },
    /// What the engine would play.
    Hint,
    /// What a turn is worth beside the best one, by searches of this many nodes.
    Weigh { turn: String, nodes: u64 },
    /// Whether the engine, as White or as Black, accepts a draw.
    Draw { white: bool },
}

/// A clock that has a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TurnClock(#[serde(with = "ClockText")] pub(crate) Clock);

/// The text of a [`Clock`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Clock", deny_unknown_fields)]
struct ClockText {
    left: Duration,
    increment: Duration,
    turns_to_go: Option<u32>,
}

/// What a search says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Said {
    /// The rest of the turn, as steps, that is the answer if the search ends now.
    Best(Vec<String>),
    /// A [`Line`], as pages get it, and which one it is, from 1.
    Line { number: usize, line: Box<RawValue> },
    /// A turn that was assessed, with what its own text leaves out.
    Assessed {
        assessed: Box<Assessed>,
        of: (String, Option<String>),
        eval: Option<String>,
    },
    /// What the engine would play.
    Hint(Hint),
    /// What a turn is worth.
    Tried(Tried),
    /// Whether a draw is accepted.
    Accepts(bool),
    /// A sentence about what has gone wrong.
    Trouble(String),
}

impl Task {
    /// Searches in the position of a game. Where `control` is stopped before there is anything to say, a turn is said nevertheless.
    pub(crate) fn run(&self, game: &dyn AnyGame, control: &Control, say: &mut dyn FnMut(Said)) {
        let megabytes = match self {
            Self::Analysis { hash, .. } => *hash,
            Self::Review { nodes } => return review(game, *nodes, control, say),
            Self::Weigh { turn, nodes } => return say(weigh(game, turn, *nodes, control)),
            _ => HASH,
        };
        let Ok(table) = Table::new(megabytes) else {
            say(Said::Trouble(format!(
                "There is no memory for a table of {megabytes} megabytes."
            )));
            return;
        };
        match *self {
            Self::Turn { level, clock } => {
                let think = Think::Level(level, clock.map(|TurnClock(clock)| clock));
                let (steps, _) = game.search(think, &table, control, &mut |line| {
                    if line.is_answer
                        && let Some(turn) = line.turns.first()
                    {
                        let token = |step: &Step| step.token.clone();
                        say(Said::Best(turn.steps.iter().map(token).collect()));
                    }
                });
                say(Said::Best(steps));
            }
            Self::Analysis { lines, threads, .. } => {
                let think = Think::Endless { lines, threads };
                game.search(think, &table, control, &mut |line| {
                    let number = line.number;
                    let line = serde_json::value::to_raw_value(&line);
                    let line = line.expect("numbers and text are JSON");
                    say(Said::Line { number, line });
                });
            }
            Self::Hint => {
                if let Some(hint) = hint(game, &table, control) {
                    say(Said::Hint(hint));
                }
            }
            Self::Draw { white } => {
                let engine = if white { Color::White } else { Color::Black };
                say(Said::Accepts(game.accepts_draw(engine, &table, control)));
            }
            Self::Review { .. } | Self::Weigh { .. } => {}
        }
    }
}

fn hint(game: &dyn AnyGame, table: &Table, control: &Control) -> Option<Hint> {
    let mut best: Option<Line> = None;
    let think = Think::Nodes(HINT_NODES);
    let (steps, white) = game.search(think, table, control, &mut |line| best = Some(line));
    let line = best?;
    let turn = line.turns.first()?;
    Some(Hint {
        steps,
        san: turn.san.clone(),
        score: line.score.clone(),
        white,
        arrows: arrows(&turn.steps),
    })
}

/// The arrows of steps that go from one square to another.
fn arrows(steps: &[Step]) -> Vec<Arrow> {
    steps
        .iter()
        .filter_map(|step| Some([step.from.clone()?, step.to.clone()?]))
        .collect()
}

fn weigh(game: &dyn AnyGame, turn: &str, nodes: u64, control: &Control) -> Said {
    match game.weigh(turn, nodes, control) {
        Ok(Some(tried)) => Said::Tried(tried),
        Ok(None) => Said::Trouble("There is no memory for this search.".to_owned()),
        Err(why) => Said::Trouble(why.to_string()),
    }
}

fn review(game: &dyn AnyGame, nodes: u64, control: &Control, say: &mut dyn FnMut(Said)) {
    game.review(nodes, control, &mut |assessed| {
        say(Said::Assessed {
            of: assessed.of.clone(),
            eval: assessed.eval.clone(),
            assessed: Box::new(assessed),
        });
    });
}

/// A search of a game that is served, and its listener.
pub(crate) struct Search {
    pub(crate) kind: Kind,
    pub(crate) handle: Handle,
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) task: Task,
    /// The listener does not hear of the end earlier, unless the search is stopped.
    pub(crate) due: Option<Instant>,
    pub(crate) session: Arc<GameSession>,
    pub(crate) listener: Box<dyn Listener>,
}

/// What becomes of what a search says.
pub(crate) trait Listener: Send {
    fn hear(&mut self, said: Said);
    /// The search has come to its end, by itself or because it was stopped.
    fn end(self: Box<Self>) {}
}

/// A task as text, with the game that it is about.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    variant: String,
    game: KeptGame,
    /// The roll of the turn, which need not be that of the game's seed.
    roll: Option<String>,
    /// The steps of the unfinished turn.
    partial_turn: Vec<String>,
    task: Task,
}

/// A task in the position of a game as text, for [`run_search`].
pub(crate) fn job_text(game: &dyn AnyGame, task: &Task) -> String {
    let token = |step: &Step| step.token.clone();
    let job = Job {
        variant: game.variant().name().to_owned(),
        game: game.keep(),
        roll: game.roll(),
        partial_turn: game.partial_turn().iter().map(token).collect(),
        task: task.clone(),
    };
    serde_json::to_string(&job).expect("numbers and text are JSON")
}

/// Runs a search whose text [`Board::next_search`](crate::Board::next_search) or an answer of status 202 has given. `say` gets what it says, as
/// text. It asks `stops` all the time whether it has to end.
///
/// # Errors
/// What cannot be read of it.
pub fn run_search(
    text: &str,
    stops: fn() -> bool,
    say: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let job: Job = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let game = game_of(&job).map_err(|why| why.to_string())?;
    let control = Control::asking(stops);
    job.task.run(&*game, &control, &mut |said| {
        say(&serde_json::to_string(&said).expect("numbers and text are JSON"));
    });
    Ok(())
}

fn game_of(job: &Job) -> Result<Box<dyn AnyGame>, NewGameError> {
    let variant = names::variant(&job.variant)?;
    let mut game = play::restore(variant, &job.game)?;
    if let Some(roll) = &job.roll {
        game.set_roll(roll)?;
    }
    for step in &job.partial_turn {
        game.step(step)?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::Variant;
    use fauve_engine::rules::DiceSeed;

    const TASK: Task = Task::Turn {
        level: 1,
        clock: Some(TurnClock(Clock {
            left: Duration::from_millis(1500),
            increment: Duration::ZERO,
            turns_to_go: Some(3),
        })),
    };

    /// The text of a turn on a clock, whose first step is made.
    fn text() -> String {
        let begun = play::begin(Variant::TwoMove, None, &[], DiceSeed(1));
        let (mut game, _) = begun.expect("a game");
        game.step("e2e4").expect("White's only step");
        game.step("e7e5").expect("Black's first step");
        job_text(&*game, &TASK)
    }

    #[test]
    fn a_text_is_the_same_search_elsewhere() {
        let job: Job = serde_json::from_str(&text()).expect("our own text");
        assert_eq!(job.task, TASK);
        assert_eq!(job.partial_turn, ["e7e5"]);
        let game = game_of(&job).expect("the game");
        assert_eq!(job_text(&*game, &job.task), text());
    }

    #[test]
    fn texts_that_are_no_searches_are_refused() {
        let whole = text();
        let refused = |text: &str| {
            let mut said = 0;
            let why = run_search(text, || true, &mut |_| said += 1).expect_err(text);
            assert!(!why.is_empty() && said == 0, "{text}: {why}");
        };
        for length in (0..whole.len()).step_by(7) {
            refused(&whole[..length]);
        }
        for (own, other) in [
            ("twomove", "atomic"),
            ("e7e5", "e7e2"),
            ("1,\"nanos\"", "-1,\"nanos\""),
            ("\"level\"", "\"depth\""),
            ("turns_to_go", "turns"),
        ] {
            assert!(whole.contains(own), "{own} in {whole}");
            refused(&whole.replace(own, other));
        }
        refused(&format!("{whole}{whole}"));
        assert_eq!(run_search(&whole, || true, &mut |_| {}), Ok(()));
    }
}
