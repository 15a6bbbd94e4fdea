//! Files of games that are looked into: PGN, records of matches, position strings. A file is kept as its text with a list of
//! what is where: a large one needs as much memory as it is long, and some hundred bytes for each game.

#[cfg(feature = "server")]
use crate::import::of_record;
use crate::import::{of_pgn, variant_of};
use crate::lock::locked;
use crate::random;
use crate::wire::NewGame;
use fauve_engine::Variant;
use fauve_engine::rules::{DiceSeed, printable};
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
#[cfg(feature = "server")]
use fauve_referee::record::Header;
#[cfg(feature = "server")]
use fauve_referee::record::lines::{header_line, parse as parse_record};
#[cfg(feature = "server")]
use fauve_referee::record::stream::{Lines, LinesError};
use serde::Serialize;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// The longest file of games that is opened, in bytes; what a packed file holds counts.
pub const LONGEST_FILE: u64 = 64 << 20;
/// The most games of a file.
const MOST_GAMES: usize = 500_000;
/// The most games that one list shows.
const MOST_LISTED: usize = 2000;
/// The most files that are kept; the one that was opened first leaves first.
const MOST_FILES: usize = 4;
/// How many `/` the board of a position string has at least.
const RANK_ENDS: usize = 3;

/// A game of a file, as it is listed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listed {
    /// Its number in the file, from 0.
    pub(crate) index: usize,
    pub(crate) variant: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: String,
    pub(crate) turns: usize,
    /// Event and date, where they are known; the position string of a position.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) event: String,
}

/// What is shown of a file: the first games that fit a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listing {
    pub(crate) id: String,
    /// The games in it.
    pub(crate) total: usize,
    /// Those that fit the search.
    pub(crate) found: usize,
    pub(crate) games: Vec<Listed>,
}

/// What a file holds.
#[derive(Debug)]
enum Format {
    Pgn,
    /// Records of matches are read where matches are played.
    #[cfg(feature = "server")]
    Record(Box<Header>),
    Positions,
}

/// Where each game of a file is, and what is listed of it.
type Games = Vec<(Range<usize>, Listed)>;

/// Adds a game to the list of a file.
///
/// # Errors
/// A sentence: there are too many.
fn add(games: &mut Games, bytes: Range<usize>, listed: Listed) -> Result<(), String> {
    if games.len() >= MOST_GAMES {
        return Err("a file may have up to 500,000 games".to_owned());
    }
    games.push((bytes, listed));
    Ok(())
}

/// A file of games.
#[derive(Debug)]
pub(crate) struct GameFile {
    text: String,
    format: Format,
    /// The game that is meant where the file does not say so.
    variant: String,
    games: Games,
}

