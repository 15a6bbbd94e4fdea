//! Where the games of a tournament begin.

mod book;
mod error;
mod random;

pub use book::{Book, Digest, Place};
pub use error::OpeningError;
pub use random::random_turn;

use crate::plan::schedule::{Random, RngStream, derive};
use error::MOST_TURNS;
use fauve_engine::rules::{DiceSeed, Setup, opening_list};
use fauve_engine::search::Engine;
use fauve_engine::{Variant, with_game};
use random::{JUDGEMENT_NODES, balanced};
use serde::{Deserialize, Serialize};

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Openings {
    /// The start position; the players play the prologue, if there is one.
    #[default]
    Start,
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
        #[serde(flatten)]
        book: Book,
        /// Whether they are taken in random order.
        shuffle: bool,
        /// The most turns that are played of each game of a PGN; all without it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turns: Option<u32>,
        /// How many openings are passed over before the first.
        #[serde(default, skip_serializing_if = "is_zero")]
        passed_over: u64,
    },
    /// A list that the game offers under this name: the arrays of Superchess, say.
    #[serde(untagged)]
    Named(String),
}

/// What the user says beside the name of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpeningSettings {
    /// The most that a search may see for a side after random turns, in centipawns.
    pub balance: Option<i32>,
    /// Whether the openings of a file are taken in random order.
    pub shuffle: bool,
    /// The most turns that are played of each game of a PGN.
    pub turns: Option<u32>,
    /// The opening of a file that comes first, from 1.
    pub start: Option<u64>,
}

