//! Where the games of a tournament begin.

use crate::plan::schedule::{Purpose, Random, derive};
use fauve_engine::Variant;
use fauve_engine::rules::{
    Game, Notation, Parsed, Roll, Rules, Switches, Turn, for_each_turn, legal_steps, turn_token,
};
use fauve_engine::search::{Control, Engine, Limits, Score, Settings, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The number of arrays that the Superchess prologue can lead to.
const ARRAYS: usize = 432;
/// The turns of the Superchess prologue.
const PROLOGUE_TURNS: usize = 4;
/// How often a random opening is tried before the most balanced one is taken.
const ATTEMPTS: u64 = 200;
/// What the search may spend to judge a random opening.
const JUDGEMENT_NODES: u64 = 2000;

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Openings {
    /// The start position; the players play the prologue, if there is one.
    #[default]
    Start,
    /// Superchess: the 432 arrays, in random order.
    Arrays,
    /// Superchess: the positions after each of the 12,096 prologues, in random order.
    Prologue,
    /// Cubes 4D: the lateral pawns on one side and the other by turns.
    Laterals,
    /// Random turns from the start position (those of the prologue count), as balanced as asked for.
    Random {
        /// How many.
        turns: u32,
        /// The most that the search sees for a side, in centipawns; `None`: anything goes.
        balance: Option<i32>,
    },
    /// The lines of a file.
    File {
        /// Its path, as given.
        path: String,
        /// The positions.
        positions: Vec<String>,
        /// Whether they are taken in random order.
        shuffle: bool,
    },
}

/// The beginning of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G> {
    /// The position.
    pub position: G,
    /// Whether it is the start position under the rules of the tournament, so that players need not be told.
    pub is_start: bool,
    /// The seed of the dice, where the position brings one.
    pub dice_seed: Option<u64>,
}

impl Openings {
    /// Reads what the user wrote: `startpos`, `arrays`, `prologue`, `laterals`, `random:N` or a file's path.
    ///
    /// # Errors
    /// A file that cannot be read, or a number that is none.
    pub fn parse(text: &str, balance: Option<i32>, shuffle: bool) -> Result<Self, String> {
        if let Some(turns) = text.strip_prefix("random:") {
            return match turns.parse() {
                Ok(turns @ 0..=200) => Ok(Self::Random { turns, balance }),
                _ => Err(format!(
                    "openings: 'random:{turns}' needs a number of turns up to 200, such as random:8"
                )),
            };
        }
        Ok(match text {
            "startpos" | "start" => Self::Start,
            "arrays" => Self::Arrays,
            "prologue" => Self::Prologue,
            "laterals" => Self::Laterals,
            path => {
                let bytes = std::fs::read(Path::new(path)).map_err(|error| {
                    format!(
                        "openings: {path}: {error}; write a file, startpos, arrays, prologue, laterals or random:N"
                    )
                })?;
                let positions: Vec<String> = String::from_utf8_lossy(&bytes)
                    .lines()
                    .map(str::trim)
                    .filter(|line| !line.is_empty() && !line.starts_with('#'))
                    .map(str::to_owned)
                    .collect();
                if positions.is_empty() {
                    return Err(format!("openings: {path} holds no position"));
                }
                Self::File {
                    path: path.to_owned(),
                    positions,
                    shuffle,
                }
            }
        })
    }

    /// Checks that the game has these openings, and every position of a file.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check<G: Engine>(&self, variant: Variant, switches: &Switches) -> Result<(), String> {
        let only = |game: Variant, what: &str| {
            if variant == game {
                Ok(())
            } else {
                Err(format!("openings: {what} are of {game}, not of {variant}"))
            }
        };
        match self {
            Self::Arrays => only(Variant::Superchess, "arrays"),
            Self::Prologue => only(Variant::Superchess, "prologues"),
            Self::Laterals => only(Variant::Cubes4d, "lateral sides"),
            Self::Start | Self::Random { .. } => Ok(()),
            Self::File {
                path, positions, ..
            } => {
                for text in positions {
                    let parsed = read_position::<G>(text, switches)
                        .map_err(|error| format!("openings: {path}: '{text}': {error}"))?;
                    if Game::new(parsed.position, *switches).outcome().is_some() {
                        return Err(format!(
                            "openings: {path}: '{text}': the game is over there"
                        ));
                    }
                }
                Ok(())
            }
        }
    }

    /// The opening of a round of a tournament.
    ///
    /// # Errors
    /// A position of a file that is none (which [`Openings::check`] would have said).
    pub fn of_round<G: Engine>(
        &self,
        seed: u64,
        round: u64,
        switches: &Switches,
    ) -> Result<Opening<G>, String> {
        let plain = |position| Opening {
            position,
            is_start: false,
            dice_seed: None,
        };
        let order = |count: usize| Random::new(derive(seed, Purpose::Order, 0)).shuffled(count);
        let mut random = Random::new(derive(seed, Purpose::Opening, round));
        Ok(match self {
            Self::Start => Opening {
                is_start: true,
                ..plain(G::start(switches))
            },
            Self::Arrays => {
                let array = order(ARRAYS)[(round % ARRAYS as u64) as usize];
                plain(array_position(array, switches))
            }
            Self::Prologue => {
                let start = G::start(&Switches {
                    prologue: true,
                    ..*switches
                });
                let mut index =
                    order(count_lines(start))[(round % count_lines(start) as u64) as usize];
                let mut position = start;
                for _ in 0..PROLOGUE_TURNS {
                    let turns = sorted_turns(&position);
                    position = turns[index % turns.len()];
                    index /= turns.len();
                }
                plain(position)
            }
            Self::Laterals => {
                let start = G::start(&Switches {
                    prologue: true,
                    ..*switches
                });
                let turns = sorted_turns(&start);
                plain(turns[(round % turns.len() as u64) as usize])
            }
            Self::Random { turns, balance } => {
                plain(balanced(*turns, *balance, &mut random, switches))
            }
            Self::File {
                positions, shuffle, ..
            } => {
                let index = (round % positions.len() as u64) as usize;
                let index = if *shuffle {
                    order(positions.len())[index]
                } else {
                    index
                };
                let parsed = read_position::<G>(&positions[index], switches)?;
                Opening {
                    dice_seed: parsed.seed,
                    ..plain(parsed.position)
                }
            }
        })
    }
}