impl GameFile {
    /// Reads a file as it is on the disk: packed by gzip or not, in any encoding that PGN comes in.
    ///
    /// # Errors
    /// A sentence: it is too long, or damaged, or there is no game in it.
    pub(crate) fn unpack(bytes: Vec<u8>, variant: &str) -> Result<Self, String> {
        let bytes = pgn::unpack_at_most(bytes, LONGEST_FILE).map_err(|why| why.to_string())?;
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|other| pgn::decode(other.as_bytes()).into_owned());
        Self::read(text, variant)
    }

    /// Reads the text of a file, whatever its format; `variant` is the game where the file does not name one.
    ///
    /// # Errors
    /// A sentence: what cannot be read, or that there is no game in it.
    pub(crate) fn read(text: String, variant: &str) -> Result<Self, String> {
        let mut file = Self {
            text,
            format: Format::Pgn,
            variant: variant.to_owned(),
            games: Vec::new(),
        };
        if pgn::is_record(&file.text) {
            file.list_record()?;
        } else if let Some(lines) = position_lines(&file.text) {
            file.format = Format::Positions;
            file.list_positions(lines)?;
        } else {
            file.list_pgn()?;
        }
        match &file.games[..] {
            [] => Err("there is no game in it".to_owned()),
            // Among several games one that is not played here is refused when it is chosen.
            [(_, only)] => names::variant(&only.variant)
                .map(|_| file)
                .map_err(|why| why.to_string()),
            _ => Ok(file),
        }
    }

    fn list_pgn(&mut self) -> Result<(), String> {
        // One file has games of one kind: the first one that does not name it shows which.
        let mut is_decided = false;
        for (bytes, game) in pgn::games(&self.text) {
            if !is_decided && game.tag("Variant").is_none() && !game.line.turns.is_empty() {
                self.variant = variant_of_turns(&game, &self.variant);
                is_decided = true;
            }
            let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
            let known = ["Event", "Date"].iter().filter_map(|name| game.tag(name));
            let known: Vec<&str> = known.filter(|text| !text.contains('?')).collect();
            let listed = Listed {
                index: self.games.len(),
                variant: variant_of(&game, &self.variant),
                white: tag("White"),
                black: tag("Black"),
                result: game.result_text().to_owned(),
                turns: game.line.turns.len(),
                event: known.join(", "),
            };
            add(&mut self.games, bytes, listed)?;
        }
        Ok(())
    }

    #[cfg(not(feature = "server"))]
    #[expect(clippy::unused_self, reason = "the same where records are read")]
    fn list_record(&mut self) -> Result<(), String> {
        Err("records of matches are read by the program `fauve`, not here; PGN is".to_owned())
    }

    #[cfg(feature = "server")]
    fn list_record(&mut self) -> Result<(), String> {
        let said = |error: LinesError| match error {
            LinesError::Text(error) => error.to_string(),
            LinesError::System(error) => error.to_string(),
        };
        let begin = self.text.len() - self.text.trim_start().len();
        let mut lines = Lines::of(&self.text.as_bytes()[begin..]).map_err(said)?;
        let header = lines.header().clone();
        let variant = names::variant(&header.variant).map_err(|why| why.to_string())?;
        header.rule_settings().map_err(|why| why.to_string())?;
        while let Some(game) = lines.next_game().map_err(said)? {
            let bytes = begin + lines.begin() as usize..begin + lines.good() as usize;
            let listed = Listed {
                index: self.games.len(),
                variant: variant.name().to_owned(),
                white: printable(&game.white),
                black: printable(&game.black),
                result: game.result.text().to_owned(),
                turns: game.turns.len(),
                event: String::new(),
            };
            add(&mut self.games, bytes, listed)?;
        }
        self.format = Format::Record(Box::new(header));
        Ok(())
    }

    fn list_positions(&mut self, lines: Vec<Range<usize>>) -> Result<(), String> {
        for bytes in lines {
            let fen = position(&self.text[bytes.clone()]);
            let listed = Listed {
                index: self.games.len(),
                variant: variant_of_position(fen, &self.variant),
                white: "?".to_owned(),
                black: "?".to_owned(),
                result: "*".to_owned(),
                turns: 0,
                event: printable(fen),
            };
            add(&mut self.games, bytes, listed)?;
        }
        Ok(())
    }

    /// How many games it has.
    #[cfg(any(test, feature = "server"))]
    pub(crate) fn len(&self) -> usize {
        self.games.len()
    }

    /// A game by its number.
    ///
    /// # Errors
    /// A sentence: there is no such game, or it is not played here.
    pub(crate) fn game(&self, index: usize) -> Result<NewGame, String> {
        let (bytes, listed) = self.games.get(index).ok_or("there is no such game in it")?;
        let text = &self.text[bytes.clone()];
        match &self.format {
            Format::Pgn => {
                let game = pgn::parse(text).into_iter().next();
                let game = game.ok_or("there is no such game in it")?;
                Ok(of_pgn(game, &self.variant))
            }
            #[cfg(feature = "server")]
            Format::Record(header) => {
                let whole = format!("{}{text}", header_line(header));
                let record = parse_record(whole.as_bytes()).map_err(|why| why.to_string())?;
                let game = record.record.games.first();
                let game = game.ok_or("there is no such game in it")?;
                of_record(header, game).map_err(|why| why.to_string())
            }
            Format::Positions => Ok(NewGame {
                variant: listed.variant.clone(),
                fen: Some(position(text).to_owned()),
                ..NewGame::default()
            }),
        }
    }

    /// The games that fit a search: each of its words stands in the names, the event, the result or the game.
    fn listing(&self, id: &str, search: &str) -> Listing {
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let fits = |one: &&(Range<usize>, Listed)| {
            let (_, game) = one;
            words.is_empty() || {
                let all = [
                    &game.white,
                    &game.black,
                    &game.event,
                    &game.result,
                    &game.variant,
                ];
                let all = all.map(|text| text.to_lowercase());
                words
                    .iter()
                    .all(|word| all.iter().any(|text| text.contains(word)))
            }
        };
        let mut found = self.games.iter().filter(fits);
        let games: Vec<Listed> = found
            .by_ref()
            .take(MOST_LISTED)
            .map(|(_, game)| game.clone())
            .collect();
        Listing {
            id: id.to_owned(),
            total: self.games.len(),
            found: games.len() + found.count(),
            games,
        }
    }
}

