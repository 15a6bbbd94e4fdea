//! Replay of recorded games: checks every turn and roll, and the end.

use crate::comment::command;
use crate::cube::{Doubling, read_cube};
use crate::end::{GameResult, Termination};
use crate::pgn::{PgnGame, UNFINISHED};
use crate::played::{Made, NullMove, Played, Ply, TurnFault, is_whole};
use crate::read;
use crate::tree::{DEEPEST, Line, Node};
use fauve_engine::core::Color;
use fauve_engine::rules::{DrawReason, FenError, Notation, Outcome, Parsed, Roll, printable};

/// Notations of a null move in a variation.
pub(crate) const NULL_MOVES: [&str; 4] = ["--", "Z0", "null", "@@@@"];

/// Errors in a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The first position cannot be read.
    #[error(transparent)]
    Start(#[from] FenError),
    /// The seed of the dice cannot be read.
    #[error("'{}' is not a dice seed", printable(.0))]
    NotASeed(String),
    /// An illegal turn or a wrong roll.
    #[error("turn {number} of {}: {fault}", side.name())]
    Turn {
        /// Its number as players count: White's first turn and Black's answer are 1.
        number: u64,
        /// The side whose turn it is.
        side: Color,
        /// What is wrong with it.
        fault: TurnFault,
    },
    /// The rules end the game differently from the record.
    #[error(
        "by the rules the result is {} ({reason}), but the record says {}{}",
        result.text(),
        recorded.map_or("that the game is not finished", GameResult::text),
        if *by_rules || recorded.is_none() { "" } else { " for another reason" }
    )]
    OtherEnd {
        /// The result by the rules.
        result: GameResult,
        /// The reason by the rules.
        reason: String,
        /// The result of the record, if it has one.
        recorded: Option<GameResult>,
        /// Whether the record states that the rules ended it.
        by_rules: bool,
    },
    /// The record states an end by the rules, but the game is not over.
    #[error("the record says that the rules ended it, but they do not")]
    NotOver,
    /// A forfeit with the wrong result.
    #[error("{} forfeits, but the result is {}", loser.name(), result.text())]
    OtherForfeit {
        /// The side to move, which forfeits.
        loser: Color,
        /// The result of the record.
        result: GameResult,
    },
    /// A null move, which no game has.
    #[error(transparent)]
    NullMove(#[from] NullMove),
    /// An invalid result.
    #[error("the result '{}' is not that of a finished game", printable(.0))]
    NoResult(String),
    /// Two different results.
    #[error("the Result tag and the result behind the moves differ")]
    TwoResults,
    /// A PGN with variations nested too deeply.
    #[error("variations are nested more than {DEEPEST} deep")]
    TooDeep,
}

impl ReplayError {
    /// A fault of the turn that is next in a position.
    pub fn turn<G: Notation>(position: &G, fault: TurnFault) -> Self {
        Self::Turn {
            number: position.game_ply() / 2 + 1,
            side: position.side_to_move(),
            fault,
        }
    }
}

/// A recorded game, independent of the file format.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript<'a> {
    /// The first position.
    pub start: &'a str,
    /// The seed of the dice, hexadecimal.
    pub dice_seed: Option<&'a str>,
    /// The turns as tokens or SAN, each with its roll.
    pub turns: Vec<(Option<&'a str>, &'a str)>,
    /// The recorded end.
    pub end: Claim,
}

/// The recorded end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claim {
    /// The result; `None`: unfinished.
    pub result: Option<GameResult>,
    /// Whether the rules ended the game; `None`: not recorded.
    pub by_rules: Option<bool>,
    /// How, if the rules did not end it, a player forfeited.
    pub forfeit: Option<Termination>,
}

impl Transcript<'_> {
    /// Replays the turns, without checking the end.
    ///
    /// # Errors
    /// The first illegal turn or wrong roll.
    pub fn play<G: Notation>(&self, options: &G::Options) -> Result<Played<G>, ReplayError> {
        let (mut played, _) = begin(Some(self.start), self.dice_seed, options)?;
        for (roll, token) in &self.turns {
            if let Err(fault) = played.add(*roll, token) {
                return Err(ReplayError::turn(played.position(), fault));
            }
        }
        played.stated = self.end.result;
        Ok(played)
    }

    /// Replays the game and checks its end.
    ///
    /// # Errors
    /// The first error.
    pub fn replay<G: Notation>(&self, options: &G::Options) -> Result<Played<G>, ReplayError> {
        let played = self.play(options)?;
        self.end.check(&played)?;
        Ok(played)
    }
}