/// A Superchess array as the start position.
fn array_position<G: Notation>(array: usize, switches: &Switches) -> G {
    G::start(&Switches {
        prologue: false,
        array: array as u16,
        ..*switches
    })
}

/// The number of ways through the prologue: every turn of a prologue has as many answers as its siblings.
fn count_lines<G: Notation>(start: G) -> usize {
    let mut position = start;
    let mut count = 1;
    for _ in 0..PROLOGUE_TURNS {
        let turns = sorted_turns(&position);
        count *= turns.len();
        position = turns[0];
    }
    count
}

/// The positions after every turn, in the order of the turns' tokens.
fn sorted_turns<G: Notation>(position: &G) -> Vec<G> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, after| {
        turns.push((turn_token(position, turn), *after));
    });
    turns.sort_by(|a, b| a.0.cmp(&b.0));
    turns.into_iter().map(|(_, after)| after).collect()
}

/// Reads a line of an opening file: a position string, or an EPD with operations behind its fields.
fn read_position<G: Notation>(line: &str, switches: &Switches) -> Result<Parsed<G>, String> {
    let whole = G::from_fen(line, switches);
    match whole {
        Ok(parsed) => Ok(parsed),
        Err(error) => {
            // EPD: the operations begin at the fifth word and end with semicolons.
            if line.contains(';') {
                let fields: Vec<&str> = line.split_whitespace().take(4).collect();
                if let Ok(parsed) = G::from_fen(&fields.join(" "), switches) {
                    return Ok(parsed);
                }
            }
            Err(error.to_string())
        }
    }
}

/// A position after random turns in which neither side is much better, and which is not the end.
fn balanced<G: Engine>(
    turns: u32,
    balance: Option<i32>,
    random: &mut Random,
    switches: &Switches,
) -> G {
    let table = Table::new(1).ok();
    let mut best: Option<(i32, G)> = None;
    for _ in 0..ATTEMPTS {
        let Some(game) = random_game::<G>(turns, random, switches) else {
            continue;
        };
        let advantage = match (balance, &table) {
            (Some(_), Some(table)) => advantage(&game, table),
            _ => 0,
        };
        if best.as_ref().is_none_or(|(least, _)| advantage < *least) {
            best = Some((advantage, *game.position()));
        }
        if advantage <= balance.unwrap_or(i32::MAX) {
            break;
        }
    }
    best.map_or_else(|| G::start(switches), |(_, position)| position)
}

/// What a short search sees for either side, in centipawns.
fn advantage<G: Engine>(game: &Game<G>, table: &Table) -> i32 {
    table.clear();
    let limits = Limits {
        nodes: Some(JUDGEMENT_NODES),
        ..Limits::default()
    };
    let answer = G::search(
        game,
        &limits,
        &Settings::default(),
        table,
        &Control::default(),
        &mut |_| {},
    );
    match answer.score {
        Score::Cp(cp) => cp.abs(),
        Score::Mate(_) => i32::MAX,
    }
}

/// A game of random turns that has not ended.
fn random_game<G: Notation>(
    turns: u32,
    random: &mut Random,
    switches: &Switches,
) -> Option<Game<G>> {
    let mut game = Game::new(G::start(switches), *switches);
    for _ in 0..turns {
        if game.outcome().is_some() {
            return None;
        }
        if game.position().awaits_roll() {
            game.set_roll(random_roll(random));
        }
        for step in random_turn(game.position(), random) {
            game.play(step);
        }
    }
    game.outcome().is_none().then_some(game)
}

fn random_roll(random: &mut Random) -> Roll {
    let mut face = || random.below(6) as u8 + 1;
    Roll::new([face(), face(), face()]).expect("every face is 1 to 6")
}

/// A legal turn (the rest of it, from mid-turn), each step random among the legal ones. Empty if there is none.
pub fn random_turn<G: Rules>(position: &G, random: &mut Random) -> Turn<G::Step> {
    let mut turn = Turn::new();
    let mut position = *position;
    loop {
        let steps = legal_steps(&position);
        if steps.is_empty() {
            break;
        }
        let step = steps[random.below(steps.len())];
        position.play(step);
        turn.push(step);
        if !position.is_mid_turn() {
            break;
        }
    }
    turn
}