/// The lines of a text all of whose lines are position strings, such as one that was copied from elsewhere.
fn position_lines(text: &str) -> Option<Vec<Range<usize>>> {
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let board = position(line).split_whitespace().next()?;
        if board.matches('/').count() < RANK_ENDS {
            return None;
        }
        let begin = line.as_ptr() as usize - text.as_ptr() as usize;
        lines.push(begin..begin + line.len());
    }
    (!lines.is_empty()).then_some(lines)
}

/// The position string of a line, without the words that engines are given before it.
fn position(line: &str) -> &str {
    let line = line.trim_start_matches('\u{feff}').trim();
    let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
    line.strip_prefix("fen ").unwrap_or(line).trim()
}

/// The game that a position string is of: the one that is looked at, if it can be; else chess, or where the board has what chess
/// does not have, a pool or cubes, the first game that has such positions.
fn variant_of_position(fen: &str, wanted: &str) -> String {
    let reads = |variant: Variant| crate::play::begin(variant, Some(fen), &[], DiceSeed(0)).is_ok();
    let first = names::variant(wanted).ok();
    let board = fen.split_whitespace().next().unwrap_or_default();
    let others = if board.contains(['[', ':']) {
        Variant::ALL
    } else {
        &[Variant::Chess]
    };
    let mut variants = first.into_iter().chain(others.iter().copied());
    let read = variants.find(|&variant| reads(variant)).or(first);
    read.map_or_else(|| wanted.to_owned(), |variant| variant.name().to_owned())
}

/// The game that a PGN is of which does not name it: the one that is looked at, unless chess reads more of its turns.
fn variant_of_turns(game: &PgnGame, wanted: &str) -> String {
    let read = |variant: Variant| {
        let opened = crate::play::open(variant, game, false, DiceSeed(0));
        opened.map_or(0, |(game, _)| game.turns().len())
    };
    let known = match names::variant(wanted) {
        Ok(Variant::Chess) | Err(_) => return wanted.to_owned(),
        Ok(variant) => read(variant),
    };
    if known < game.line.turns.len() && known < read(Variant::Chess) {
        Variant::Chess.name().to_owned()
    } else {
        wanted.to_owned()
    }
}

/// The files that pages have opened, and the one that the program was started with.
#[derive(Debug, Default)]
pub(crate) struct Files {
    first: Option<Arc<GameFile>>,
    opened: Mutex<VecDeque<(String, Arc<GameFile>)>>,
}

/// The name of the file that the program was started with.
const FIRST: &str = "first";

impl Files {
    /// With the file that the program was started with.
    pub(crate) fn new(first: Option<GameFile>) -> Self {
        Self {
            first: first.map(Arc::new),
            opened: Mutex::default(),
        }
    }

    /// What is shown of the file that the program was started with.
    pub(crate) fn first(&self) -> Option<Listing> {
        self.first.as_ref().map(|file| file.listing(FIRST, ""))
    }

    /// Keeps a file, and lists it.
    pub(crate) fn add(&self, file: GameFile) -> Listing {
        let id = random::id();
        let file = Arc::new(file);
        let mut opened = locked(&self.opened);
        if opened.len() == MOST_FILES {
            opened.pop_front();
        }
        opened.push_back((id.clone(), Arc::clone(&file)));
        drop(opened);
        file.listing(&id, "")
    }