/// Creates a game at a position string, or at the start position without one; also gives what was dropped or corrected in the string.
fn begin<G: Notation>(
    start: Option<&str>,
    seed: Option<&str>,
    options: &G::Options,
) -> Result<(Played<G>, Vec<String>), ReplayError> {
    let start = match start {
        Some(fen) => G::from_fen(fen, options)?,
        None => Parsed::plain(G::start(options)),
    };
    let mut played = Played::new(start.position, *options);
    played.seed = match seed {
        Some(text) => Some(
            text.parse()
                .map_err(|_| ReplayError::NotASeed(text.to_owned()))?,
        ),
        None => start.seed,
    };
    Ok((played, start.warnings))
}

impl Claim {
    /// The end recorded in a PGN: behind the moves, or where nothing stands there, in the Result tag.
    ///
    /// # Errors
    /// An invalid result, or two different ones.
    pub fn of_pgn(game: &PgnGame) -> Result<Self, ReplayError> {
        let tag = game.tag("Result");
        let stated = match game.result.as_str() {
            "" => game.tags.known("Result").unwrap_or(UNFINISHED),
            text => text,
        };
        let result = match stated {
            UNFINISHED => None,
            text => Some(
                GameResult::parse(text).ok_or_else(|| ReplayError::NoResult(text.to_owned()))?,
            ),
        };
        if let Some(tag) = tag
            && GameResult::parse(tag) != result
        {
            return Err(ReplayError::TwoResults);
        }
        let termination = game.tag("Termination").unwrap_or("normal");
        Ok(Self {
            result,
            // A normal end may be a resignation; replay shows whether the rules ended the game.
            by_rules: None,
            forfeit: Termination::FORFEITS
                .into_iter()
                .find(|forfeit| forfeit.pgn() == termination),
        })
    }

    /// Checks the end of a replayed game.
    ///
    /// # Errors
    /// An end that differs from the record.
    pub fn check<G: Notation>(self, played: &Played<G>) -> Result<(), ReplayError> {
        if let Some(null_move) = played.unread {
            return Err(null_move.into());
        }
        match played.outcome() {
            Some(outcome) => {
                let (result, reason) = GameResult::by_rules(outcome);
                if self.result != Some(result) || self.by_rules == Some(false) {
                    return Err(ReplayError::OtherEnd {
                        result,
                        reason,
                        recorded: self.result,
                        by_rules: self.by_rules != Some(false),
                    });
                }
            }
            None if self.by_rules == Some(true) => return Err(ReplayError::NotOver),
            None => {
                let loser = played.side();
                if let (Some(result), Some(forfeit)) = (self.result, self.forfeit)
                    && !is_result_of(forfeit, result, played)
                {
                    return Err(ReplayError::OtherForfeit { loser, result });
                }
            }
        }
        Ok(())
    }
}

/// Whether a forfeit can have this result. Time and illegal turns are those of the side to move, and time is a draw where the other
/// side cannot win; a program can also end while it ponders, or when it is asked about a double.
fn is_result_of<G: Notation>(forfeit: Termination, result: GameResult, played: &Played<G>) -> bool {
    let loser = played.side();
    match (result.winner(), forfeit) {
        (Some(winner), Termination::Time | Termination::IllegalTurn) => winner == !loser,
        (Some(_), _) => true,
        (None, Termination::Time) => !played.position().can_win(!loser),
        (None, _) => false,
    }
}

/// Replays a PGN, with its comments and variations. Its turns must be legal; illegal turns in variations are kept as
/// text.
///
/// # Errors
/// The first illegal turn or wrong roll.
pub fn of_pgn<G: Notation>(game: &PgnGame, options: &G::Options) -> Result<Played<G>, ReplayError> {
    let mut reader = PgnReplay::new(game, options)?;
    while reader.read_turn()? {}
    Ok(reader.played)
}

