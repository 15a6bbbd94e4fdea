//! Searches, and what they say.

use crate::ask;
use fauve_engine::Variant;
use fauve_engine::rules::{Game, Notation, Turn, position_after, printable, turn_san, turn_token};
use fauve_engine::search::{
    Answer, Bound, Control, Engine, Info, Instant, Limits, Report, Score, Settings, Table,
};
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::read;
use serde_json::{Value, json};
use std::time::Duration;

/// Megabytes of the table unless told otherwise, and at most.
const HASH: usize = 16;
const MOST_HASH: usize = 1024;
/// Lines that are reported at most.
const MOST_LINES: usize = 500;

/// What searches have in common: the table, which belongs to one game at a time.
#[derive(Default)]
pub struct Searcher {
    table: Option<Table>,
    game: Option<usize>,
}

impl Searcher {
    /// The next search is of this game: what was learned about another one is forgotten.
    pub fn of(&mut self, game: usize) {
        if self.game.replace(game) != Some(game) {
            self.clear();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
    }

    /// A table of this size; what it holds is kept if it has that size already.
    fn table(&mut self, megabytes: Option<usize>) -> Result<&Table, String> {
        let now = self.table.as_ref().map(Table::megabytes);
        let wanted = megabytes.or(now).unwrap_or(HASH).clamp(1, MOST_HASH);
        if now != Some(wanted) {
            // The old one goes first: there may not be memory for both.
            self.table = None;
            let table =
                Table::new(wanted).map_err(|error| format!("a table of {wanted} MB: {error}"))?;
            self.table = Some(table);
        }
        self.table.as_ref().ok_or_else(|| "no table".to_owned())
    }

    /// Searches, and gives the answer.
    pub fn search<G: Engine>(
        &mut self,
        variant: Variant,
        game: &Game<G>,
        asked: &ask::Limits,
        control: &Control,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        let limits = limits(game.position(), asked)?;
        let settings = settings(variant, asked);
        let table = self.table(asked.hash)?;
        let begin = Instant::now();
        let mut last = json!(null);
        let mut rolls = Vec::new();
        let root = game.position();
        let answer = fauve_engine::search::Searcher::new(table, &settings, control).run(game, &limits, &mut |said| {
            match said {
                Report::Pv(info) => {
                    let line = line(root, &info);
                    if info.multipv == 1 {
                        last.clone_from(&line);
                    }
                    report(&json!({ "info": line }).to_string());
                }
                Report::Current { depth, turn, number } => report(
                    &json!({ "current": { "depth": depth, "turn": named(root, &turn), "number": number } })
                        .to_string(),
                ),
                Report::Roll { roll, weight, win_chance, turn } => {
                    let mut rolled = *root;
                    rolled.set_roll(roll);
                    rolls.push(json!({
                        "dice": roll.to_string(), "weight": weight, "winChance": win_chance,
                        "best": named(&rolled, &turn),
                    }));
                }
                Report::Message(text) => report(&json!({ "message": text }).to_string()),
            }
        });
        Ok(found(root, &answer, &last, &rolls, begin.elapsed()))
    }
}

fn limits<G: Notation>(position: &G, asked: &ask::Limits) -> Result<Limits<G>, String> {
    let none = asked.depth.is_none()
        && asked.nodes.is_none()
        && asked.mate.is_none()
        && asked.movetime.is_none();
    if none && !asked.infinite {
        return Err("a search needs a limit: depth, nodes, mate, movetime or infinite".to_owned());
    }
    let read = |text: &String| {
        let turn = read::turn(position, text);
        turn.ok_or_else(|| format!("'{}' is not legal", printable(text)))
    };
    Ok(Limits {
        depth: asked.depth,
        nodes: asked.nodes,
        mate: asked.mate,
        movetime: asked.movetime.map(Duration::from_millis),
        infinite: asked.infinite,
        searchmoves: asked.only.iter().map(read).collect::<Result<_, _>>()?,
        ..Limits::default()
    })
}

fn settings(variant: Variant, asked: &ask::Limits) -> Settings {
    let scale = StrengthScale::of(variant);
    let elo = asked
        .elo
        .or_else(|| asked.level.and_then(|level| scale.elo_of_level(level)));
    Settings {
        multi_pv: asked.multipv.unwrap_or(1).clamp(1, MOST_LINES),
        strength_limit: elo.map(|elo| scale.strength_limit(elo, asked.seed)),
        // The answer has nowhere to go.
        move_overhead: Duration::ZERO,
        ..Settings::default()
    }
}

fn named<G: Notation>(position: &G, turn: &Turn<G::Step>) -> Value {
    json!({ "token": turn_token(position, turn), "san": turn_san(position, turn) })
}

fn score(score: Score) -> Value {
    match score {
        Score::Cp(cp) => json!({ "cp": cp }),
        Score::Mate(turns) => json!({ "mate": turns }),
    }
}

const fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

/// A duration in milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn line<G: Notation>(root: &G, info: &Info<G>) -> Value {
    let mut position = *root;
    let mut pv = Vec::with_capacity(info.pv.len());
    for turn in &info.pv {
        pv.push(named(&position, turn));
        turn.iter().for_each(|&step| position.play(step));
    }
    json!({
        "depth": info.depth, "seldepth": info.seldepth, "multipv": info.multipv,
        "score": score(info.score), "bound": bound(info.bound), "wdl": info.wdl,
        "winChance": info.win_chance, "nodes": info.nodes, "ms": milliseconds(info.time),
        "hashfull": info.hashfull, "pv": pv,
    })
}

fn found<G: Notation>(
    root: &G,
    answer: &Answer<G>,
    last: &Value,
    rolls: &[Value],
    time: Duration,
) -> Value {
    let best = answer.best.as_ref();
    let ponder = best
        .zip(answer.ponder.as_ref())
        .map(|(best, ponder)| named(&position_after(root, best), ponder));
    json!({
        "best": best.map(|turn| named(root, turn)), "ponder": ponder,
        "score": score(answer.score), "bound": bound(answer.bound), "winChance": answer.win_chance,
        "nodes": answer.nodes, "ms": milliseconds(time),
        "depth": last["depth"], "wdl": last["wdl"], "pv": last["pv"], "rolls": rolls,
    })
}