    /// A file by its name.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<GameFile>> {
        if id == FIRST {
            return self.first.clone();
        }
        let opened = locked(&self.opened);
        let found = opened.iter().find(|(name, _)| name == id);
        found.map(|(_, file)| Arc::clone(file))
    }

    /// The games of a file that fit a search.
    pub(crate) fn list(&self, id: &str, search: &str) -> Option<Listing> {
        Some(self.get(id)?.listing(id, search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> GameFile {
        GameFile::read(text.to_owned(), "chess").expect("games")
    }

    #[test]
    fn a_position_string_is_a_position_of_the_game_that_has_it() {
        let fens = [
            ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            (
                "superchess",
                "rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1",
            ),
            (
                "cubes4d",
                "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
            ),
        ];
        for (variant, fen) in fens {
            for text in [fen.to_owned(), format!("  position fen {fen}\r\n\n")] {
                let file = read(&text);
                let game = file.game(0).expect("a position");
                assert_eq!(
                    (game.variant.as_str(), game.fen.as_deref()),
                    (variant, Some(fen))
                );
            }
        }
        let all = fens.map(|(_, fen)| fen).join("\n");
        assert_eq!(read(&all).len(), 3);
        // A position that no game has is refused with the words of the game that is looked at.
        let wrong = read("4k3/8/8/8/8/8/4P3/8 w - - 0 1")
            .game(0)
            .expect("a string");
        assert_eq!(wrong.variant, "chess");
        // A comment in a game is none.
        assert_eq!(read("1. e4 {a/b/c/d/e/f/g/h w} e5").games[0].1.turns, 2);
    }

    #[test]
    fn games_that_do_not_name_their_kind_are_chess_where_the_wanted_game_cannot_read_them() {
        let listed = |text: &str, wanted: &str| {
            let file = GameFile::read(text.to_owned(), wanted).expect("games");
            let of = |index| {
                let game = file.game(index).expect("a game").variant;
                assert_eq!(game, file.games[index].1.variant);
                game
            };
            (0..file.len()).map(of).collect::<Vec<_>>().join(" ")
        };
        let chess = "1. e4 e5 2. Nf3 Nc6 *\n\n";
        for &variant in Variant::ALL {
            assert_eq!(listed(chess, variant.name()), "chess", "{variant}");
            let empty = "[Event \"x\"]\n\n*\n";
            assert_eq!(listed(empty, variant.name()), variant.name(), "{variant}");
        }
        let dice = "1. d4,Nf3,Kd2 {PNK} *\n\n";
        assert_eq!(listed(dice, "dicechess"), "dicechess");
        assert_eq!(listed("1. e4 e5,Nc6 *", "twomove"), "twomove");
        // An illegal turn alone does not make it chess, and the tag counts.
        assert_eq!(
            listed("1. d4,Nf3,Kd2 {PNK} d4 {PNK} *", "dicechess"),
            "dicechess"
        );
        let named = format!("[Variant \"twomove\"]\n\n1. e4 e5,Nc6 *\n\n{chess}");
        assert_eq!(listed(&named, "twomove"), "twomove chess");
    }

    #[test]
    fn a_comment_before_the_first_turn_is_no_record() {
        let file = read("{\"A brilliant game\"} 1. e4 e5 2. Nf3 *\n");
        assert_eq!((file.len(), file.games[0].1.turns), (1, 3));
    }

    #[test]
    fn many_games_are_counted_searched_and_opened_one_by_one() {
        let mut text = String::new();
        for number in 0..2345 {
            let name = if number % 100 == 7 {
                "M\u{fc}ller, Karl"
            } else {
                "Smith"
            };
            text += &format!(
                "[Event \"Cup\"]\n[White \"{name}\"]\n[Black \"B{number}\"]\n\n1. e4 e5 1-0\n\n"
            );
        }
        let files = Files::new(None);
        let all = files.add(read(&text));
        assert_eq!((all.total, all.found, all.games.len()), (2345, 2345, 2000));
        let found = files.list(&all.id, "m\u{dc}LLER cup").expect("the file");
        assert_eq!((found.total, found.found), (2345, 24));
        let last = found.games.last().expect("one").index;
        let file = files.get(&all.id).expect("the file");
        let game = file.game(last).expect("a game").names.expect("names");
        assert_eq!(game, ["M\u{fc}ller, Karl", "B2307"]);
        assert!(file.game(2345).is_err());
        for _ in 0..MOST_FILES {
            files.add(read("1. e4 *"));
        }
        assert!(files.get(&all.id).is_none(), "old files leave");
    }
}
