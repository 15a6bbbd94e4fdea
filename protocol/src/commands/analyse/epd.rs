use super::value::Value;
use crate::terminal::{PrintError, Printer, fit_terminal, number as plural, warn};
use anyhow::{Result, bail};
use fauve_engine::rules::{Game, Turn, printable, turn_san, turn_token};
use fauve_engine::search::{Bound, Control, Engine};
use fauve_game::assess::{Thinker, bound_from_white, from_white, key_after, white_wdl};
use fauve_game::epd::{self, operation};
use fauve_game::read;
use serde::Serialize;

/// What was found about a position of a file, for `--json`.
#[derive(Serialize)]
struct Found {
    /// Its line among the file's positions, from 1.
    position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    fen: String,
    /// The best turn, as a token.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    /// The value, White's view.
    #[serde(flatten)]
    value: Value,
    nodes: u64,
    /// Whether the best turn is one that the line wants (`bm`) and none that it warns of (`am`).
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<bool>,
    /// If it is: the nodes after which the search held to such a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved_after: Option<u64>,
}

/// Analyses positions (FEN or EPD), each with its number. Lines that are no positions are said on standard error.
pub(super) fn analyse<G: Engine>(
    lines: &[(usize, &str)],
    options: &G::Options,
    thinker: &Thinker,
    json: bool,
) -> Result<()> {
    let mut out = Printer::default();
    let mut asked = 0;
    let mut left_out = Vec::new();
    let mut solved = Vec::new();
    for &(number, line) in lines {
        let (parsed, operations) = match epd::read::<G>(line, options) {
            Ok(read) => read,
            Err(error) => {
                left_out.push((number, error));
                continue;
            }
        };
        for warning in &parsed.warnings {
            warn(format_args!("position {number}: {warning}"));
        }
        let game = Game::new(parsed.position, *options);
        let found = find(number, operations, &game, thinker);
        asked += u32::from(found.solved.is_some());
        solved.extend(found.solved_after);
        if json {
            writeln!(out, "{}", serde_json::to_string(&found)?)?;
        } else {
            print(&mut out, &parsed.position, &found)?;
        }
    }
    if asked > 0 && !json {
        solved.sort_unstable();
        let number = solved.len();
        let median = solved.get(number / 2).map_or_else(String::new, |nodes| {
            format!(", half of them after {nodes} nodes or fewer")
        });
        writeln!(out, "\nfound {number} of {asked}{median}")?;
    }
    for (number, error) in &left_out {
        warn(format_args!("position {number} is left out: {error}"));
    }
    if !left_out.is_empty() {
        bail!(
            "left out: {} of {}",
            left_out.len(),
            plural(lines.len() as u64, "position")
        );
    }
    Ok(())
}

fn find<G: Engine>(number: usize, operations: &str, game: &Game<G>, thinker: &Thinker) -> Found {
    let position = game.position();
    let asked = Asked::read(operations, number, position);
    let mut since = None;
    let evaluation =
        thinker.evaluate_with_lines(game, Vec::new(), &Control::default(), &mut |info| {
            if info.bound == Bound::Exact && info.multipv == 1 {
                let right = info
                    .pv
                    .first()
                    .is_some_and(|turn| asked.is_right(position, turn));
                since = since.filter(|_| right).or(right.then_some(info.nodes));
            }
        });
    let mover = position.side_to_move();
    let wdl = white_wdl(evaluation.wdl, mover);
    let best = evaluation.answer.best.as_ref();
    let solved = asked
        .is_a_question()
        .then(|| best.is_some_and(|turn| asked.is_right(position, turn)));
    let nodes = evaluation.answer.nodes;
    Found {
        position: number,
        id: operation(operations, "id").map(|id| id.trim_matches('"').to_owned()),
        fen: position.fen(),
        best: best.map(|turn| turn_token(position, turn)),
        value: Value::new(from_white(evaluation.answer.score, mover), wdl)
            .bounded(bound_from_white(evaluation.answer.bound, mover)),
        nodes,
        solved,
        solved_after: solved
            .filter(|&solved| solved)
            .map(|_| since.unwrap_or(nodes)),
    }
}

/// What a line asks for: positions that turns lead to, by their keys, because the same turn can often be made in several orders.
struct Asked {
    /// Those of the turns that it wants (`bm`), where it says so.
    wanted: Option<Vec<u64>>,
    /// Those of the turns that it warns of (`am`).
    avoided: Option<Vec<u64>>,
}

impl Asked {
    /// What the operations of the position with this number ask for. A turn that cannot be read is said, and its operation does not
    /// count.
    fn read<G: Engine>(operations: &str, number: usize, position: &G) -> Self {
        let named = |name| {
            let mut keys = Vec::new();
            for text in operation(operations, name)?.split_whitespace() {
                let Some(turn) = read::turn(position, text) else {
                    let text = printable(text);
                    warn(format_args!(
                        "position {number}: {name} {text} is not a legal turn here and does not count"
                    ));
                    return None;
                };
                keys.push(key_after(position, &turn));
            }
            Some(keys)
        };
        Self {
            wanted: named("bm"),
            avoided: named("am"),
        }
    }

    const fn is_a_question(&self) -> bool {
        self.wanted.is_some() || self.avoided.is_some()
    }

    fn is_right<G: Engine>(&self, position: &G, turn: &Turn<G::Step>) -> bool {
        let key = key_after(position, turn);
        let among = |keys: &Vec<_>| keys.contains(&key);
        self.wanted.as_ref().is_none_or(among) && !self.avoided.as_ref().is_some_and(among)
    }
}

fn print<G: Engine>(out: &mut Printer, position: &G, found: &Found) -> Result<(), PrintError> {
    let best = found
        .best
        .as_deref()
        .and_then(|token| read::turn(position, token));
    let best = best.map_or_else(|| "-".to_owned(), |turn| turn_san(position, &turn));
    let mark = match found.solved {
        None => "",
        Some(true) => "yes",
        Some(false) => "NO",
    };
    let name = found.id.as_deref().unwrap_or(&found.fen);
    let line = format!(
        "{:>4} {:>7}  {best:<14} {mark:<3}  {name}",
        found.position,
        found.value.text()
    );
    writeln!(out, "{}", fit_terminal(line.trim_end()))
}
