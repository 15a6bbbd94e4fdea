//! Endgames of two-move chess: the distance to mate of every position with a king and a piece against a king, and with a king and a piece each.
//!
//! The tables are part of the program (feature `twomove-tables`), or are given to it ([`give`]); the developers' program `twomove_endgames` makes them anew ([`make`]), so
//! that what packs them is no part of `fauve`. The file has the length of each section, 4 bytes with the lowest first, then the sections: a checksum of 8 bytes, and a Brotli stream (RFC 7932). The first is for three pieces, the
//! others are classes of four, those of a pawn against a piece one for each rank of the pawn. King and bishop against king is never won; where a pawn can be taken
//! in passing the search has to look a turn ahead.

mod four;
mod pawn;
mod pawns;
mod solve;
mod steps;
mod three;

pub use solve::Counts;

use crate::core::zobrist::splitmix;
use crate::core::{Kind, map_in_parallel};
use crate::eval::EndgameResult;
use crate::rules::CastlingRights;
use crate::rules::twomove::TwoMove;
use brotli::enc::BrotliEncoderParams;
use brotli::{BrotliCompress, Decompressor};
use std::array::from_fn;
use std::fmt;
use std::io::Read;
use std::sync::OnceLock;

/// The file, where it is part of the program.
const EMBEDDED: Option<&[u8]> = {
    #[cfg(feature = "twomove-tables")]
    {
        Some(include_bytes!("../../../../endgames/twomove.tables"))
    }
    #[cfg(not(feature = "twomove-tables"))]
    None
};
/// The file, where it was given.
static GIVEN: OnceLock<Vec<u8>> = OnceLock::new();
/// That of three pieces, one for each class of two pieces, one for each rank of the pawn in each class of a pawn and a piece, and that of two pawns.
const SECTIONS: usize = PAWNS + 1;
const FIRST_PAWN: usize = 1 + four::CLASSES;
const PAWNS: usize = FIRST_PAWN + pawn::CLASSES * pawn::RANKS;
/// Brotli's best: a section takes seconds to pack, and no longer to unpack than by zlib, in half the bytes.
const QUALITY: i32 = 11;
/// The bytes of a section's checksum.
const CHECKSUM: usize = 8;

/// The tables by section, unpacked when first probed.
static TABLES: [OnceLock<Vec<u8>>; SECTIONS] = [const { OnceLock::new() }; SECTIONS];

/// The length of a section's tables.
const fn len(section: usize) -> usize {
    match section {
        0 => three::TOTAL,
        1..FIRST_PAWN => four::len(section - 1),
        FIRST_PAWN..PAWNS => pawn::LEN,
        _ => pawns::LEN,
    }
}

/// Where the tables have a position.
#[derive(Clone, Copy)]
struct Place {
    section: usize,
    index: usize,
}

/// The place of a position with three or four pieces between two turns.
#[inline]
fn place_of(position: &TwoMove) -> Option<Place> {
    let place = |section, index| Place { section, index };
    if position.board().occupied().len() == 3 {
        return three::index_of(position).map(|index| place(0, index));
    }
    let pairs = four::pairs_of(position)?;
    let pawns = pairs.iter().filter(|(_, kind)| *kind == Kind::Pawn);
    Some(match pawns.count() {
        0 => {
            let (class, index) = four::place_of(position, pairs)?;
            place(1 + class, index)
        }
        1 => {
            let (number, index) = pawn::place_of(position, pairs)?;
            place(FIRST_PAWN + number, index)
        }
        _ => place(
            PAWNS,
            pawns::place_of(position, pairs.map(|(pair, _)| pair))?,
        ),
    })
}

/// The sections of a file.
fn sections(file: &[u8]) -> Option<Vec<&[u8]>> {
    let (lengths, mut rest) = file.split_at_checked(4 * SECTIONS)?;
    let mut sections = Vec::with_capacity(SECTIONS);
    for length in lengths.chunks_exact(4) {
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let (one, others) = rest.split_at_checked(length)?;
        sections.push(one);
        rest = others;
    }
    rest.is_empty().then_some(sections)
}

