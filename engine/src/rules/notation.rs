use super::{Chance, Diagram, DiceSeed, Draws, FenError, Roll, StepError, Turn, legal_steps};
use std::fmt::Write;

/// A position string that was accepted.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess};
///
/// // What does not fit the board is dropped, and said.
/// let parsed = Chess::from_fen("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", &Default::default())?;
/// assert_eq!(parsed.warnings.len(), 1);
/// assert_eq!(parsed.position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed<G> {
    /// The position.
    pub position: G,
    /// What was dropped or corrected in the string, one sentence each, for `info string`.
    pub warnings: Vec<String>,
    /// The dice seed, if the string contains one (DiceChess).
    pub seed: Option<DiceSeed>,
}

impl<G> Parsed<G> {
    /// Creates a result without warnings and seed.
    pub const fn plain(position: G) -> Self {
        Self::with_warnings(position, Vec::new())
    }

    /// Creates a result without a seed.
    pub const fn with_warnings(position: G, warnings: Vec<String>) -> Self {
        Self {
            position,
            warnings,
            seed: None,
        }
    }
}

/// The text formats of a game: position strings, tokens, and human-readable notation.
pub trait Notation: Draws + Chance {
    /// The full rules in Markdown.
    const RULES: &'static str;
    /// The position string of the start position; if it depends on options, of the one that most of them give.
    const START: &'static str;

    /// The start position under the given options.
    fn start(options: &Self::Options) -> Self {
        Self::from_fen(Self::START, options)
            .expect("the start position is sound")
            .position
    }

    /// Another named start position (`startpos-left`), if the game has one of that name.
    fn named_start(name: &str, options: &Self::Options) -> Option<Self> {
        let _ = (name, options);
        None
    }

    /// Reads a position string. Missing fields take their defaults from the right.
    ///
    /// # Errors
    /// The field that cannot be read or makes the position impossible.
    fn from_fen(fen: &str, options: &Self::Options) -> Result<Parsed<Self>, FenError>;

    /// The position string; `from_fen` reads it back to an equal position.
    fn fen(&self) -> String;

    /// The token of one step of this position, `e2e4`.
    fn step_token(&self, step: Self::Step) -> String;

    /// Other spellings of a step that input may use; `token` is one step without its roll.
    fn accepts(&self, step: Self::Step, token: &str) -> bool {
        self.step_token(step) == token
    }

    /// Splits the text of the first step off a turn token and returns the text after the following comma. Games whose steps
    /// contain commas override it.
    fn split_step<'t>(&self, token: &'t str) -> (&'t str, Option<&'t str>) {
        match token.split_once(',') {
            Some((step, rest)) => (step, Some(rest)),
            None => (token, None),
        }
    }

    /// The step that `made`, just made in this position, turns into when `token` comes after it as a token of its own
    /// (the swap of the Superchess prologue: `S@d8 b8g8` for `S@d8,b8g8`). `None`, as in most games always, when the
    /// token does not belong to that step. Callers ask only if the token is not legal after the step.
    fn continued(&self, made: Self::Step, token: &str) -> Option<Self::Step> {
        let _ = (made, token);
        None
    }

    /// Returns the step in human-readable notation (SAN or the game's own, else the token), with its check or mate sign if the
    /// turn ends with it.
    fn step_san(&self, step: Self::Step) -> String {
        self.step_token(step)
    }

    /// The board for a terminal, with labels, several lines, without colours.
    fn board_drawing(&self) -> String {
        self.diagram().drawing()
    }

    /// Returns the board as data, for programs that draw it.
    fn diagram(&self) -> Diagram;

    /// Returns the lines below the board (available pieces, dice), starting with a line break.
    fn board_notes(&self) -> String {
        String::new()
    }

    /// Returns the board and the lines below it.
    fn board_text(&self) -> String {
        self.board_drawing() + &self.board_notes()
    }

    /// The dice still to be played as the position string writes them; `-` before the roll, and in games without dice.
    fn dice_text(&self) -> String {
        "-".to_owned()
    }

    /// Whether a step is a pass, forced by the rules.
    fn is_pass(step: Self::Step) -> bool {
        let _ = step;
        false
    }

    /// Returns the number of turns played before this one, derived from the position's turn number: 0 for White's first turn, 1
    /// for Black's reply. In a seeded game the dice of turn n are a function of the seed and this n.
    fn game_ply(&self) -> u64;
}