impl OpeningSettings {
    /// Whether something is set that only files have.
    const fn is_of_files(self) -> bool {
        self.turns.is_some() || self.start.is_some()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The beginning of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G> {
    /// The position.
    pub position: G,
    /// Whether it is the start position under the rules of the tournament, so that players need not be told.
    pub is_start: bool,
    /// The seed of the dice, where the position brings one.
    pub dice_seed: Option<DiceSeed>,
}

impl Openings {
    /// Openings that differ and are fair to both sides: random turns as the game says, or the start position where the
    /// dice see to it.
    pub fn balanced<G: Engine>() -> Self {
        match G::RANDOM_OPENINGS.turns {
            0 => Self::Start,
            turns => Self::Random {
                turns,
                balance: Some(G::RANDOM_OPENINGS.balance),
            },
        }
    }

    /// Reads what the user wrote: `balanced`, `startpos`, `random:N`, a list of the game, or the path of a file (of positions,
    /// or of PGN, whose games are played to their ends under these rules).
    ///
    /// # Errors
    /// A file that cannot be read, a list of another game, or a number that is none.
    pub fn parse<G: Engine>(
        text: &str,
        variant: Variant,
        settings: OpeningSettings,
        options: &G::Options,
    ) -> Result<Self, OpeningError> {
        let balance = settings.balance;
        if let Some(turns) = text.strip_prefix("random:") {
            return match turns.parse() {
                Ok(turns @ 0..=MOST_TURNS) if !settings.is_of_files() => {
                    Ok(Self::Random { turns, balance })
                }
                Ok(0..=MOST_TURNS) => Err(OpeningError::NoFile(text.to_owned())),
                _ => Err(OpeningError::TurnCount(turns.to_owned())),
            };
        }
        let openings = match text {
            "balanced" => match (Self::balanced::<G>(), balance) {
                (Self::Random { turns, .. }, Some(_)) => Self::Random { turns, balance },
                (openings, _) => openings,
            },
            "startpos" | "start" => Self::Start,
            name if !owners(name).is_empty() => {
                check_list::<G>(name, variant)?;
                Self::Named(name.to_owned())
            }
            path => {
                let book = Book::read::<G>(path, variant, settings.turns, options)?;
                let start = settings.start.unwrap_or(1);
                if start == 0 || start > book.len() as u64 {
                    return Err(OpeningError::Start {
                        path: path.to_owned(),
                        count: book.len(),
                    });
                }
                Self::File {
                    path: path.to_owned(),
                    book,
                    shuffle: settings.shuffle,
                    turns: settings.turns,
                    passed_over: start - 1,
                }
            }
        };
        let is_file = matches!(openings, Self::File { .. });
        if settings.is_of_files() && !is_file {
            return Err(OpeningError::NoFile(text.to_owned()));
        }
        Ok(openings)
    }

    /// Checks that the game has these openings, and every position of a file.
    ///
    /// # Errors
    /// A list that the game does not have, a file without positions, or a line of it at which no game can begin.
    pub fn check<G: Engine>(
        &self,
        variant: Variant,
        options: &G::Options,
    ) -> Result<(), OpeningError> {
        match self {
            Self::Start | Self::Random { .. } => Ok(()),
            Self::Named(name) => check_list::<G>(name, variant),
            Self::File { path, book, .. } => {
                if book.is_empty() {
                    return Err(nothing_in(path, book));
                }
                book.check::<G>(path, options)
            }
        }
    }

    /// What is in the book, if games begin at one.
    pub fn digest(&self) -> Option<Digest> {
        match self {
            Self::File { book, .. } => Some(book.digest()),
            _ => None,
        }
    }

    /// The games of a file that are no openings, and why.
    pub fn left_out(&self) -> &[String] {
        match self {
            Self::File { book, .. } => book.left_out(),
            _ => &[],
        }
    }

    /// What was dropped or corrected in the positions of a file, one sentence each with its place.
    pub fn corrections(&self) -> &[String] {
        match self {
            Self::File { book, .. } => book.corrections(),
            _ => &[],
        }
    }

    /// Reads the book of a record again, of which the record has the digest only: from this file, or from where it was. `Ok(false)`
    /// if the file is not there, or is another book now.
    ///
    /// # Errors
    /// A file that was given for the book, and cannot be read or is not it.
    pub fn find_book<G: Engine>(
        &mut self,
        file: Option<&str>,
        variant: Variant,
        options: &G::Options,
    ) -> Result<bool, OpeningError> {
        let Self::File {
            path, book, turns, ..
        } = self
        else {
            return Ok(true);
        };
        if !book.is_elsewhere() {
            return Ok(true);
        }
        let read = Book::read::<G>(file.unwrap_or(path), variant, *turns, options);
        match (read, file) {
            (Ok(found), _) if found.digest() == book.digest() => *book = found,
            (Ok(found), Some(file)) => {
                return Err(OpeningError::OtherBook {
                    path: file.to_owned(),
                    found: found.digest(),
                    due: book.digest(),
                });
            }
            (Err(error), Some(_)) => return Err(error),
            (_, None) => return Ok(false),
        }
        Ok(true)
    }

    /// The opening of a round of a tournament.
    ///
    /// # Errors
    /// What [`Openings::check`] would have said.
    pub fn of_round<G: Engine>(
        &self,
        seed: u64,
        round: u64,
        options: &G::Options,
    ) -> Result<Opening<G>, OpeningError> {
        let plain = |position| Opening {
            position,
            is_start: false,
            dice_seed: None,
        };
        let place = |round: u64, count: usize, is_shuffled: bool| {
            let place = (round % count as u64) as usize;
            if is_shuffled {
                Random::new(derive(seed, RngStream::Order, 0)).shuffled(count)[place]
            } else {
                place
            }
        };
        Ok(match self {
            Self::Start => Opening {
                is_start: true,
                ..plain(G::start(options))
            },
            Self::Named(name) => {
                let list = opening_list::<G>(name)
                    .ok_or_else(|| OpeningError::UnknownList(name.clone()))?;
                let number = place(round, list.count, list.is_shuffled);
                plain((list.position)(number, options))
            }
            Self::Random { turns, balance } => {
                let mut random = Random::new(derive(seed, RngStream::Opening, round));
                plain(balanced(*turns, *balance, &mut random, options))
            }
            Self::File { path, book, .. } if book.is_empty() => {
                return Err(nothing_in(path, book));
            }
            Self::File {
                path,
                book,
                shuffle,
                passed_over,
                ..
            } => {
                let round = round.saturating_add(*passed_over);
                let number = place(round, book.len(), *shuffle);
                let parsed = book.position::<G>(path, number, options)?;
                Opening {
                    dice_seed: parsed.seed,
                    ..plain(parsed.position)
                }
            }
        })
    }
}

/// Why a book has no positions.
/// Checks that the game has this list.
fn check_list<G: Engine>(name: &str, variant: Variant) -> Result<(), OpeningError> {
    if opening_list::<G>(name).is_some() {
        return Ok(());
    }
    Err(match owners(name) {
        owners if owners.is_empty() => OpeningError::UnknownList(name.to_owned()),
        owners => OpeningError::OtherGame {
            name: name.to_owned(),
            owners,
            variant,
        },
    })
}

fn nothing_in(path: &str, book: &Book) -> OpeningError {
    if book.is_elsewhere() {
        OpeningError::NotAtHand(path.to_owned())
    } else {
        OpeningError::Empty(path.to_owned())
    }
}

/// What the user can ask for, with the figures of each game: for the command line's help.
pub fn help() -> String {
    let mut figures = Vec::new();
    let mut lists = Vec::new();
    for &variant in Variant::ALL {
        let own = with_game!(variant, G => {
            let names = G::OPENING_LISTS.iter().map(|list| (list.name, list.help));
            lists.extend(names.map(|(name, what)| format!("{name} ({variant}: {what})")));
            G::RANDOM_OPENINGS
        });
        figures.push(match own.turns {
            0 => format!("{variant} the start position, for its dice differ"),
            turns => format!("{variant} {turns} turns within {} cp", own.balance),
        });
    }
    format!(
        "Where games begin; both games of a pair begin alike. balanced: random turns that a search of \
         {JUDGEMENT_NODES} nodes finds even, another opening for each pair ({}); startpos; random:N: N random turns; {}; \
         or a file of FEN or EPD lines, or of PGN, whose games begin where the games of the file end",
        figures.join(", "),
        lists.join("; ")
    )
}

/// The games that have a list of openings of this name.
fn owners(name: &str) -> Vec<&'static str> {
    Variant::ALL
        .iter()
        .filter(|&&variant| with_game!(variant, G => opening_list::<G>(name).is_some()))
        .map(|variant| variant.name())
        .collect()
}

/// The lines of a file of positions that are neither empty nor comments.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::random::advantage;
    use super::*;
    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::superchess::Superchess;
    use fauve_engine::rules::{Chance, Field, Game, Notation, Rules};
    use fauve_engine::search::Table;