/// The section of some tables.
fn pack(tables: &[u8]) -> Vec<u8> {
    let parameters = BrotliEncoderParams {
        quality: QUALITY,
        size_hint: tables.len(),
        ..BrotliEncoderParams::default()
    };
    let mut stream = Vec::new();
    BrotliCompress(&mut &*tables, &mut stream, &parameters)
        .expect("memory can be read and written");
    let mut section = checksum(&stream).to_vec();
    section.extend(stream);
    section
}

/// The tables of a section, unpacked; `None` where they are not whole.
fn unpack(packed: &[u8], section: usize) -> Option<Vec<u8>> {
    let (sum, stream) = packed.split_at_checked(CHECKSUM)?;
    if sum != checksum(stream) {
        return None;
    }
    let mut tables = Vec::with_capacity(len(section));
    let most = len(section) as u64 + 1;
    let mut input = Decompressor::new(stream, stream.len().max(1)).take(most);
    input.read_to_end(&mut tables).ok()?;
    (tables.len() == len(section)).then_some(tables)
}

/// A sum that other bytes have with a chance of 2⁻⁶⁴.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    let sum = words.fold(bytes.len() as u64, |sum, word| splitmix(sum ^ word, 1));
    sum.to_le_bytes()
}

/// The tables of a section; `None` where there is no file.
#[inline]
fn tables(section: usize) -> Option<&'static [u8]> {
    match TABLES[section].get() {
        Some(tables) => Some(tables),
        None => read(section),
    }
}

#[cold]
fn read(section: usize) -> Option<&'static [u8]> {
    let file = EMBEDDED.or_else(|| GIVEN.get().map(Vec::as_slice))?;
    let tables = TABLES[section].get_or_init(|| {
        sections(file)
            .and_then(|sections| unpack(sections[section], section))
            .expect("the tables were looked through when they were made or given")
    });
    Some(tables)
}

/// Why tables are not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GiveError {
    /// There are tables already.
    Twice,
    /// They are not whole, or not tables of two-move chess.
    Damaged,
}

impl fmt::Display for GiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Twice => "there are endgame tables of two-move chess already",
            Self::Damaged => {
                "these are not endgame tables of two-move chess, or they are incomplete"
            }
        })
    }
}

impl std::error::Error for GiveError {}

/// Whether there are tables, embedded or given.
pub fn are_there() -> bool {
    EMBEDDED.is_some() || GIVEN.get().is_some()
}

/// Gives the file of the tables to a program that it is not part of. Until then no position is known. All of it is looked through, which
/// takes some tenths of a second.
///
/// # Errors
/// When there are tables already, or these are not whole; nothing changes then.
pub fn give(file: Vec<u8>) -> Result<(), GiveError> {
    if are_there() {
        return Err(GiveError::Twice);
    }
    if !is_whole(&file) {
        return Err(GiveError::Damaged);
    }
    GIVEN.set(file).map_err(|_| GiveError::Twice)
}

fn is_whole(file: &[u8]) -> bool {
    sections(file).is_some_and(|sections| {
        let mut numbered = sections.iter().enumerate();
        numbered.all(|(section, packed)| unpack(packed, section).is_some())
    })
}

/// What is known of a position between two turns with a king and a piece against a king, or a king and a piece each, without castling rights and
/// where no pawn can be taken in passing; the counter of quiet turns is not looked at. Nothing of king and bishop against king, where nobody
/// can win.
#[inline]
pub fn probe_endgame(position: &TwoMove) -> Option<EndgameResult> {
    let pieces = position.board().occupied().len();
    if !matches!(pieces, 3 | 4)
        || position.moves_left() != 2
        || position.castling() != CastlingRights::default()
    {
        return None;
    }
    let Place { section, index } = place_of(position)?;
    // Mates end with a turn of the winner.
    Some(match tables(section)?[index] {
        0 => EndgameResult::Draw,
        turns if turns % 2 == 0 => EndgameResult::Win(u32::from(turns) - 1),
        turns => EndgameResult::Loss(u32::from(turns) - 1),
    })
}

/// What is reported while tables are made.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The letters of White's piece and of Black's.
    pub pieces: [char; 2],
    /// The positions with White to move, and with Black.
    pub counts: [Counts; 2],
}

