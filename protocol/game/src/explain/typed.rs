//! Explanations of typed turns that are illegal or cannot be read.

use super::flat::name;
use super::{Explain, explain};
use crate::read;
use fauve_engine::core::{Color, Kind};
use fauve_engine::rules::{Notation, Spot, legal_steps, printable};

/// What the sentences are made of, behind one face for all games: they are built once and not once for each game.
trait Asked {
    /// The side to move.
    fn mover(&self) -> Color;
    /// The squares of the board.
    fn spots(&self) -> Vec<Spot>;
    /// The legal steps as tokens.
    fn tokens(&self) -> Vec<String>;
    /// The legal steps with these tokens, as people read them.
    fn sans_of(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<String>;
    /// The legal steps, as people read them, that match a text if case is ignored.
    fn ignoring_case(&self, text: &str) -> Vec<String>;
    /// Why no legal step goes from one square to another.
    fn explain(&self, from: &str, to: &str) -> String;
}

impl<G: Explain> Asked for G {
    fn mover(&self) -> Color {
        self.side_to_move()
    }

    fn spots(&self) -> Vec<Spot> {
        self.diagram().rows.into_iter().flatten().collect()
    }

    fn tokens(&self) -> Vec<String> {
        tokens(self)
    }

    fn sans_of(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut steps = legal_steps(self).to_vec();
        steps.retain(|&step| wanted(&self.step_token(step)));
        steps.iter().map(|&step| self.step_san(step)).collect()
    }

    fn ignoring_case(&self, text: &str) -> Vec<String> {
        read::ignoring_case(self, text)
    }