/// Returns the token of a turn: the tokens of its steps joined by commas.
///
/// ```
/// use fauve_engine::rules::{Notation, StepError, parse_turn, turn_san, turn_token, twomove::TwoMove};
///
/// let fen = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2 2";
/// let position = TwoMove::from_fen(fen, &Default::default()).expect("a position").position;
/// let turn = parse_turn(&position, "d1h5,f1b5")?;
/// assert_eq!(turn_token(&position, &turn), "d1h5,f1b5");
/// assert_eq!(turn_san(&position, &turn), "Qh5,Bb5#");
/// # Ok::<(), StepError>(())
/// ```
pub fn turn_token<G: Notation>(position: &G, steps: &[G::Step]) -> String {
    join(position, steps, G::step_token)
}

/// Returns the turn in human-readable notation: the SAN of its steps joined by commas.
pub fn turn_san<G: Notation>(position: &G, steps: &[G::Step]) -> String {
    join(position, steps, G::step_san)
}

fn join<G: Notation>(
    position: &G,
    steps: &[G::Step],
    text: impl Fn(&G, G::Step) -> String,
) -> String {
    let mut joined = String::new();
    let mut position = *position;
    for (i, &step) in steps.iter().enumerate() {
        let separator = if i == 0 { "" } else { "," };
        write!(joined, "{separator}{}", text(&position, step))
            .expect("writing to a string does not fail");
        position.play(step);
    }
    joined
}

/// Splits the roll off a token: `PNB:b2b4,c1a3` gives the roll and the rest.
///
/// ```
/// use fauve_engine::rules::{Roll, split_roll};
/// assert_eq!(split_roll("PNB:b2b4,c1a3"), Ok((Roll::parse("PNB"), "b2b4,c1a3")));
/// assert_eq!(split_roll("b2b4,c1a3"), Ok((None, "b2b4,c1a3")));
/// assert!(split_roll("ABC:b2b4").is_err());
/// ```
///
/// # Errors
/// A prefix that is not a roll.
pub fn split_roll(token: &str) -> Result<(Option<Roll>, &str), StepError> {
    match token.split_once(':') {
        None => Ok((None, token)),
        Some((dice, rest)) => match Roll::parse(dice) {
            Some(roll) => Ok((Some(roll), rest)),
            None => Err(StepError::Unreadable(token.to_owned())),
        },
    }
}

/// Reads the steps of a turn token (without roll) from a position that does not await a roll. The turn may stay
/// unfinished: `is_mid_turn` of the position after the steps tells.
///
/// ```
/// use fauve_engine::rules::{Notation, Rules, parse_turn, superchess::Superchess};
///
/// let mut position = Superchess::start(&Default::default());
/// for step in parse_turn(&position, "E@h1")? {
///     position.play(step);
/// }
/// assert!(position.fen().starts_with("rnbqkbne/"), "mirrored for Black");
/// assert!(parse_turn(&position, "E@b8").is_err(), "there is one Empress a side");
/// # Ok::<(), fauve_engine::rules::StepError>(())
/// ```
///
/// # Errors
/// The step that is not legal.
pub fn parse_turn<G: Notation>(position: &G, token: &str) -> Result<Turn<G::Step>, StepError> {
    let mut turn = Turn::new();
    let mut position = *position;
    let mut unread = Some(token);
    while let Some(text) = unread {
        if !turn.is_empty() && !position.is_mid_turn() {
            return Err(StepError::Illegal(token.to_owned()));
        }
        let (part, rest) = position.split_step(text);
        unread = rest;
        let step = legal_steps(&position)
            .into_iter()
            .find(|&step| position.accepts(step, part))
            .ok_or_else(|| StepError::Illegal(token.to_owned()))?;
        position.play(step);
        turn.push(step);
    }
    Ok(turn)
}