    fn parsed(text: &str) -> Result<Openings, OpeningError> {
        let settings = OpeningSettings::default();
        Openings::parse::<Chess>(text, Variant::Chess, settings, &Options::default())
    }

    fn chess(openings: &Openings, round: u64) -> Opening<Chess> {
        openings
            .of_round(5, round, &Options::default())
            .expect("an opening")
    }

    #[test]
    fn a_byte_order_mark_in_an_openings_file_is_passed_over() {
        let path = std::env::temp_dir().join(format!("fauve-bom-{}.epd", std::process::id()));
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        std::fs::write(&path, format!("\u{feff}{fen}\r\n# a comment\r\n")).expect("a file");
        let name = path.to_str().expect("a name");
        let openings = parsed(name);
        std::fs::remove_file(&path).expect("the file is there");
        let openings = openings.expect("a file of openings");
        openings
            .check::<Chess>(Variant::Chess, &Options::default())
            .expect("positions");
        assert_eq!(chess(&openings, 0).position.fen(), fen);
    }

    #[test]
    fn games_of_a_pgn_are_openings() {
        let path = std::env::temp_dir().join(format!("fauve-openings-{}.pgn", std::process::id()));
        let name = path.to_str().expect("a name");
        let read = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            parsed(name)
        };
        let two = read("[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. d4 {a comment} 1-0\n");
        let bad = read("[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n");
        std::fs::remove_file(&path).expect("the file is there");
        let two = two.expect("two games");
        let fen = chess(&two, 0).position.fen();
        assert!(fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/"), "{fen}");
        assert!(
            chess(&two, 1)
                .position
                .fen()
                .starts_with("rnbqkbnr/pppppppp/8/8/3P4/")
        );
        let text = bad.expect_err("not legal").to_string();
        assert!(
            text.ends_with("game 1: turn 2 of White: 'Ke3' is not legal"),
            "{text}"
        );
    }