/// Turn-by-turn replay of a PGN.
pub struct PgnReplay<'a, G: Notation> {
    nodes: std::iter::Enumerate<std::slice::Iter<'a, Node<String>>>,
    stated: Option<GameResult>,
    /// The game as far as it was read.
    pub played: Played<G>,
    /// What was dropped or corrected in the first position, one sentence each.
    pub warnings: Vec<String>,
    /// Where the game went on first although the rules had ended it by repetition or by the counter of quiet turns. Over the board
    /// such draws are claimed, so that games of people have turns behind them.
    pub went_on: Option<ReplayError>,
}

impl<'a, G: Notation> PgnReplay<'a, G> {
    /// Prepares the replay, before the first turn.
    ///
    /// # Errors
    /// An invalid first position or seed, or variations nested too deeply.
    pub fn new(game: &'a PgnGame, options: &G::Options) -> Result<Self, ReplayError> {
        if game.is_too_deep {
            return Err(ReplayError::TooDeep);
        }
        let (mut played, warnings) = begin(game.tag("FEN"), game.tag("DiceSeed"), options)?;
        played.tags = game.tags.clone();
        played.lead_mut().clone_from(&game.line.lead);
        if G::HAS_CHANCE && game.tag("Cube").is_some() {
            played.doubling = Some(Doubling::default());
        }
        let mut this = Self {
            nodes: game.line.turns.iter().enumerate(),
            stated: GameResult::parse(game.result_text()),
            played,
            warnings,
            went_on: None,
        };
        this.played.stated = this.stated;
        Ok(this)
    }

    /// Reads the next turn; `false` if there is none.
    ///
    /// # Errors
    /// An illegal turn or a wrong roll; the game is unchanged.
    pub fn read_turn(&mut self) -> Result<bool, ReplayError> {
        let Some((place, node)) = self.nodes.next() else {
            self.turn_cube_at_end();
            return Ok(false);
        };
        let mut beside = beside(node);
        let roll = take_roll(self.played.position(), &mut beside.comments);
        let turn = self.played.position().game_ply();
        if let Some(doubling) = &mut self.played.doubling
            && let Some(cube) = command(&beside.comments, "cube").and_then(read_cube)
        {
            doubling.resume(turn, cube);
        }
        let unrolled = *self.played.turn_start();
        let unrolled = roll.is_some().then_some(unrolled);
        let mut added = self.played.add(roll.as_deref(), &node.turn);
        if let Err(
            over @ TurnFault::Over(Outcome::Draw(DrawReason::Repetition | DrawReason::Clock)),
        ) = added
        {
            let over = ReplayError::turn(self.played.position(), over);
            added = self.played.add_beyond(roll.as_deref(), &node.turn);
            if added.is_ok() {
                self.went_on.get_or_insert(over);
            }
        }
        match added {
            Ok(()) => {}
            // In DiceChess it can be the pass of a turn.
            Err(TurnFault::Illegal(text)) if NULL_MOVES.contains(&text.as_str()) => {
                let position = self.played.position();
                let (number, side) = (position.game_ply() / 2 + 1, position.side_to_move());
                self.played.unread = Some(NullMove { number, side });
                return Ok(false);
            }
            Err(fault) => return Err(ReplayError::turn(self.played.position(), fault)),
        }
        let before = self.played.turns()[place].turn.before;
        let variations = &node.variations;
        let variations = variations.iter();
        let variations = variations.map(|line| variation(line, Some(before), unrolled));
        self.played.annotate_last(beside, variations.collect());
        self.played.stated = self.stated;
        Ok(true)
    }

    /// Sets the cube from the `Cube` tag, if it was turned after the last recorded turn.
    fn turn_cube_at_end(&mut self) {
        let turn = self.played.position().game_ply();
        let tag = self.played.tags.get("Cube").and_then(read_cube);
        if let (Some(doubling), Some(cube)) = (&mut self.played.doubling, tag)
            && doubling.cube() != cube
        {
            doubling.resume(turn, cube);
        }
    }
}

/// The annotations of a turn, without its variations.
fn beside(node: &Node<String>) -> Node<()> {
    Node {
        turn: (),
        nags: node.nags.clone(),
        comments: node.comments.clone(),
        variations: Vec::new(),
        after: node.after.clone(),
    }
}

