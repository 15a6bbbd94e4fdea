//! What a turn of a game was worth: a search of all turns beside a search of the one that was made. `fauve analyse` and the
//! board in the browser use the same, and show it each in their own way.

use crate::luck::luck;
use crate::played::{Made, Ply};
use fauve_engine::core::Color;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::eval::{Evaluator, Inspect, PieceValues};
use fauve_engine::rules::{Event, Game, Outcome, Turn, position_after};
use fauve_engine::search::{
    Answer, Bound, Control, Engine, Info, Limits, Report, Score, Searcher, Settings, Table,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Expected points from which a loss is called an inaccuracy: a twentieth of a point, as lichess.org counts (a tenth on its scale from
/// -1 to 1). What loses less is as good as the best: searches of two depths differ by as much.
pub const INACCURACY: f64 = 0.05;
/// Expected points from which a loss is called a mistake: one in twelve games is given away by it.
pub const MISTAKE: f64 = 0.08;
/// Expected points from which a loss is called a blunder: one game in five.
pub const BLUNDER: f64 = 0.20;

/// Nodes of the search that answers an offered draw.
const DRAW_NODES: u64 = 16_000;
/// Expected points up to which a draw is taken at any time: the engine stands clearly worse.
const WORSE: f64 = 0.35;
/// Expected points up to which a draw is taken in a game that has lasted [`LONG_GAME`] turns.
const EVEN: f64 = 0.5;
/// Turns of both sides after which a game that is even may be drawn.
const LONG_GAME: u64 = 30;

/// Whether the engine as this side accepts a draw: when a short search at full strength sees it clearly worse, and in a game
/// that has lasted some time also when it sees no advantage. Positions that were set up count the turns that they say were played.
pub fn accepts_draw<G: Engine>(
    game: &Game<G>,
    side: Color,
    settings: &Settings,
    table: &Table,
    control: &Control,
) -> bool {
    let thinker = Thinker {
        depth: None,
        nodes: Some(DRAW_NODES),
        time: None,
        settings: settings.clone(),
        table,
    };
    let points = thinker.evaluate(game, Vec::new(), control).points;
    let own = if game.position().side_to_move() == side {
        points
    } else {
        1.0 - points
    };
    let is_long = game.position().game_ply() >= LONG_GAME;
    own <= WORSE || is_long && own <= EVEN
}

/// How good a turn was, by the expected points that it lost: the same measure in all games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// The search has found none that brings more points.
    Best,
    /// It lost less than [`INACCURACY`].
    Good,
    /// It lost [`INACCURACY`] or more.
    Inaccuracy,
    /// It lost [`MISTAKE`] or more.
    Mistake,
    /// It lost [`BLUNDER`] or more.
    Blunder,
}

impl Quality {
    /// The quality of a turn that lost this many expected points.
    pub fn of_loss(loss: f64) -> Self {
        match loss {
            loss if loss >= BLUNDER => Self::Blunder,
            loss if loss >= MISTAKE => Self::Mistake,
            loss if loss >= INACCURACY => Self::Inaccuracy,
            loss if loss > 0.0 => Self::Good,
            _ => Self::Best,
        }
    }
}

/// The sign that annotators put behind a turn that lost this many expected points, and its number in PGN (NAG).
pub fn glyph(error: f64) -> Option<(&'static str, u16)> {
    match Quality::of_loss(error) {
        Quality::Blunder => Some(("??", 4)),
        Quality::Mistake => Some(("?", 2)),
        Quality::Inaccuracy => Some(("?!", 6)),
        Quality::Good | Quality::Best => None,
    }
}

/// The expected points, 0 to 1, of win, draw and loss per mille.
pub fn expectation(wdl: [u16; 3]) -> f64 {
    (f64::from(wdl[0]) + f64::from(wdl[1]) / 2.0) / 1000.0
}

/// The points, 0 to 1, that the side to move may expect: the probability to win itself where the search works with it,
/// and what win, draw and loss per mille come to otherwise.
pub fn expected_points<G: Engine>(info: &Info<G>) -> f64 {
    info.win_chance.unwrap_or_else(|| expectation(info.wdl))
}

/// The expected points of White where `points` are those of `mover`.
pub fn white_points(points: f64, mover: Color) -> f64 {
    match mover {
        Color::White => points,
        Color::Black => 1.0 - points,
    }
}

/// Win, draw and loss per mille of White where `wdl` are those of `mover`.
pub const fn white_wdl(wdl: [u16; 3], mover: Color) -> [u16; 3] {
    let [win, draw, loss] = wdl;
    match mover {
        Color::White => wdl,
        Color::Black => [loss, draw, win],
    }
}

/// The static evaluation of a position in centipawns from White's point of view, by this network or else by the one that is built
/// in, and what each piece is worth to it where that is known.
pub fn static_value<G: Engine>(
    position: &G,
    network: Option<&SharedNetwork>,
) -> (i32, Option<PieceValues>) {
    let mut evaluator = G::Evaluator::new(network);
    evaluator.push(0);
    let own = evaluator.evaluate(position, 0);
    let white = match position.side_to_move() {
        Color::White => own,
        Color::Black => -own,
    };
    (white, evaluator.piece_values(position))
}

/// The score of the same position from White's point of view.
pub fn from_white(score: Score, mover: Color) -> Score {
    match (mover, score) {
        (Color::White, score) => score,
        (Color::Black, Score::Cp(cp)) => Score::Cp(-cp),
        (Color::Black, Score::Mate(turns)) => Score::Mate(-turns),
    }
}

/// The score of a position after a turn, for the side that made it, where `score` is that of the position before with this turn
/// in mind: a mate is one turn nearer, and [`Score::Mate`] of 0 is on the board.
pub const fn after_turn(score: Score) -> Score {
    match score {
        Score::Mate(turns @ 1..) => Score::Mate(turns - 1),
        score => score,
    }
}

/// A score as people read it: `+0.35`, `#3`, `-#2`, and `#` for a mate that is on the board.
pub fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(0) => "#".to_owned(),
        Score::Mate(turns) if turns > 0 => format!("#{turns}"),
        Score::Mate(turns) => format!("-#{}", -turns),
    }
}

