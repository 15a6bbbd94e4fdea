//! Position strings: FEN with joined e.p. targets, a seventh field for the dice, and a seed.

use super::{DiceChess, Options, Pool};
use crate::core::{Bitboard, Color, Kind};
use crate::rules::placement::{
    board_fen, check_pieces, en_passant_fault, read_board, read_castling, read_clock, read_side,
    read_targets, read_turn_number, targets_fen, unknown_word, unreadable, words,
};
use crate::rules::{Board, DiceSeed, FenError, Field, Parsed, Problem, Rules};

/// The words of a position string by their meaning.
#[derive(Default)]
struct Words<'t> {
    /// Castling, targets, clock, turn number, in this order as far as they are there.
    fields: Vec<&'t str>,
    dice: Option<&'t str>,
    seed: Option<DiceSeed>,
}

/// Whether a word consists of dice letters (and an exclamation mark).
fn is_dice(word: &str) -> bool {
    let letters = word.strip_suffix('!').unwrap_or(word);
    !letters.is_empty() && letters.chars().all(|c| "PNBRQKpnbrqk".contains(c))
}

/// Whether a word can be castling rights: some of `KQkq`, each once.
fn is_castling(word: &str) -> bool {
    word.chars()
        .enumerate()
        .all(|(i, c)| "KQkq".contains(c) && !word[..i].contains(c))
}

impl<'t> Words<'t> {
    /// Dice and seed may stand anywhere after the side to move; the other fields are known by their place.
    fn sort(list: &[&'t str]) -> Result<Self, FenError> {
        let mut words = Self::default();
        for &word in list {
            if let Some(hex) = word.strip_prefix("seed:") {
                let seed = hex.parse().map_err(|_| unreadable(Field::Seed, word))?;
                if words.seed.replace(seed).is_some() {
                    return Err(FenError::new(Field::Seed, unknown_word(word)));
                }
            } else if is_dice(word) && !(words.fields.is_empty() && is_castling(word)) {
                if words.dice.replace(word).is_some() {
                    return Err(FenError::new(Field::Dice, unknown_word(word)));
                }
            } else if words.fields.len() < 4 {
                words.fields.push(word);
            } else if word == "-" && words.dice.is_none() {
                words.dice = Some(word);
            } else {
                return Err(FenError::new(Field::Position, unknown_word(word)));
            }
        }
        Ok(words)
    }
}

/// The pool of a dice word and whether it ends in `!`.
fn read_dice(word: Option<&str>) -> Result<(Pool, bool), FenError> {
    let Some(word) = word.filter(|&word| word != "-") else {
        return Ok((Pool::UNROLLED, false));
    };
    let letters = word.trim_end_matches('!');
    if letters.len() > 3 {
        let problem = Problem::Contradiction("more than three dice");
        return Err(FenError::new(Field::Dice, problem));
    }
    let faces: Vec<u8> = letters
        .chars()
        .filter_map(Kind::from_letter)
        .map(|kind| kind.index() as u8 + 1)
        .collect();
    let pool = Pool::of_faces(&faces).ok_or_else(|| unreadable(Field::Dice, word))?;
    Ok((pool, word.len() > letters.len()))
}

/// At most one king a side, and at least one on the board.
fn check_kings(board: &Board<6>) -> Result<(), FenError> {
    let kings = Color::ALL.map(|color| board.pieces(color, Kind::King).len());
    for color in Color::ALL {
        let count = kings[color.index()];
        if count > 1 || kings == [0, 0] {
            return Err(FenError::new(Field::Board, Problem::Kings(color, count)));
        }
    }
    Ok(())
}

pub(super) fn parse(fen: &str, options: Options) -> Result<Parsed<DiceChess>, FenError> {
    let list = words(fen)?;
    let (board, _) = read_board::<6>(list.first().copied())?;
    check_pieces(&board)?;
    check_kings(&board)?;
    let side = read_side(list.get(1).copied())?;
    let words = Words::sort(list.get(2..).unwrap_or_default())?;
    let field = |i: usize| words.fields.get(i).copied();
    let mut warnings = Vec::new();
    let castling = read_castling(field(0), &board, &mut warnings)?;
    let asked = read_targets(field(1), 16)?;
    let clock = read_clock(field(2), &mut warnings)?;
    let turn_number = read_turn_number(field(3), &mut warnings)?;
    let (mut pool, must_capture) = read_dice(words.dice)?;

    let mut targets = Bitboard::EMPTY;
    for target in asked {
        let taker = match target.rank() {
            2 => Color::Black,
            _ => Color::White,
        };
        let fault = if taker != side && !matches!(pool.len(), 1 | 2) {
            Some("it is on the mover's own side, and no turn has begun")
        } else {
            en_passant_fault(&board, taker, target)
        };
        match fault {
            Some(fault) => warnings.push(format!("en passant target {target} dropped: {fault}")),
            None => targets |= Bitboard::of(target),
        }
    }

    let mut position = DiceChess::from_parts(board, side, castling, targets, options);
    position.clock = clock;
    position.turn_number = turn_number;
    if position.winner().is_some() && pool != Pool::UNROLLED {
        warnings.push("dice dropped: the game is over".to_owned());
        pool = Pool::UNROLLED;
    } else if must_capture {
        if !position.has_king_line(pool) {
            let problem = Problem::Contradiction("'!' without a line that takes the king");
            return Err(FenError::new(Field::Dice, problem));
        }
        if pool.len() == 3 {
            warnings.push("'!' dropped: the turn has not begun".to_owned());
        } else {
            position.must_capture = true;
        }
    }
    position.pool = pool;
    Ok(Parsed {
        position,
        warnings,
        seed: words.seed,
    })
}

/// Returns the remaining dice, in the letters of their side, with `!` after them if they must capture the king.
pub(super) fn dice(position: &DiceChess) -> String {
    let mut dice = position.pool.to_string();
    if position.side == Color::Black {
        dice.make_ascii_lowercase();
    }
    if position.must_capture {
        dice.push('!');
    }
    dice
}

pub(super) fn write(position: &DiceChess) -> String {
    format!(
        "{} {} {} {} {} {} {}",
        board_fen(&position.board, Bitboard::EMPTY),
        position.side.letter(),
        position.castling,
        targets_fen(position.targets),
        position.clock,
        position.turn_number,
        dice(position),
    )
}
