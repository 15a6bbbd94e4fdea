//! Files that other programs wrote: games with an illegal turn, and moves in the piece letters of other languages.

use crate::pgn::PgnGame;
use crate::played::Played;
use crate::replay::{PgnReplay, ReplayError};
use crate::tree::Line;
use fauve_engine::rules::Notation;

/// A language whose piece letters are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// Its English name.
    pub name: &'static str,
    /// The letters of king, queen, rook, bishop and knight.
    letters: [char; 5],
}

/// The letters in English, in the order of [`Language::letters`].
const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// The piece letters of languages, as the PGN standard lists them; languages with the same letters stand here once.
const LANGUAGES: [Language; 11] = [
    language("German", ['K', 'D', 'T', 'L', 'S']),
    language("French", ['R', 'D', 'T', 'F', 'C']),
    language("Spanish", ['R', 'D', 'T', 'A', 'C']),
    language("Dutch", ['K', 'D', 'T', 'L', 'P']),
    language("Portuguese", ['R', 'D', 'T', 'B', 'C']),
    language("Polish", ['K', 'H', 'W', 'G', 'S']),
    language("Czech", ['K', 'D', 'V', 'S', 'J']),
    language("Hungarian", ['K', 'V', 'B', 'F', 'H']),
    language("Finnish", ['K', 'D', 'T', 'L', 'R']),
    language("Icelandic", ['K', 'D', 'H', 'B', 'R']),
    language("Romanian", ['R', 'D', 'T', 'N', 'C']),
];

const fn language(name: &'static str, letters: [char; 5]) -> Language {
    Language { name, letters }
}

impl Language {
    /// The English letter of a piece letter.
    fn english(self, letter: char) -> char {
        let place = self.letters.iter().position(|&own| own == letter);
        place.map_or(letter, |place| ENGLISH[place])
    }

    /// A turn in English letters: those at the beginning of a move and behind the square of a promotion.
    fn turn(self, text: &str) -> String {
        let mut before = ',';
        text.chars()
            .map(|letter| {
                let is_piece = before == ',' || before == '=' || before.is_ascii_digit();
                before = letter;
                if is_piece {
                    self.english(letter)
                } else {
                    letter
                }
            })
            .collect()
    }

    fn translate(self, line: &mut Line<String>) {
        for node in &mut line.turns {
            node.turn = self.turn(&node.turn);
            for variation in &mut node.variations {
                self.translate(variation);
            }
        }
    }
}

/// A game that was read as far as its turns are legal.
#[derive(Debug)]
pub struct Tolerated<G: Notation> {
    /// The game.
    pub played: Played<G>,
    /// Why it was read no further.
    pub fault: Option<ReplayError>,
    /// The language of its piece letters, where it is not English.
    pub language: Option<Language>,
}

/// Reads a PGN as far as its turns are legal, in English letters or in those of the language in which more of it is.
///
/// # Errors
/// An invalid first position or seed, variations nested too deeply; an illegal first turn.
///
/// ```
/// use fauve_engine::rules::chess::{Chess, Options};
/// let game = &fauve_game::pgn::parse("1. e4 e5 2. Sf3 Sc6 3. Lb5 Dxa1")[0];
/// let read = fauve_game::tolerant::read::<Chess>(game, &Options::default())?;
/// assert_eq!(read.played.turns().len(), 5);
/// assert_eq!(read.language.map(|language| language.name), Some("German"));
/// assert_eq!(read.fault.unwrap().to_string(), "turn 3 of Black: 'Dxa1' is not legal");
/// # Ok::<(), fauve_game::replay::ReplayError>(())
/// ```
pub fn read<G: Notation>(
    game: &PgnGame,
    options: &G::Options,
) -> Result<Tolerated<G>, ReplayError> {
    let mut best = as_far_as_legal::<G>(game, options)?;
    for language in LANGUAGES {
        if best.fault.is_none() {
            break;
        }
        let mut translated = game.clone();
        language.translate(&mut translated.line);
        let read = as_far_as_legal::<G>(&translated, options)?;
        if read.played.turns().len() > best.played.turns().len() {
            let language = Some(language);
            best = Tolerated { language, ..read };
        }
    }
    if let Some(fault) = &mut best.fault
        && best.language.is_some()
    {
        name_as_written(fault, game, best.played.turns().len());
    }
    match best.fault {
        Some(fault) if best.played.turns().is_empty() => Err(fault),
        _ => Ok(best),
    }
}