/// What is known of the same score from White's point of view.
pub const fn bound_from_white(bound: Bound, mover: Color) -> Bound {
    match (mover, bound) {
        (Color::White, bound) => bound,
        (Color::Black, Bound::Exact) => Bound::Exact,
        (Color::Black, Bound::Lower) => Bound::Upper,
        (Color::Black, Bound::Upper) => Bound::Lower,
    }
}

/// A score as PGN has it in comments behind `[%eval`: `0.35` or `#-3`, and `#` for a mate that is on the board. `None` for a
/// bound, for which the command has no sign.
pub fn eval_text(score: Score, bound: Bound) -> Option<String> {
    match (bound, score) {
        (Bound::Lower | Bound::Upper, _) => None,
        (Bound::Exact, Score::Cp(cp)) => Some(format!("{:.2}", f64::from(cp) / 100.0)),
        (Bound::Exact, Score::Mate(0)) => Some("#".to_owned()),
        (Bound::Exact, Score::Mate(turns)) => Some(format!("#{turns}")),
    }
}

/// A score that may be a bound, as people read it: `+0.35`, `≥+0.35`, `≤-0.20`.
pub fn bounded_text(score: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    };
    format!("{sign}{}", score_text(score))
}

/// Limits and settings of the searches that assess positions.
#[derive(Clone)]
pub struct Thinker<'a> {
    /// Turns deep.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time per position.
    pub time: Option<Duration>,
    /// Threads and principal variations.
    pub settings: Settings,
    /// The transposition table.
    pub table: &'a Table,
}

/// The result of a search.
pub struct Evaluation<G: Engine> {
    /// Its answer.
    pub answer: Answer<G>,
    /// Win, draw and loss per mille.
    pub wdl: [u16; 3],
    /// The expected points of the side to move, 0 to 1; unrounded where the search works with them.
    pub points: f64,
}