/// Makes the file of the tables anew.
pub fn make(report: &mut impl FnMut(Progress)) -> Vec<u8> {
    let mut sections = vec![three::solve_all()];
    for class in 0..four::CLASSES {
        let three = &sections[0];
        let ([mut both, black], counts) = solve::solve(&four::Class {
            number: class,
            three,
        });
        both.extend(black);
        both.truncate(four::len(class));
        let pieces = four::kinds(class).map(Kind::letter);
        report(Progress { pieces, counts });
        sections.push(both);
    }
    for class in 0..pawn::CLASSES {
        let mut counts = [Counts::default(); 2];
        for number in 0..pawn::RANKS {
            let (both, counted) = pawn::solve(class, number, &sections);
            counts = from_fn(|side| counts[side].and(counted[side]));
            sections.push(both);
        }
        let pieces = pawn::kinds(class).map(Kind::letter);
        report(Progress { pieces, counts });
    }
    let (table, counts) = pawns::solve(&sections);
    let pieces = [Kind::Pawn.letter(); 2];
    report(Progress { pieces, counts });
    sections.push(table);
    let packed = map_in_parallel(&sections, || (), |(), section| pack(section));
    let mut file = Vec::new();
    for section in &packed {
        file.extend((section.len() as u32).to_le_bytes());
    }
    file.extend(packed.into_iter().flatten());
    file
}

#[cfg(all(test, feature = "twomove-tables"))]
mod tests {
    use super::*;
    use crate::core::{Color, Square};
    use crate::rules::{Notation, Rules, for_each_turn};

    fn random_position(pieces: &[(Color, Kind)], seed: u64) -> Option<TwoMove> {
        let mut letters = Vec::new();
        for (n, &(color, kind)) in pieces.iter().enumerate() {
            let square = Square::from_index((splitmix(seed, n as u64) >> 20 & 63) as u8);
            let pawn_ends = kind == Kind::Pawn && matches!(square.rank(), 0 | 7);
            if pawn_ends || letters.iter().any(|&(_, other)| other == square) {
                return None;
            }
            letters.push((color.fen_char(kind.letter()) as u8, square));
        }
        three::position(&letters, splitmix(seed, 9) >> 40 & 1 == 0)
    }

    /// What is known of a position must follow from what is known after its turns, as the rules make them.
    fn check(position: &TwoMove, seen: &mut [u32; 3]) {
        let known = super::probe_endgame(position).expect("three pieces or four");
        assert_eq!(known, follows(position), "{}", position.fen());
        seen[match known {
            EndgameResult::Draw => 0,
            EndgameResult::Win(_) => 1,
            EndgameResult::Loss(_) => 2,
        }] += 1;
    }

    /// What follows from what is known after the turns.
    fn follows(position: &TwoMove) -> EndgameResult {
        let mut best = None;
        for_each_turn(position, &mut |_, after| {
            // For the side to move: 0 a loss, the sooner the worse, then draws, then wins.
            let in_passing = after.en_passant_targets().any();
            let known = super::probe_endgame(after);
            assert!(!in_passing || known.is_none(), "{}", after.fen());
            let rank = match known.or_else(|| in_passing.then(|| follows(after))) {
                Some(EndgameResult::Loss(turns)) => (2, -i64::from(turns) - 1),
                Some(EndgameResult::Win(turns)) => (0, i64::from(turns) + 1),
                Some(EndgameResult::Draw) => (1, 0),
                None => {
                    let bishop = after.board().kind(Kind::Bishop).any();
                    let pieces = after.board().occupied().len();
                    assert!(pieces == 2 || pieces == 3 && bishop, "{}", after.fen());
                    (1, 0)
                }
            };
            best = best.max(Some(rank));
        });
        match best {
            None if position.lost_without_turn() => EndgameResult::Loss(0),
            None | Some((1, _)) => EndgameResult::Draw,
            Some((0, turns)) => EndgameResult::Loss(turns as u32),
            Some((_, turns)) => EndgameResult::Win(-turns as u32),
        }
    }

    const KINGS: [(Color, Kind); 2] = [(Color::White, Kind::King), (Color::Black, Kind::King)];

    #[test]
    fn three_pieces_follow_from_what_is_after_their_turns() {
        let mut seen = [0; 3];
        for seed in 0..40_000 {
            let kind = [Kind::Knight, Kind::Rook, Kind::Queen, Kind::Pawn][seed as usize % 4];
            let owner = Color::ALL[seed as usize / 4 % 2];
            let pieces = [KINGS[0], KINGS[1], (owner, kind)];
            if let Some(position) = random_position(&pieces, seed) {
                check(&position, &mut seen);
            }
        }
        assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
    }

