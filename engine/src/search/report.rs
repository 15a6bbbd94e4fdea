use crate::eval::WinCurve;
use crate::rules::{Roll, Rules, Turn};
use std::time::Duration;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns. In DiceChess a fixed monotone map of the probability to win.
    Cp(i32),
    /// A certain win in so many own turns (positive), or a loss in so many (negative; 0: already lost).
    Mate(i32),
}

impl Score {
    /// The chances to win, draw and lose that a score of a deterministic game stands for, per mille.
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
    /// The value.
    Exact,
    /// At least the value.
    Lower,
    /// At most the value.
    Upper,
}

/// One line of a search's report.
#[derive(Clone, Debug)]
pub struct Info<G: Rules> {
    /// The depth in turns to which this line was searched; 0: its value is the static one after the turn.
    pub depth: u32,
    /// Deepest line looked at, in turns.
    pub seldepth: u32,
    /// Which of the principal variations, from 1.
    pub multipv: usize,
    /// Its value.
    pub score: Score,
    /// Whether the value is exact. What an iteration that was broken off has found better is a lower bound.
    pub bound: Bound,
    /// Probabilities to win, draw and lose, per mille.
    pub wdl: [u16; 3],
    /// The probability to win, 0 to 1, where the search works with it (DiceChess); unrounded.
    pub win_chance: Option<f64>,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the transposition table, per mille.
    pub hashfull: u32,
    /// Turns from the root; empty where there is no turn to give.
    pub pv: Vec<Turn<G::Step>>,
}

/// What a running search tells its caller.
///
/// ```
/// use fauve_engine::rules::{Game, Notation, chess::Chess};
/// use fauve_engine::search::{Control, Limits, Report, Search, Settings, Table};
///
/// // Each depth that is finished is reported with its best line.
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
/// Chess::search(&game, &limits, &Settings::default(), &table, &Control::default(), &mut listen);
/// assert!(depths.is_sorted());
/// assert_eq!(depths.last(), Some(&4));
/// ```
#[derive(Clone, Debug)]
pub enum Report<G: Rules> {
    /// A principal variation.
    Pv(Info<G>),
    /// The root turn under search (said after 3 s) and its number from 1.
    Current {
        /// The depth of this iteration.
        depth: u32,
        /// The turn (or its first step).
        turn: Turn<G::Step>,
        /// Its place in the order of search, from 1.
        number: usize,
    },
    /// The best turn with a roll that may come (DiceChess, before a roll; said when the search ends).
    Roll {
        /// The roll.
        roll: Roll,
        /// How many of the 216 throws give it.
        weight: u32,
        /// The probability to win with it.
        win_chance: f64,
        /// The turn.
        turn: Turn<G::Step>,
    },
    /// Something for `info string`.
    Message(String),
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer<G: Rules> {
    /// The turn to play (from mid-turn: the rest of it); `None` where there is no turn to give.
    pub best: Option<Turn<G::Step>>,
    /// The expected reply.
    pub ponder: Option<Turn<G::Step>>,
    /// The value of the best turn.
    pub score: Score,
    /// Whether the value is exact: a search that was broken off inside an iteration may know no more than a bound.
    pub bound: Bound,
    /// The probability to win, 0 to 1, where the search works with it (DiceChess); unrounded.
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
        // Five pawns are as good as won in chess, and little more than an even chance in Cubes 4D.
        assert!(Score::Cp(500).wdl(Chess::WIN_CURVE)[0] > 990);
        let won = Score::Cp(500).wdl(cubes::Cubes4d::WIN_CURVE)[0];
        assert!((450..650).contains(&won), "{won}");
    }
}