impl<G: Engine> Evaluation<G> {
    /// Makes this the value of a draw that is on the board: nothing about it is uncertain, whatever the search had time to see.
    fn settle_draw(&mut self) {
        self.wdl = [0, 1000, 0];
        self.points = 0.5;
        self.answer.score = Score::Cp(0);
        self.answer.bound = Bound::Exact;
        self.answer.win_chance = self.answer.win_chance.map(|_| self.points);
    }
}

/// The key of the position that a turn leads to: the same for all orders of its steps that lead to the same position.
pub fn key_after<G: Engine>(position: &G, turn: &Turn<G::Step>) -> u64 {
    position_after(position, turn).key()
}

/// Whether the game is a draw once this turn is made.
fn ends_in_draw<G: Engine>(game: &Game<G>, turn: &Turn<G::Step>) -> bool {
    matches!(game.after(turn).outcome(), Some(Outcome::Draw(_)))
}

impl Thinker<'_> {
    /// Searches a position; `report` receives what the search reports, and may stop it by `control`.
    pub fn search<G: Engine>(
        &self,
        game: &Game<G>,
        control: &Control,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        let limits = self.limits(Vec::new());
        Searcher::new(self.table, &self.settings, control).run(game, &limits, report)
    }

    /// Evaluates a position, or some of its turns, by a search.
    pub fn evaluate<G: Engine>(
        &self,
        game: &Game<G>,
        only: Vec<Turn<G::Step>>,
        control: &Control,
    ) -> Evaluation<G> {
        self.evaluate_with_lines(game, only, control, &mut |_| {})
    }

    /// [`Thinker::evaluate`]; `hear` receives each line that the search finds.
    pub fn evaluate_with_lines<G: Engine>(
        &self,
        game: &Game<G>,
        only: Vec<Turn<G::Step>>,
        control: &Control,
        hear: &mut dyn FnMut(&Info<G>),
    ) -> Evaluation<G> {
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
        let mut take = |report| {
            if let Report::Pv(info) = report {
                wdl = info.wdl;
                hear(&info);
            }
        };
        let answer = Searcher::new(self.table, &settings, control).run(game, &limits, &mut take);
        let points = answer.win_chance.unwrap_or_else(|| expectation(wdl));
        Evaluation {
            answer,
            wdl,
            points,
        }
    }

    /// Searches a position before a turn of it is made, and that turn by itself if it leads elsewhere than the best one.
    pub fn weigh<G: Engine>(
        &self,
        game: &Game<G>,
        turn: &Turn<G::Step>,
        control: &Control,
    ) -> Weighed<G> {
        let mut best = self.evaluate(game, Vec::new(), control);
        let best_turn = best.answer.best.clone().unwrap_or_else(|| turn.clone());
        let is_best = key_after(game.position(), &best_turn) == key_after(game.position(), turn);
        let mut own = (!is_best).then(|| self.evaluate(game, vec![turn.clone()], control));
        if ends_in_draw(game, turn) {
            own.as_mut().unwrap_or(&mut best).settle_draw();
        }
        Weighed {
            best,
            best_turn,
            own,
        }
    }

    /// Assesses a turn that was made in a game: `game` stands before it, with its dice. `luck_table` is for the searches of the
    /// other rolls.
    pub fn assess<G: Engine>(
        &self,
        game: &Game<G>,
        turn: &Turn<G::Step>,
        luck_table: &Table,
        control: &Control,
    ) -> Assessed<G> {
        let position = *game.position();
        let weighed = self.weigh(game, turn, control);
        let luck = match game.past().last() {
            Some((before, Event::Roll(roll))) => luck(before, *roll, luck_table),
            _ => None,
        };
        Assessed {
            position,
            turn: turn.clone(),
            // A search of one turn can see more than the search of all: then nothing was lost.
            error: weighed.error(),
            luck: luck.map(|white| match position.side_to_move() {
                Color::White => white,
                Color::Black => -white,
            }),
            is_forced: position.count_turns() == 1,
            weighed,
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

/// A turn that was made, and what it was worth. Points are the mover's, 0 to 1.
pub struct Assessed<G: Engine> {
    /// The position in which it was made, dice and all.
    pub position: G,
    /// The turn.
    pub turn: Turn<G::Step>,
    /// The searches of the position and of the turn.
    pub weighed: Weighed<G>,
    /// What the turn lost against the best, in expected points.
    pub error: f64,
    /// What the roll gave to the side that rolled it, in expected points (see [`crate::luck`]); `None` without a roll.
    pub luck: Option<f64>,
    /// Whether there was nothing else to play.
    pub is_forced: bool,
}

impl<G: Engine> Assessed<G> {
    /// The side that made the turn.
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// The number of the turn as people count.
    pub fn number(&self) -> u64 {
        self.position.game_ply() / 2 + 1
    }

    /// The best turn as what stands in a variation of the game.
    pub fn better(&self) -> Made<G> {
        Made {
            before: self.position,
            roll: None,
            ply: Ply::Turn(self.weighed.best_turn.clone()),
        }
    }

    /// The points before the roll, computed from its luck, with the best turn after it.
    pub fn before_roll(&self) -> f64 {
        (self.weighed.best.points - self.luck.unwrap_or(0.0)).clamp(0.0, 1.0)
    }

    /// The score after the turn, from White's point of view.
    pub fn score(&self) -> Score {
        from_white(after_turn(self.weighed.made().answer.score), self.mover())
    }

    /// What the score is, from White's point of view.
    pub fn bound(&self) -> Bound {
        bound_from_white(self.weighed.made().answer.bound, self.mover())
    }
}

/// A turn beside the best one of its position.
pub struct Weighed<G: Engine> {
    /// What the position is worth.
    pub best: Evaluation<G>,
    /// The best turn; the one that was made if the search was stopped before it had any.
    pub best_turn: Turn<G::Step>,
    /// What the turn is worth that was made, unless it leads where the best one does.
    pub own: Option<Evaluation<G>>,
}

impl<G: Engine> Weighed<G> {
    /// What the turn is worth that was made.
    pub fn made(&self) -> &Evaluation<G> {
        self.own.as_ref().unwrap_or(&self.best)
    }

    /// What the turn lost against the best, in expected points. A search of one turn can see more than the search of all:
    /// then nothing was lost.
    pub fn error(&self) -> f64 {
        (self.best.points - self.made().points).max(0.0)
    }

    /// The same in centipawns; nothing is said where only one of the scores is a mate.
    pub fn loss_cp(&self) -> Option<i32> {
        match (self.best.answer.score, self.made().answer.score) {
            (Score::Cp(best), Score::Cp(own)) => Some((best - own).max(0)),
            (Score::Mate(best), Score::Mate(own)) if (best > 0) == (own > 0) => Some(0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::{Notation, parse_turn};

    #[test]
    fn a_bound_reads_as_one_from_either_side() {
        let text = |mover| {
            let bound = bound_from_white(Bound::Lower, mover);
            bounded_text(from_white(Score::Cp(35), mover), bound)
        };
        assert_eq!([Color::White, Color::Black].map(text), ["≥+0.35", "≤-0.35"]);
        assert_eq!(bounded_text(Score::Mate(2), Bound::Exact), "#2");
    }

    #[test]
    fn the_quality_of_a_turn_follows_from_its_loss_alone() {
        use Quality::{Best, Blunder, Good, Inaccuracy, Mistake};
        let of =
            [0.0, 0.049, INACCURACY, 0.079, MISTAKE, 0.199, BLUNDER, 1.0].map(Quality::of_loss);
        assert_eq!(
            of,
            [
                Best, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder
            ]
        );
        let signs = [0.01, 0.06, 0.1, 0.3].map(|loss| glyph(loss).map(|(sign, _)| sign));
        assert_eq!(signs, [None, Some("?!"), Some("?"), Some("??")]);
    }

    #[test]
    fn scores_read_as_chess_players_write_them() {
        assert_eq!(score_text(Score::Cp(35)), "+0.35");
        assert_eq!(score_text(Score::Mate(3)), "#3");
        assert_eq!(score_text(from_white(Score::Cp(35), Color::Black)), "-0.35");
        assert_eq!(score_text(from_white(Score::Mate(3), Color::Black)), "-#3");
        assert_eq!(score_text(from_white(Score::Mate(-3), Color::Black)), "#3");
        for (before, after) in [
            (Score::Mate(1), "#"),
            (Score::Mate(2), "#1"),
            // The other side has made none of its turns yet.
            (Score::Mate(-2), "-#2"),
            (Score::Cp(-20), "-0.20"),
        ] {
            assert_eq!(score_text(after_turn(before)), after);
        }
        assert!((expectation([500, 300, 200]) - 0.65).abs() < 1e-9);
        assert!((white_points(0.3, Color::Black) - 0.7).abs() < 1e-9);
    }

    #[test]
    fn a_finished_draw_is_certain() {
        let table = Table::new(1).expect("memory");
        let thinker = Thinker {
            depth: Some(2),
            nodes: None,
            time: None,
            settings: Settings::default(),
            table: &table,
        };
        let chances = |fen: &str| {
            let start = Chess::from_fen(fen, &Options::default()).expect("a position");
            let game = Game::new(start.position, Options::default());
            thinker.evaluate(&game, Vec::new(), &Control::default()).wdl
        };
        for fen in [
            "7k/8/8/8/8/8/8/K7 w - - 0 1",
            "7k/8/5K2/8/8/8/8/6R1 w - - 100 80",
            "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1",
        ] {
            assert_eq!(chances(fen), [0, 1000, 0], "{fen}");
        }
        let even = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_ne!(chances(even), [0, 1000, 0]);
    }

    /// The draw by counting and the last capture that leaves no material, each with too few nodes to be searched.
    #[test]
    fn a_turn_that_ends_the_game_in_a_draw_has_a_certain_value() {
        let table = Table::new(1).expect("memory");
        for (fen, token, nodes) in [
            ("8/8/8/8/8/1k6/5r2/1K6 b - - 99 100", "f2b2", 300),
            ("8/8/8/2b5/8/B1k5/8/K7 w - - 0 1", "a3c5", 1),
        ] {
            let thinker = Thinker {
                depth: None,
                nodes: Some(nodes),
                time: None,
                settings: Settings::default(),
                table: &table,
            };
            let start = Chess::from_fen(fen, &Options::default()).expect("a position");
            let game = Game::new(start.position, Options::default());
            let turn = parse_turn(game.position(), token).expect("a turn");
            let weighed = thinker.weigh(&game, &turn, &Control::default());
            let made = weighed.made();
            let found = (made.answer.score, made.answer.bound, made.wdl);
            assert_eq!(found, (Score::Cp(0), Bound::Exact, [0, 1000, 0]), "{fen}");
            assert!((made.points - 0.5).abs() < 1e-9, "{fen}");
        }
    }

    /// The fool's mate: the turn that allows it loses everything, the mate itself nothing.
    #[test]
    fn a_blunder_is_told_from_the_best_turn() {
        let table = Table::new(1).expect("memory");
        let thinker = Thinker {
            depth: Some(3),
            nodes: None,
            time: None,
            settings: Settings::default(),
            table: &table,
        };
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let start = Chess::from_fen(fen, &Options::default()).expect("a position");
        let mut game = Game::new(start.position, Options::default());
        let weigh = |game: &Game<Chess>, token| {
            let turn = parse_turn(game.position(), token).expect("a turn");
            thinker.weigh(game, &turn, &Control::default())
        };
        let blunder = weigh(&game, "g2g4");
        assert_eq!(
            glyph(blunder.error()),
            Some(("??", 4)),
            "{}",
            blunder.error()
        );
        assert_eq!(blunder.loss_cp(), None, "one of the scores is a mate");
        for step in parse_turn(game.position(), "g2g4").expect("a turn") {
            game.play(step);
        }
        let mate = weigh(&game, "d8h4");
        assert!(mate.own.is_none() && glyph(mate.error()).is_none());
        assert_eq!(mate.loss_cp(), Some(0));
    }
}