    fn check_four(seeds: u64) {
        let mut totals = [0; 3];
        let with_pawn = (0..pawn::CLASSES).map(pawn::kinds);
        let pieces = (0..four::CLASSES).map(four::kinds);
        for [first, second] in pieces.chain(with_pawn).chain([[Kind::Pawn; 2]]) {
            let mut seen = [0; 3];
            for seed in 0..seeds {
                let owner = Color::ALL[seed as usize % 2];
                let pieces = [KINGS[0], KINGS[1], (owner, first), (!owner, second)];
                if let Some(position) = random_position(&pieces, seed) {
                    check(&position, &mut seen);
                }
            }
            println!("{first:?} {second:?}: {seen:?} drawn, won, lost");
            for (total, seen) in totals.iter_mut().zip(seen) {
                *total += seen;
            }
        }
        assert!(totals.iter().all(|&total| total > 500), "{totals:?}");
    }

    #[test]
    fn four_pieces_follow_from_what_is_after_their_turns() {
        check_four(2_000);
    }

    /// A pawn at home next to the other on its fourth rank: nearly every position has turns after which it can be taken in passing.
    #[test]
    fn captures_in_passing_are_reckoned_with() {
        let (mut seen, mut in_passing, mut decisive) = ([0; 3], 0, 0);
        for seed in 0..3_000 {
            let file = (splitmix(seed, 5) >> 20 & 7) as u8;
            let other = if splitmix(seed, 6) >> 20 & 1 == 0 {
                file.wrapping_sub(1)
            } else {
                file + 1
            };
            let king = |n| Square::from_index((splitmix(seed, n) >> 20 & 63) as u8);
            if other > 7 {
                continue;
            }
            let pieces = [
                (b'K', king(0)),
                (b'P', Square::new(file, 1)),
                (b'k', king(1)),
                (b'p', Square::new(other, 3)),
            ];
            let apart = (1..4).all(|n| pieces[..n].iter().all(|piece| piece.1 != pieces[n].1));
            let Some(position) = three::position(&pieces, true).filter(|_| apart) else {
                continue;
            };
            check(&position, &mut seen);
            for_each_turn(&position, &mut |_, after| {
                if after.en_passant_targets().any() {
                    in_passing += 1;
                    decisive += u32::from(follows(after) != EndgameResult::Draw);
                }
            });
        }
        assert!(
            in_passing > 2_000 && decisive > 500 && seen.iter().all(|&count| count > 15),
            "{in_passing}, {decisive}, {seen:?}"
        );
    }

    #[test]
    #[ignore = "400,000 positions: cargo test -- --ignored long_"]
    fn long_four_pieces_follow_from_what_is_after_their_turns() {
        check_four(100_000);
    }

    fn shipped() -> &'static [u8] {
        EMBEDDED.expect("tests are built with the tables")
    }

    #[test]
    fn only_whole_tables_are_taken() {
        assert_eq!(give(shipped().to_vec()), Err(GiveError::Twice));
        assert!(is_whole(shipped()));
        let mut damaged = shipped().to_vec();
        for place in [0, 4 * SECTIONS, damaged.len() / 2, damaged.len() - 1] {
            damaged[place] ^= 1;
            assert!(!is_whole(&damaged), "a bit at {place}");
            damaged[place] ^= 1;
        }
        for length in [0, 3, 4 * SECTIONS, damaged.len() / 2, damaged.len() - 1] {
            assert!(!is_whole(&damaged[..length]), "{length} bytes");
        }
        damaged.push(0);
        assert!(!is_whole(&damaged));
    }

    #[test]
    fn the_tables_of_three_pieces_are_those_that_are_made() {
        let made = pack(&three::solve_all());
        assert!(sections(shipped()).expect("sections")[0] == made);
    }

    #[test]
    #[ignore = "makes all tables: cargo test -- --ignored long_"]
    fn long_the_tables_are_those_that_are_made() {
        assert!(make(&mut |progress| println!("{progress:?}")) == shipped());
    }
}
