use crate::terminal::expectation;
use fauve_engine::rules::{Game, Turn};
use fauve_engine::search::{Answer, Control, Engine, Limits, Report, Settings, Table};
use std::time::Duration;

/// How long and with what positions are searched.
#[derive(Clone)]
pub(super) struct Thinker<'a> {
    /// Turns deep.
    pub(super) depth: Option<u32>,
    /// Positions visited.
    pub(super) nodes: Option<u64>,
    /// Time per position.
    pub(super) time: Option<Duration>,
    /// Threads and principal variations.
    pub(super) settings: Settings,
    /// The transposition table.
    pub(super) table: &'a Table,
}

/// What a search found out.
pub(super) struct Verdict<G: Engine> {
    /// Its answer.
    pub(super) answer: Answer<G>,
    /// Win, draw and loss per mille.
    pub(super) wdl: [u16; 3],
    /// The expected points of the side to move, 0 to 1; unrounded where the search works with them.
    pub(super) points: f64,
}

impl Thinker<'_> {
    /// Searches a position; `report` hears what the search says, and may stop it by `control`.
    pub(super) fn search<G: Engine>(
        &self,
        game: &Game<G>,
        control: &Control,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        let limits = self.limits(Vec::new());
        G::think(game, &limits, &self.settings, self.table, control, report)
    }

    /// Searches a position, or some of its turns, for what it is worth.
    pub(super) fn judge<G: Engine>(&self, game: &Game<G>, only: Vec<Turn<G::Step>>) -> Verdict<G> {
        let limits = self.limits(only);
        let settings = Settings {
            multi_pv: 1,
            ..self.settings.clone()
        };
        let mut wdl = [0, 1000, 0];
        if G::HAS_CHANCE {
            // The luck is a difference of searches: what one leaves behind must not show in the next.
            self.table.clear();
        }
        let answer = G::think(
            game,
            &limits,
            &settings,
            self.table,
            &Control::default(),
            &mut |report| {
                if let Report::Pv(info) = report {
                    wdl = info.wdl;
                }
            },
        );
        let points = answer.win_chance.unwrap_or_else(|| expectation(wdl));
        Verdict {
            answer,
            wdl,
            points,
        }
    }

    fn limits<G: Engine>(&self, only: Vec<Turn<G::Step>>) -> Limits<G> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.time,
            searchmoves: only,
            ..Limits::default()
        }
    }
}