/// The roll with which a comment begins, and the rest of the comment.
pub(crate) fn leading_roll(comment: &str) -> Option<(Roll, &str)> {
    let (word, rest) = comment.split_once(' ').unwrap_or((comment, ""));
    Some((Roll::parse(word)?, rest))
}

/// Removes a due roll from the beginning of the comments after its turn, and returns it.
fn take_roll<G: Notation>(position: &G, comments: &mut Vec<String>) -> Option<String> {
    if !position.awaits_roll() {
        return None;
    }
    let first = comments.first_mut()?;
    let (roll, rest) = leading_roll(first)?;
    let roll = roll.to_string();
    if rest.is_empty() {
        comments.remove(0);
    } else {
        *first = rest.to_owned();
    }
    Some(roll)
}

/// Replays a variation from a position; all its turns stay text if the position is unknown. It has the dice of the turn that it
/// replaces unless it states others; `unrolled` is the position before the roll.
fn variation<G: Notation>(
    line: &Line<String>,
    root: Option<G>,
    mut unrolled: Option<G>,
) -> Line<Made<G>> {
    let mut read = Line {
        lead: line.lead.clone(),
        turns: Vec::with_capacity(line.turns.len()),
    };
    let mut known = root;
    let mut last = root;
    for node in &line.turns {
        let mut beside = beside(node);
        let mut roll = None;
        let mut turn_unrolled = unrolled.take();
        if let (Some(position), Some(before)) = (&mut known, turn_unrolled)
            && let Some(text) = take_roll(&before, &mut beside.comments)
        {
            let mut rolled = before;
            roll = Roll::parse(&text);
            if let Some(dice) = roll {
                rolled.set_roll(dice);
            }
            // What says the same dice says nothing.
            roll = roll.filter(|_| rolled != *position);
            *position = rolled;
        } else if let Some(position) = &mut known
            && position.awaits_roll()
        {
            turn_unrolled = Some(*position);
            roll = take_roll(position, &mut beside.comments).and_then(|text| Roll::parse(&text));
            match roll {
                Some(roll) => position.set_roll(roll),
                None => known = None,
            }
        }
        last = known.or(last);
        let Some(before) = last else {
            break;
        };
        let ply = known.map_or_else(|| Ply::Unread(node.turn.clone()), |at| ply(&at, &node.turn));
        let variations = node.variations.iter();
        let variations =
            variations.map(|line| variation(line, known.or(Some(before)), turn_unrolled));
        let variations = variations.collect();
        known = known.and_then(|at| after(at, &ply));
        let made = Made { before, roll, ply };
        read.turns.push(beside.with(made, variations));
    }
    read
}

fn ply<G: Notation>(position: &G, text: &str) -> Ply<G::Step> {
    match read::turn(position, text) {
        Some(turn) if is_whole(position, &turn) => Ply::Turn(turn),
        _ if NULL_MOVES.contains(&text) => Ply::Null,
        _ => Ply::Unread(text.to_owned()),
    }
}