    fn explain(&self, from: &str, to: &str) -> String {
        explain(self, from, to)
    }
}

/// The sentence against a text that [`read::typed`] does not read as a turn here.
pub fn refusal<G: Explain>(position: &G, text: &str) -> String {
    if legal_steps(position).is_empty() {
        return explain(position, "", "");
    }
    if let Some(ways) = read::castlings(position, text) {
        let names: Vec<String> = ways.iter().map(|&step| position.step_san(step)).collect();
        return match &names[..] {
            [] => "castling is not legal now".to_owned(),
            names => format!("which one? {}", names.join(" or ")),
        };
    }
    let joined = text.split_whitespace().collect::<Vec<_>>().join(",");
    let why = why_not(position, &joined);
    format!("'{}' is not legal: {why}", printable(text))
}

/// Explains why typed text is not a legal turn here; names the first step that is illegal or cannot be read.
pub fn why_not<G: Explain>(position: &G, text: &str) -> String {
    if ["pass", "skip", "0000"].contains(&text) {
        return if G::HAS_CHANCE {
            "a die that can be used must be used; a turn without a legal move passes automatically"
        } else {
            "passing is not allowed"
        }
        .to_owned();
    }
    if let Some(places) = counted(text) {
        let other = other_level(position, &places);
        let [(from, _), (to, _)] = places;
        return other.unwrap_or_else(|| why_not_step(position, &(from + &to), 0));
    }
    let mut position = *position;
    let mut rest = Some(text);
    let mut done = 0;
    while let Some(text) = rest {
        if done > 0 && !position.is_mid_turn() {
            return one_turn_at_a_time(done);
        }
        let (part, behind) = position.split_step(text);
        let Some(turn) = read::turn(&position, part) else {
            return why_not_step(&position, part, done);
        };
        turn.iter().for_each(|&step| position.play(step));
        rest = behind;
        done += turn.len();
    }
    "the turn could not be read".to_owned()
}

fn one_turn_at_a_time(steps: usize) -> String {
    if steps == 1 {
        "the turn ends after one move here, then the other side is to move".to_owned()
    } else {
        format!("the turn ends after {steps} moves, then the other side is to move")
    }
}

fn why_not_step(position: &dyn Asked, part: &str, done: usize) -> String {
    let prefix = match done {
        0 => String::new(),
        done => format!("move {}, {part}: ", done + 1),
    };
    let tokens = position.tokens();
    let meant = position.ignoring_case(part);
    if !meant.is_empty() {
        return format!(
            "{prefix}pieces are capital letters, files small ones; legal: {}",
            meant.join(" or ")
        );
    }
    let reason = if let Some((from, to)) = squares(part) {
        from_to(position, &tokens, from, to, promotion(part))
    } else if let Some((piece, to)) = drop(part) {
        why_not_swapped(&tokens, part).unwrap_or_else(|| position.explain(piece, to))
    } else if tokens.iter().any(|token| drop(token).is_some()) {
        // The prologue of Superchess.
        format!("{} Legal: {}.", position.explain("", part), some(&tokens))
    } else if let Some(reason) = by_name(position, &tokens, part) {
        reason
    } else {
        format!("no move has this notation; legal: {}.", some(&tokens))
    };
    prefix + &reason
}

/// Whether the next turn belongs to the prologue of a game.
pub fn is_prologue<G: Notation>(position: &G) -> bool {
    tokens(position)
        .iter()
        .any(|token| drop(token).is_some() || token == "left")
}

/// The legal steps as tokens.
fn tokens<G: Notation>(position: &G) -> Vec<String> {
    let steps = legal_steps(position);
    steps
        .iter()
        .map(|&step| position.step_token(step))
        .collect()
}

/// The piece and the square of a token such as `E@h1`.
fn drop(token: &str) -> Option<(&str, &str)> {
    let (piece, rest) = token.split_once('@')?;
    let is_piece = piece.len() == 1 && piece.bytes().all(|letter| letter.is_ascii_uppercase());
    is_piece.then(|| (piece, rest.split(',').next().unwrap_or(rest)))
}

/// The squares of a turn in the notation of Cubes 4D, `P(-2,0,1)-(-1,0,1)` or without levels, `P(-2,0)-(-1,0)`, each with its
/// level if there is one: files and ranks are counted from h8.
fn counted(part: &str) -> Option<[(String, Option<u8>); 2]> {
    let mut places = part.split('(').skip(1).map(|rest| {
        let mut numbers = rest.split_once(')')?.0.split(',').map(str::trim);
        let file = b'h'.checked_add_signed(numbers.next()?.parse().ok()?)?;
        let rank = 8_u8.checked_add_signed(numbers.next()?.parse().ok()?)?;
        let level = match numbers.next() {
            Some(level) => Some(level.parse().ok()?),
            None => None,
        };
        Some((format!("{}{rank}", char::from(file)), level))
    });
    Some([places.next()??, places.next()??])
}

/// Explains that a square does not have the level that was typed.
fn other_level(position: &dyn Asked, places: &[(String, Option<u8>)]) -> Option<String> {
    let spots = position.spots();
    places.iter().find_map(|(name, level)| {
        let spot = spots.iter().find(|spot| spot.name == *name)?;
        // What is no digit is a trench or the table.
        let own = spot.ground?.to_digit(10).unwrap_or(0);
        let level = u32::from((*level)?);
        (level != own).then(|| format!("The level of {name} is {own}, not {level}."))
    })
}

/// Explains an illegal move in SAN, such as `Nf6`, `exd5`, `O-O`, by the pieces of that kind on the board; `None` if the text is
/// no such move.
fn by_name(position: &dyn Asked, tokens: &[String], part: &str) -> Option<String> {
    let spots = position.spots();
    let us = position.mover();
    let own = |letter: char| {
        let is_such = move |spot: &&Spot| {
            let piece = spot.piece.filter(|&(color, _)| color == us);
            piece.is_some_and(|(_, piece)| piece.eq_ignore_ascii_case(&letter))
        };
        let squares = spots.iter().filter(is_such);
        squares.map(|spot| spot.name.as_str()).collect::<Vec<_>>()
    };
    let text = part.trim_end_matches(['+', '#', '!', '?']);
    let goal = match text.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" => Some("g"),
        "O-O-O" => Some("c"),
        _ => None,
    };
    if let Some(file) = goal {
        let king = own('K').into_iter().next()?;
        return Some(from_to(
            position,
            tokens,
            king,
            &format!("{file}{}", &king[1..]),
            None,
        ));
    }
    // Without the promotion piece.
    let text = text.split('=').next().unwrap_or(text);
    let text = text.trim_end_matches(|letter: char| letter.is_ascii_uppercase());
    let (way, to) = text.split_at(text.rfind(|letter: char| letter.is_ascii_lowercase())?);
    spots.iter().find(|spot| spot.name == to)?;
    // A small letter that is no file is meant as a piece.
    let is_file = |letter: char| spots.iter().any(|spot| spot.name.starts_with(letter));
    let letter = way
        .chars()
        .next()
        .filter(|&letter| letter.is_ascii_uppercase() || letter != 'x' && !is_file(letter))
        .map(|letter| letter.to_ascii_uppercase());
    let mut pieces = own(letter.unwrap_or('P'));
    if letter.is_none() {
        // A pawn move names the file of the pawn, or goes straight ahead.
        let file = way.chars().chain(to.chars()).next();
        pieces.retain(|from| from.chars().next() == file);
        // Of doubled pawns, the one in front.
        let front = if us == Color::White {
            pieces.first()
        } else {
            pieces.last()
        };
        pieces = front.into_iter().copied().collect();
    }
    let is_such = |token: &str| pieces.iter().any(|from| *token == format!("{from}{to}"));
    let which = position.sans_of(&is_such);
    if which.len() > 1 {
        return Some(format!("which one? {}", which.join(" or ")));
    }
    if pieces == [to] {
        return Some(format!("the piece is on {to} already."));
    }
    pieces.retain(|from| *from != to);
    match pieces[..] {
        [] if letter.is_none() => Some(format!("no pawn of {} can go to {to}.", us.name())),
        [] => Some(format!("{} has no {} on the board.", us.name(), letter?)),
        [from] => Some(from_to(position, tokens, from, to, promotion(part))),
        _ => {
            // A reason shared by several pieces appears once.
            let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
            for from in pieces {
                let reason = position.explain(from, to);
                match reasons.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, squares)) => squares.push(from),
                    None => reasons.push((reason, vec![from])),
                }
            }
            if let [(reason, _)] = &reasons[..] {
                return Some(reason.clone());
            }
            let texts = reasons
                .iter()
                .map(|(reason, squares)| format!("{}: {reason}", squares.join(" and ")));
            Some(texts.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The two squares that a token names, `e2e4` or `e8@f9`.
fn squares(token: &str) -> Option<(&str, &str)> {
    let begin = |text: &str| {
        let digits = text
            .get(1..)?
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let is_square = text.as_bytes()[0].is_ascii_lowercase() && digits > 0;
        is_square.then_some(1 + digits)
    };
    let (from, rest) = token.split_at(begin(token)?);
    let rest = rest.strip_prefix('@').unwrap_or(rest);
    let to = rest.get(..begin(rest)?)?;
    Some((from, to))
}

/// The letter of a new piece at the end of a move, `a7a8q` or `a8=Q`.
fn promotion(part: &str) -> Option<char> {
    let last = part.trim_end_matches(['+', '#', '!', '?', ')']).chars();
    last.last().filter(char::is_ascii_alphabetic)
}

/// Explains why the swap of a turn such as `S@d8,b8c8` is illegal; `None` if the turn is illegal without it, too.
fn why_not_swapped(tokens: &[String], part: &str) -> Option<String> {
    let (placement, _) = part.split_once(',')?;
    tokens.iter().find(|token| *token == placement)?;
    let swaps: Vec<String> = tokens
        .iter()
        .filter(|token| {
            token
                .split_once(',')
                .is_some_and(|(put, _)| put == placement)
        })
        .cloned()
        .collect();
    Some(if swaps.is_empty() {
        format!(
            "Superpieces change places in the last turn of the prologue only; legal: {placement}."
        )
    } else {
        format!(
            "Black may let two superpieces change places; legal: {}.",
            some(&swaps)
        )
    })
}

/// Explains an illegal move between two squares, and lists the legal moves of the piece; `letter` is the new piece that was typed
/// behind them.
fn from_to(
    position: &dyn Asked,
    tokens: &[String],
    from: &str,
    to: &str,
    letter: Option<char>,
) -> String {
    let way = format!("{from}{to}");
    let is_promotion = |token: &&String| {
        let letter = token.strip_prefix(&way);
        letter.is_some_and(|letter| letter.starts_with(|sign: char| sign.is_ascii_lowercase()))
    };
    let promoted: Vec<&str> = tokens
        .iter()
        .filter(is_promotion)
        .map(String::as_str)
        .collect();
    if !promoted.is_empty() {
        let promoted = promoted.join(", ");
        return match letter {
            None => format!("a promotion needs the letter of the new piece: {promoted}"),
            Some(letter) => {
                let kind = Kind::from_letter(letter);
                let piece =
                    kind.map_or_else(|| format!("'{letter}'"), |kind| name(kind).to_owned());
                format!("no promotion to {piece} here; legal: {promoted}")
            }
        };
    }
    if letter.is_some() && tokens.contains(&way) {
        let spots = position.spots();
        let taken = spots.iter().find(|spot| spot.name == to);
        let takes_king = taken
            .and_then(|spot| spot.piece)
            .is_some_and(|(_, piece)| piece.eq_ignore_ascii_case(&'K'));
        return if takes_king {
            format!("a pawn that takes the king does not promote; legal: {way}")
        } else {
            format!("no pawn promotes with this move; legal: {way}")
        };
    }
    let rule = position.explain(from, to);
    let goals: Vec<String> = tokens
        .iter()
        .filter(|token| squares(token).is_some_and(|(start, _)| start == from))
        .cloned()
        .collect();
    if goals.is_empty() {
        rule
    } else {
        format!("{rule} Legal from {from}: {}.", some(&goals))
    }
}

/// Lists the first few turns.
fn some(tokens: &[String]) -> String {
    const MOST: usize = 6;
    let more = if tokens.len() > MOST { " and more" } else { "" };
    let first: Vec<&str> = tokens.iter().take(MOST).map(String::as_str).collect();
    first.join(", ") + more
}