    #[test]
    fn an_error_in_a_book_has_its_line_and_a_packed_book_is_the_same_book() {
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("fauve-packed-{}.epd", std::process::id()));
        let name = path.to_str().expect("a name");
        let read = |text: &[u8]| {
            std::fs::write(&path, text).expect("a file");
            parsed(name)
        };
        let good = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let plain = format!("# a comment\n\n{good}\n  {good} \n");
        let open = read(plain.as_bytes()).expect("two positions");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(plain.as_bytes()).expect("memory");
        let closed = read(&packed.finish().expect("memory")).expect("two positions");
        assert_eq!(open, closed);
        let bad = read(format!("{plain}\n4k3/8/8/8/8/8/8/R7 w - - 0 1\n").as_bytes());
        std::fs::remove_file(&path).expect("the file is there");
        let text = bad.expect_err("White has no king there").to_string();
        assert!(text.contains("epd, line 6: "), "{text}");
    }

    #[test]
    fn a_record_has_the_digest_of_its_book_and_old_ones_the_book() {
        let good = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let openings = Openings::File {
            path: "a.epd".to_owned(),
            book: Book::of_lines(&[good, good]),
            shuffle: true,
            turns: None,
            passed_over: 0,
        };
        let written = serde_json::to_string(&openings).expect("JSON");
        assert!(!written.contains("4k3"), "{written}");
        let read: Openings = serde_json::from_str(&written).expect("openings");
        assert_eq!(read.digest(), openings.digest());
        let missing = read.of_round::<Chess>(1, 0, &Options::default());
        assert!(matches!(missing, Err(OpeningError::NotAtHand(_))));
        let old = format!(
            r#"{{"file":{{"path":"a.epd","positions":["{good}","{good}"],"shuffle":true}}}}"#
        );
        let old: Openings = serde_json::from_str(&old).expect("openings");
        assert_eq!(old.digest(), openings.digest());
        assert_eq!(chess(&old, 0), chess(&openings, 0));
    }

    #[test]
    fn lists_belong_to_their_games() {
        let read = |text: &str| parsed(text);
        let written = Openings::Named("arrays".to_owned());
        for refused in [
            read("arrays").map(drop),
            written.check::<Chess>(Variant::Chess, &Options::default()),
        ] {
            assert_eq!(
                refused.expect_err("chess has none").to_string(),
                "openings: arrays are of superchess, not of chess"
            );
        }
        assert_eq!(read("startpos").expect("every game's"), Openings::Start);
        let missing = Openings::parse::<Superchess>(
            "no such file",
            Variant::Superchess,
            OpeningSettings::default(),
            &fauve_engine::rules::superchess::Options::default(),
        );
        let missing = missing.expect_err("there is none");
        assert!(matches!(missing, OpeningError::Unreadable { .. }));
        let text = missing.to_string();
        assert!(
            text.ends_with("; write a file, balanced, startpos, arrays, prologue or random:N"),
            "{text}"
        );
    }

    #[test]
    fn what_is_wrong_with_openings_can_be_told_without_their_words() {
        let read = |text: &str| parsed(text);
        for text in ["random:", "random:201", "random:-1", "random:8x"] {
            assert!(
                matches!(read(text), Err(OpeningError::TurnCount(_))),
                "{text}"
            );
        }
        // A device without an end is not read.
        for path in ["/dev/zero", "/"] {
            assert!(matches!(read(path), Err(OpeningError::Unreadable { .. })));
        }
        let file = |lines: &[&str]| Openings::File {
            path: "a.epd".to_owned(),
            book: Book::of_lines(lines),
            shuffle: false,
            turns: None,
            passed_over: 0,
        };
        let check =
            |lines: &[&str]| file(lines).check::<Chess>(Variant::Chess, &Options::default());
        let good = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        check(&[good]).expect("a position");
        assert!(matches!(check(&[]), Err(OpeningError::Empty(_))));
        let none: Result<Opening<Chess>, _> = file(&[]).of_round(1, 0, &Options::default());
        assert!(matches!(none, Err(OpeningError::Empty(_))));
        let bad = check(&[good, "4k3/8/8/8/8/8/8/R7 w - - 0 1"]);
        let Err(OpeningError::Position { error, place, .. }) = bad else {
            panic!("White has no king there: {bad:?}");
        };
        assert_eq!(error.field, Field::Board);
        assert_eq!(place.to_string(), "a.epd, line 2");
        let text = format!("{good}\n4k3/8/8/8/8/8/8/R3K3 w KQ - id \"a\";\n");
        let corrected = of_file("a.epd", &text, OpeningSettings::default()).expect("a book");
        let corrections = corrected.corrections();
        assert_eq!(corrections.len(), 1, "{corrections:?}");
        let place = format!("{}, line 2: ", path_of("a.epd"));
        assert!(corrections[0].starts_with(&place), "{corrections:?}");
        let text = format!("{good}\n4k3/8/8/8/8/8/8/R7 w - - 0 1\n");
        let bad = of_file("bad.epd", &text, OpeningSettings::default());
        assert!(matches!(bad, Err(OpeningError::Position { .. })), "{bad:?}");
        let mated = "R3k3/8/4K3/8/8/8/8/8 b - - 0 1";
        assert!(matches!(check(&[mated]), Err(OpeningError::Over { .. })));
    }

    /// Where a temporary file of this name is.
    fn path_of(name: &str) -> String {
        let name = format!("fauve-openings-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    /// A file with this text, read as openings under these settings.
    fn of_file(
        name: &str,
        text: &str,
        settings: OpeningSettings,
    ) -> Result<Openings, OpeningError> {
        let path = &*path_of(name);
        std::fs::write(path, text).expect("a temporary file");
        let read = Openings::parse::<Chess>(path, Variant::Chess, settings, &Options::default());
        std::fs::remove_file(path).expect("the temporary file");
        read
    }

    #[test]
    fn a_game_that_is_no_opening_leaves_the_others() {
        let good = "[Event \"a\"]\n\n1. e4 e5 *\n\n";
        let bad = [
            "[Event \"b\"]\n\n1. e4 e4 *\n\n",
            "[Event \"c\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n\n",
            "[Event \"d\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
        ];
        let all = OpeningSettings::default();
        let text = format!("{}{}{good}{}{good}", bad[0], bad[1], bad[2]);
        let openings = of_file("mixed.pgn", &text, all).expect("two openings");
        assert_eq!(openings.digest().map(|digest| digest.positions), Some(2));
        let why: Vec<String> = openings
            .left_out()
            .iter()
            .map(|error| error.split("pgn").nth(1).unwrap_or("").to_owned())
            .collect();
        assert!(why[0].starts_with(": game 1: turn 1 of Black"), "{why:?}");
        assert_eq!(why[1], ": game 2: it is of 'Crazyhouse', not of chess");
        assert!(why[2].starts_with(", game 4: "), "{why:?}");
        assert!(why[2].ends_with("the game is over there"), "{why:?}");
        let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1\"]\n\n1. Ke2 *\n";
        let corrected = of_file("corrected.pgn", &format!("{good}{fen}"), all);
        let corrections = corrected.map(|book| book.corrections().to_vec());
        let corrections = corrections.expect("two openings");
        assert_eq!(corrections.len(), 1, "{corrections:?}");
        assert!(corrections[0].contains("pgn, game 2: "), "{corrections:?}");
        // Where no game is an opening, the first fault is the answer.
        let none = of_file("none.pgn", bad[0], all);
        assert!(matches!(none, Err(OpeningError::Game { number: 1, .. })));
        // Not all turns of a game need to be played.
        let turns = Some(2);
        let settings = OpeningSettings { turns, ..all };
        let openings = of_file("short.pgn", bad[2], settings).expect("an opening");
        let fen = chess(&openings, 0).position.fen();
        assert!(fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/"), "{fen}");
    }

    #[test]
    fn openings_begin_where_they_are_asked_to() {
        let lines = [
            "8/8/8/8/8/8/8/K1k5 w - -",
            "8/8/8/8/8/8/8/K2k4 w - -",
            "8/8/8/8/8/8/8/K3k3 w - -",
        ];
        let lines = lines
            .map(|line| line.replace("8/8/8/8/8/8/8", "8/8/8/8/8/8/7R"))
            .join("\n");
        let at = |start| {
            let settings = OpeningSettings {
                start: Some(start),
                ..OpeningSettings::default()
            };
            of_file(&format!("{start}.epd"), &lines, settings)
        };
        let (first, third) = (at(1).expect("the first"), at(3).expect("the third"));
        for round in 0..4 {
            assert_eq!(chess(&third, round), chess(&first, round + 2));
        }
        for start in [0, 4] {
            let error = at(start).expect_err("there are three").to_string();
            assert!(
                error.ends_with("holds 3 openings; --start takes one of 1 to 3"),
                "{error}"
            );
        }
    }

    #[test]
    fn records_keep_their_words() {
        for (openings, text) in [
            (Openings::Start, "\"start\""),
            (Openings::Named("arrays".to_owned()), "\"arrays\""),
            (
                Openings::Random {
                    turns: 8,
                    balance: Some(60),
                },
                "{\"random\":{\"turns\":8,\"balance\":60}}",
            ),
        ] {
            assert_eq!(serde_json::to_string(&openings).expect("JSON"), text);
            assert_eq!(
                serde_json::from_str::<Openings>(text).expect("openings"),
                openings
            );
        }
    }

    #[test]
    fn default_openings_are_as_balanced_as_they_say_and_all_different() {
        for &variant in Variant::ALL {
            with_game!(variant, G => {
                let openings = Openings::balanced::<G>();
                let options = <G as Rules>::Options::default();
                let table = Table::new(1).expect("memory");
                let mut seen = std::collections::HashSet::new();
                for round in 0..12 {
                    let opening: Opening<G> =
                        openings.of_round(1, round, &options).expect("an opening");
                    let again: Opening<G> =
                        openings.of_round(1, round, &options).expect("an opening");
                    assert_eq!(opening, again, "both games of a pair begin alike");
                    if let Openings::Random { balance, .. } = openings {
                        assert!(seen.insert(opening.position.fen()), "{variant}");
                        let seen = advantage(&Game::new(opening.position, options), &table);
                        assert!(seen <= balance.expect("a bound"), "{variant}: {seen}");
                    } else {
                        assert!(!G::rolls().is_empty(), "{variant} has dice to differ by");
                    }
                }
            });
        }
    }
}