/// The position after a node of a variation; `None` if it is unknown.
fn after<G: Notation>(mut position: G, ply: &Ply<G::Step>) -> Option<G> {
    match ply {
        Ply::Turn(turn) => {
            turn.iter().for_each(|&step| position.play(step));
            Some(position)
        }
        Ply::Null => position.null_move(),
        Ply::Unread(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse;

    use fauve_engine::rules::chess::{Chess, Options};

    fn replay(text: &str) -> Result<Played<Chess>, ReplayError> {
        let game = &parse(text)[0];
        let played = of_pgn::<Chess>(game, &Options::default())?;
        Claim::of_pgn(game)?.check(&played)?;
        Ok(played)
    }

    #[test]
    fn a_finished_game_must_not_be_recorded_as_unfinished() {
        assert!(replay("1. e4 e5 *").is_ok());
        assert!(matches!(
            replay("1. e4 e4 *"),
            Err(ReplayError::Turn {
                number: 1,
                side: Color::Black,
                ..
            })
        ));
        let mated = replay("1. f3 e5 2. g4 Qh4# *");
        assert!(matches!(
            mated,
            Err(ReplayError::OtherEnd { recorded: None, .. })
        ));
        assert!(replay("1. f3 e5 2. g4 Qh4# 0-1").is_ok());
        assert!(replay("[Result \"1/2\"]\n1. e4 e5 1/2").is_ok());
        assert!(matches!(
            replay("[Result \"1-0\"]\n1. e4 e5 1/2"),
            Err(ReplayError::TwoResults)
        ));
        // Time that runs out against a side that cannot mate draws, and only then.
        let bare = |result: &str| {
            let fen = "[FEN \"4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1\"]";
            replay(&format!(
                "[Termination \"time forfeit\"]\n{fen}\n1. Qe3+ {{}} Kd8 {result}"
            ))
        };
        assert_eq!(bare("1/2-1/2").err().map(|error| error.to_string()), None);
        // Other referees let the game be lost.
        assert!(bare("0-1").is_ok());
        let armed = "[Termination \"time forfeit\"]\n1. e4 e5 1/2";
        assert!(matches!(
            replay(armed),
            Err(ReplayError::OtherForfeit { .. })
        ));
        // An illegal turn is one of the side to move; a program can also end, or refuse to go on, while it ponders.
        let ended = |how: &str, result: &str| {
            replay(&format!("[Termination \"{how}\"]\n1. e4 e5 {result}"))
        };
        for (how, result, is_right) in [
            ("rules infraction", "0-1", true),
            ("rules infraction", "1-0", false),
            ("emergency", "0-1", true),
            ("emergency", "1-0", true),
            ("emergency", "1/2", false),
            ("unterminated", "1-0", true),
            ("unterminated", "1/2", false),
        ] {
            let replayed = ended(how, result);
            assert_eq!(replayed.is_ok(), is_right, "{how}, {result}");
            let is_forfeit = matches!(replayed, Err(ReplayError::OtherForfeit { .. }));
            assert_eq!(is_forfeit, !is_right, "{how}, {result}");
        }
    }

    #[test]
    fn without_a_result_behind_the_moves_the_tag_counts() {
        let result = |text: &str| replay(text).map(|played| played.stated);
        assert_eq!(result("1. e4 e5\n"), Ok(None));
        assert_eq!(result("[Result \"*\"]\n1. e4 e5\n"), Ok(None));
        assert_eq!(result("[Result \"?\"]\n1. e4 e5\n"), Ok(None));
        let won = result("[Result \"1-0\"]\n1. e4 e5\n").expect("a game");
        assert_eq!(won.map(GameResult::text), Some("1-0"));
        assert!(result("[Result \"0-1\"]\n1. f3 e5 2. g4 Qh4#\n").is_ok());
        let other = result("[Result \"1-0\"]\n1. f3 e5 2. g4 Qh4#\n");
        assert!(matches!(other, Err(ReplayError::OtherEnd { .. })));
        let none = result("[Result \"won\"]\n1. e4 e5\n");
        assert!(matches!(none, Err(ReplayError::NoResult(_))));
    }

    #[test]
    fn what_was_dropped_from_the_first_position_is_said() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n1. Ke2 *";
        let games = parse(text);
        let reader = PgnReplay::<Chess>::new(&games[0], &Options::default()).expect("a game");
        assert_eq!(reader.warnings.len(), 1, "{:?}", reader.warnings);
    }

    #[test]
    fn letters_of_a_comment_are_a_roll_only_if_one_is_due() {
        let played = replay("1. e4 {RNB is a band} e5 {pbk} *").expect("a game");
        assert_eq!(played.turns()[0].comments, ["RNB is a band"]);
    }

    #[test]
    fn variations_keep_null_moves_and_illegal_turns() {
        let played = replay("1. e4 (1. d4 -- 2. c4 Z0 3. Ke5 {?} Nf6) e5 *").expect("a game");
        let turns = &played.turns()[0].variations[0].turns;
        let plies: Vec<_> = turns.iter().map(|node| &node.turn.ply).collect();
        assert!(matches!(
            plies[..],
            [
                Ply::Turn(_),
                Ply::Null,
                Ply::Turn(_),
                Ply::Null,
                Ply::Unread(_),
                Ply::Unread(_)
            ]
        ));
        assert_eq!(turns[2].turn.number(), 2);
        let cut = replay("1. e4 -- 2. d4 *");
        let null_move = NullMove {
            number: 1,
            side: Color::Black,
        };
        assert!(
            matches!(cut, Err(ReplayError::NullMove(at)) if at == null_move),
            "not in the game itself"
        );
    }
}
