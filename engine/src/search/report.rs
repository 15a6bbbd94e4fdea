use crate::eval::WinCurve;
use crate::rules::{Chance, Draws, Game, Outcome, Roll, Rules, Turn};
use std::time::Duration;

/// Value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns. In DiceChess, a fixed monotone function of the winning probability.
    Cp(i32),
    /// A certain win in this number of own turns (positive), or a loss (negative; 0: already lost).
    Mate(i32),
}

impl Score {
    /// Returns the chances to win, draw and lose for a score of a deterministic game, per mille.
    ///
    /// ```
    /// use fauve_engine::eval::WinCurve;
    /// use fauve_engine::search::Score;
    ///
    /// assert_eq!(Score::Cp(0).wdl(WinCurve::A_PAWN), [193, 614, 193]);
    /// assert_eq!(Score::Cp(100).wdl(WinCurve::A_PAWN)[0], 500);
    /// assert_eq!(Score::Mate(-3).wdl(WinCurve::A_PAWN), [0, 0, 1000]);
    /// ```
    pub fn wdl(self, curve: WinCurve) -> [u16; 3] {
        let WinCurve { half, spread } = curve;
        let chance = |cp: i32| 1000.0 / (1.0 + ((half - f64::from(cp)) / spread).exp());
        let (win, loss) = match self {
            Self::Mate(turns) if turns > 0 => (1000, 0),
            Self::Mate(_) => (0, 1000),
            Self::Cp(cp) => (chance(cp).round() as u16, chance(-cp).round() as u16),
        };
        [win, 1000 - win - loss, loss]
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// One principal variation of a search, with its statistics.
#[derive(Clone, Debug)]
pub struct Info<G: Rules> {
    /// Depth in turns to which this line was searched; 0: its value is the static one after the turn.
    pub depth: u32,
    /// Length of the longest line searched, in turns.
    pub seldepth: u32,
    /// Rank among the principal variations, from 1.
    pub multipv: usize,
    /// Value of the line.
    pub score: Score,
    /// Whether the value is exact. A better turn found in an unfinished iteration has a lower bound.
    pub bound: Bound,
    /// Probabilities to win, draw and lose, per mille.
    pub wdl: [u16; 3],
    /// Unrounded winning probability, 0 to 1, where the search computes it (DiceChess).
    pub win_chance: Option<f64>,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the transposition table, per mille.
    pub hashfull: u32,
    /// Turns from the root; empty where there is no turn to play.
    pub pv: Vec<Turn<G::Step>>,
}

impl<G: Draws + Chance> Info<G> {
    /// Makes the draw of a line certain if its game is drawn already: a score of 0 otherwise stands for an even game, in which either
    /// side can still win. The search reports other scores in such a game where the players could get more by not counting the draw.
    pub(super) fn settle_draw(&mut self, game: &Game<G>) {
        if self.score == Score::Cp(0) && matches!(game.outcome(), Some(Outcome::Draw(_))) {
            self.wdl = [0, 1000, 0];
        }
    }
}

/// Report of a running search to its caller.
///
/// ```
/// use fauve_engine::rules::{Game, Notation, chess::Chess};
/// use fauve_engine::search::{Control, Limits, Report, Searcher, Settings, Table};
///
/// // Each finished depth is reported with its best line.
/// let game = Game::new(Chess::start(&Default::default()), Default::default());
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// let table = Table::new(1).expect("a megabyte");
/// let mut depths = Vec::new();
/// let mut listen = |report| {
///     if let Report::Pv(info) = report {
///         assert!(!info.pv.is_empty());
///         depths.push(info.depth);
///     }
/// };
/// Searcher::new(&table, &Settings::default(), &Control::default()).run(&game, &limits, &mut listen);
/// assert!(depths.is_sorted());
/// assert_eq!(depths.last(), Some(&4));
/// ```
#[derive(Clone, Debug)]
pub enum Report<G: Rules> {
    /// A principal variation.
    Pv(Info<G>),
    /// The root turn under search, reported after 3 s.
    Current {
        /// The depth of this iteration.
        depth: u32,
        /// The turn (or its first step).
        turn: Turn<G::Step>,
        /// Its number in the search order, from 1.
        number: usize,
    },
    /// The best turn for a roll that may come (DiceChess, before a roll; reported when the search ends).
    Roll {
        /// The roll.
        roll: Roll,
        /// How many of the 216 throws give it.
        weight: u32,
        /// Winning probability with it, 0 to 1.
        win_chance: f64,
        /// The turn.
        turn: Turn<G::Step>,
    },
    /// Text for an `info string`.
    Message(String),
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer<G: Rules> {
    /// The turn to play (from mid-turn, the rest of it); `None` where there is no turn to play.
    pub best: Option<Turn<G::Step>>,
    /// The expected reply.
    pub ponder: Option<Turn<G::Step>>,
    /// Value of the best turn.
    pub score: Score,
    /// Whether the value is exact; an unfinished iteration may yield only a bound.
    pub bound: Bound,
    /// Unrounded winning probability, 0 to 1, where the search computes it (DiceChess).
    pub win_chance: Option<f64>,
    /// Positions visited by all threads.
    pub nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::rules::chess::Chess;
    use crate::rules::cubes;

    #[test]
    fn chances_follow_the_curve_of_the_game() {
        for curve in [Chess::WIN_CURVE, cubes::Cubes4d::WIN_CURVE] {
            let mut least = 0;
            for cp in (-3000..=3000).step_by(25) {
                let [win, draw, loss] = Score::Cp(cp).wdl(curve);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(Score::Cp(-cp).wdl(curve), [loss, draw, win]);
                assert!(win >= least, "{cp}");
                least = win;
            }
        }
        // Five pawns all but win in chess, and are little more than an even chance in Cubes 4D.
        assert!(Score::Cp(500).wdl(Chess::WIN_CURVE)[0] > 990);
        let won = Score::Cp(500).wdl(cubes::Cubes4d::WIN_CURVE)[0];
        assert!((450..650).contains(&won), "{won}");
    }
}