/// Reads a PGN as far as its turns are legal.
fn as_far_as_legal<G: Notation>(
    game: &PgnGame,
    options: &G::Options,
) -> Result<Tolerated<G>, ReplayError> {
    let mut reader = PgnReplay::new(game, options)?;
    let fault = loop {
        match reader.read_turn() {
            Ok(true) => {}
            Ok(false) => break reader.played.unread.map(ReplayError::from),
            Err(fault) => break Some(fault),
        }
    };
    Ok(Tolerated {
        played: reader.played,
        fault,
        language: None,
    })
}

/// A fault names the turn as the file has it, not its translation.
fn name_as_written(fault: &mut ReplayError, game: &PgnGame, read: usize) {
    use crate::played::TurnFault::{Illegal, Unfinished};
    if let ReplayError::Turn { fault, .. } = fault
        && let Illegal(text) | Unfinished(text) = fault
        && let Some(node) = game.line.turns.get(read)
    {
        text.clone_from(&node.turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse;

    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::superchess::Superchess;

    fn tokens<G: Notation>(text: &str) -> (Vec<String>, Option<&'static str>, Option<String>) {
        let game = &parse(text)[0];
        let read = read::<G>(game, &G::Options::default()).expect("a game");
        let turns = read.played.turns().iter();
        let tokens = turns.map(|node| node.turn.token()).collect();
        let fault = read.fault.map(|fault| fault.to_string());
        (tokens, read.language.map(|language| language.name), fault)
    }

    #[test]
    fn castling_with_zeros_and_moves_in_other_languages_are_read() {
        let italian = [
            "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6",
        ];
        for (text, language) in [
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6", None),
            ("1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. 0-0 Sf6", Some("German")),
            ("1. e4 e5 2. Cf3 Cc6 3. Fc4 Fc5 4. 0-0 Cf6", Some("French")),
            ("1. e4 e5 2. Pf3 Pc6 3. Lc4 Lc5 4. O-O Pf6", Some("Dutch")),
            ("1. e4 e5 2. Cf3 Cc6 3. Ac4 Ac5 4. O-O Cf6", Some("Spanish")),
            (
                "1. e4 e5 2. Jf3 Jc6 3. Sc4 Sc5 4. 0-0-0?? (4. Sd5) Jf6",
                Some("Czech"),
            ),
        ] {
            let (read, named, fault) = tokens::<Chess>(text);
            let legal = if fault.is_some() { 6 } else { 8 };
            assert_eq!(read, italian[..legal], "{text}");
            assert_eq!(named, language, "{text}");
        }
        // A promotion, and a king whose letter is a rook's in English.
        let text = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=D Rg7 2. Df8+";
        let (read, named, fault) = tokens::<Chess>(text);
        assert_eq!(read, ["a7a8q", "h7g7", "a8f8"]);
        assert_eq!((named, fault), (Some("French"), None));
        // A game whose own letters are those of another language is not translated.
        let text = "[FEN \"rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1\"]\n\n1. Se3 Se6";
        let (read, named, fault) = tokens::<Superchess>(text);
        assert_eq!((named, fault, read.len()), (None, None, 2), "{read:?}");
    }

    #[test]
    fn the_turns_before_an_illegal_one_are_kept_and_it_is_named_as_written() {
        let (read, named, fault) = tokens::<Chess>("1. e4 e5 2. Ke3 Nc6 1-0");
        assert_eq!((read.len(), named), (2, None));
        let said = "turn 2 of White: 'Ke3' is not legal";
        assert_eq!(fault.as_deref(), Some(said));
        let (read, _, fault) = tokens::<Chess>("1. e4 e5 2. Sf3 Sc6 3. Df6 Lc5");
        assert_eq!(read.len(), 4);
        let said = "turn 3 of White: 'Df6' is not legal";
        assert_eq!(fault.as_deref(), Some(said));
        // A null move has no turns behind it.
        assert_eq!(tokens::<Chess>("1. e4 -- 2. d4").0.len(), 1);
        // Without any turn nothing was read.
        let nothing = &parse("hello world")[0];
        assert!(read_chess(nothing).is_err());
    }

    fn read_chess(game: &PgnGame) -> Result<Tolerated<Chess>, ReplayError> {
        read(game, &Options::default())
    }
}
