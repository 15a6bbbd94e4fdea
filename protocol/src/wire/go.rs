//! Parameters of `go`, parsed without knowledge of the game: turns are still text.

use crate::wire::search_thread::Bounded;
use fauve_engine::core::Color;
use fauve_engine::search::Cube;
use std::time::Duration;

/// A parsed `go` command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// Root turns to search; empty: all.
    pub searchmoves: Vec<String>,
    /// Remaining time of White and Black.
    pub time: [Option<Duration>; 2],
    /// Increments of White and Black.
    pub increment: [Option<Duration>; 2],
    /// Turns of the side to move until the next time control.
    pub moves_to_go: Option<u32>,
    /// Depth limit in turns.
    pub depth: Option<u32>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Search for a mate in this number of turns of the side to move.
    pub mate: Option<u32>,
    /// Search time.
    pub movetime: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Depth of a perft, in turns, instead of a search.
    pub perft: Option<u32>,
    /// The roll, as text.
    pub dice: Option<String>,
    /// A question about the doubling cube, instead of a turn.
    pub doubling: Option<Doubling>,
    /// Parameters that could not be read.
    pub warnings: Vec<String>,
}

/// A question about the doubling cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubling {
    /// Whether a double was offered (take or pass?); otherwise the question is whether to offer one.
    pub is_offered: bool,
    /// The cube before the double.
    pub cube: Option<Cube>,
}

/// The most turns that a perft counts: each takes some of the stack, and no count that ends comes near it.
pub const DEEPEST_PERFT: u32 = 255;

/// Cap on times, in milliseconds, some 280 years; keeps sums from overflowing.
const LONGEST_MS: u64 = 1 << 43;

impl Request {
    /// Parses the words after `go`. Unknown words are skipped; a parameter without a valid number is ignored with a warning;
    /// negative numbers count as 0.
    pub fn parse(words: &[&str]) -> Self {
        let mut request = Self::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            let word = word.to_ascii_lowercase();
            match word.as_str() {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "searchmoves" => {
                    let count = rest.iter().take_while(|w| !is_keyword(w)).count();
                    let (tokens, after) = rest.split_at(count);
                    rest = after;
                    request
                        .searchmoves
                        .extend(tokens.iter().map(|&token| token.to_owned()));
                }
                "dice" => match rest {
                    [dice, after @ ..] if !is_keyword(dice) => {
                        request.dice = Some((*dice).to_owned());
                        rest = after;
                    }
                    _ => request.warnings.push("go dice needs a roll".to_owned()),
                },
                "double" | "take" => {
                    let cube = match rest {
                        ["cube", after @ ..] => {
                            let (cube, used) = read_cube(after);
                            rest = &after[used..];
                            cube
                        }
                        _ => Some(Cube::default()),
                    };
                    let is_offered = word == "take";
                    request.doubling = Some(Doubling { is_offered, cube });
                }
                name => {
                    let Some(set) = setter(name) else {
                        continue;
                    };
                    if let Some(number) = rest.first().and_then(|n| whole_number(n)) {
                        rest = &rest[1..];
                        set(&mut request, number);
                    } else {
                        let warning = format!("go {name} needs a number; ignored");
                        request.warnings.push(warning);
                    }
                }
            }
        }
        // Without a limit, a search of the 56 rolls at depth 1 answers a cube question well enough.
        let has_end = request.length() != Bounded::Open || request.infinite || request.ponder;
        if request.doubling.is_some() && !has_end {
            request.depth = Some(1);
        }
        request
    }

    /// Whether the search ends without `stop`: by depth, nodes, time, clock or mate, or because it is a perft.
    pub fn length(&self) -> Bounded {
        let has_bound = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock(Color::White).is_some();
        match (self.infinite, self.ponder) {
            _ if self.perft.is_some() => Bounded::Bounded,
            (false, false) if has_bound => Bounded::Bounded,
            (false, false) if self.mate.is_some() => Bounded::Mate,
            (false, true) if has_bound || self.mate.is_some() => Bounded::Ponder,
            _ => Bounded::Open,
        }
    }

    /// The clock of a side: remaining time and increment. If it is missing, the opponent's is used.
    pub fn clock(&self, side: Color) -> Option<(Duration, Duration)> {
        let [own, other] = [side.index(), side.other().index()];
        let time = self.time[own].or(self.time[other]);
        let increment = self.increment[own].or(self.increment[other]);
        (time.is_some() || increment.is_some())
            .then(|| (time.unwrap_or_default(), increment.unwrap_or_default()))
    }
}

/// How the parameter of this name sets its number; `None` if no parameter with a number has it.
fn setter(name: &str) -> Option<fn(&mut Request, u64)> {
    const WHITE: usize = Color::White.index();
    const BLACK: usize = Color::Black.index();
    Some(match name {
        "wtime" | "p1time" => |go, number| go.time[WHITE] = Some(milliseconds(number)),
        "btime" | "p2time" => |go, number| go.time[BLACK] = Some(milliseconds(number)),
        "winc" | "p1inc" => |go, number| go.increment[WHITE] = Some(milliseconds(number)),
        "binc" | "p2inc" => |go, number| go.increment[BLACK] = Some(milliseconds(number)),
        "movestogo" => |go, number| go.moves_to_go = Some(small(number)).filter(|&turns| turns > 0),
        "depth" => |go, number| go.depth = Some(small(number).max(1)),
        "nodes" => |go, number| go.nodes = Some(number.max(1)),
        "mate" => |go, number| go.mate = Some(small(number).max(1)),
        "movetime" => |go, number| go.movetime = Some(milliseconds(number)),
        "perft" => |go, number| go.perft = Some(small(number)),
        _ => return None,
    })
}

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(LONGEST_MS))
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Parses a cube, its value and perhaps its owner, and returns the number of words used. `None` if no cube has this value.
fn read_cube(words: &[&str]) -> (Option<Cube>, usize) {
    let Some(value) = words.first().filter(|word| !is_keyword(word)) else {
        return (None, 0);
    };
    let owner = match words
        .get(1)
        .map(|word| word.to_ascii_lowercase())
        .as_deref()
    {
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        _ => None,
    };
    let cube = value.parse().ok().and_then(|value| Cube::new(value, owner));
    (cube, 1 + usize::from(owner.is_some()))
}

/// Whether a word begins a parameter of `go`.
fn is_keyword(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let without_number = [
        "searchmoves",
        "ponder",
        "infinite",
        "dice",
        "double",
        "take",
    ];
    without_number.contains(&word.as_str()) || setter(&word).is_some()
}

/// Parses a whole number of any size: negative numbers return 0, too large ones `u64::MAX`. A fraction is cut off, since some
/// GUIs send times with one.
fn whole_number(word: &str) -> Option<u64> {
    let whole = word.split_once('.').map_or(word, |(whole, fraction)| {
        if fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            whole
        } else {
            word
        }
    });
    let (negative, digits) = match whole.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, whole.strip_prefix('+').unwrap_or(whole)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative {
        0
    } else {
        digits.parse().unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Request {
        Request::parse(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn reads_parameters_in_any_order() {
        let request = parse("binc 2 wtime 100 searchmoves e2e4 d2d4 depth 7 btime 99 nodes 5");
        assert_eq!(request.searchmoves, ["e2e4", "d2d4"]);
        assert_eq!((request.depth, request.nodes), (Some(7), Some(5)));
        assert_eq!(
            request.clock(Color::Black),
            Some((Duration::from_millis(99), Duration::from_millis(2)))
        );
        assert!(request.warnings.is_empty());
    }

    #[test]
    fn bounded_searches_are_distinguished_from_open_ones() {
        for bounded in [
            "depth 5",
            "nodes 5",
            "movetime 5",
            "mate 2 nodes 5",
            "perft 2",
            "wtime 9 depth 5",
            "wtime 9 winc 1",
        ] {
            assert_eq!(parse(bounded).length(), Bounded::Bounded, "{bounded}");
        }
        for open in [
            "",
            "infinite",
            "infinite depth 5",
            "infinite ponder depth 5",
            "ponder",
        ] {
            assert_eq!(parse(open).length(), Bounded::Open, "{open}");
        }
        assert_eq!(parse("mate 2").length(), Bounded::Mate);
        for ponder in ["ponder depth 5", "ponder mate 2", "ponder wtime 9 btime 9"] {
            assert_eq!(parse(ponder).length(), Bounded::Ponder, "{ponder}");
        }
    }

    #[test]
    fn survives_missing_and_bad_numbers() {
        let request = parse("depth infinite movetime -5 nodes 99999999999999999999 mate x wtime");
        assert!(request.infinite);
        assert_eq!(request.depth, None);
        assert_eq!(request.movetime, Some(Duration::ZERO));
        assert_eq!(request.nodes, Some(u64::MAX));
        assert_eq!(request.warnings.len(), 3);
    }

    #[test]
    fn cube_questions_are_parsed() {
        let question = |line: &str| parse(line).doubling.unwrap();
        assert_eq!(question("double").cube, Some(Cube::default()));
        let take = question("take cube 4 black movetime 30");
        assert!(take.is_offered);
        assert_eq!(take.cube, Cube::new(4, Some(Color::Black)));
        assert_eq!(question("double cube 2 depth 1").cube, Cube::new(2, None));
        for bad in [
            "double cube",
            "double cube 3",
            "double cube x",
            "take cube depth 1",
        ] {
            assert_eq!(question(bad).cube, None, "{bad}");
        }
        // Without a limit the depth is 1.
        assert_eq!(parse("double").depth, Some(1));
        assert_eq!(parse("double movetime 30").depth, None);
        assert_eq!(parse("wtime 5 double").depth, None);
    }

    #[test]
    fn a_missing_clock_is_that_of_the_opponent() {
        assert_eq!(
            parse("wtime 6500 winc 1500").clock(Color::Black),
            Some((Duration::from_millis(6500), Duration::from_millis(1500)))
        );
        assert_eq!(parse("depth 3").clock(Color::Black), None);
    }
}
