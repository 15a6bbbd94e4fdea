//! What holds in every game, tried on random games from a fixed seed: texts read back, steps made and taken back, keys,
//! counts. Each game's own test module calls these with its start positions.

use fauve_engine::eval::{Evaluate, Evaluator};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{
    Event, Game, Notation, RecomputeKey, Setup, for_each_turn, legal_steps, parse_turn, turn_token,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::HashSet;

/// The longest random game, in steps and rolls.
const LONGEST: usize = 300;

/// Plays `games` random games from each start (a FEN, or `startpos`) and checks every position on the way; the costly
/// checks, which walk whole turns, at every `stride`-th position.
pub fn random_games<G: Setup + RecomputeKey + Evaluate>(
    options: &G::Options,
    starts: &[&str],
    games: u64,
    stride: usize,
) {
    for start in starts {
        let first = if *start == "startpos" {
            G::start(options)
        } else {
            read(start, options)
        };
        for seed in 0..games {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = Game::new(first, *options);
            for ply in 0..LONGEST {
                check_position(&game, options);
                if ply % stride == seed as usize % stride {
                    check_turns(game.position());
                }
                if game.outcome().is_some() {
                    break;
                }
                advance(&mut game, &mut rng);
            }
        }
    }
}

/// Starts from which pawns often pass pawns, with and without kings in the way.
pub const EN_PASSANT_STARTS: &[&str] = &[
    "r2qk2r/pp1p1p1p/8/2P1P1P1/2p1p1p1/8/PP1P1P1P/R2QK2R w - - 0 1",
    "8/1p1p1p1p/8/K1P1P1Pr/R1p1p1pk/8/1P1P1P1P/8 w - - 0 1",
    "3k4/p1p1p1p1/3q4/1P1P1P1P/1p1p1p1p/3Q4/P1P1P1P1/3K4 w - - 0 1",
];

/// In chess and Superchess a position has an en passant target exactly if a legal move captures there; and the square
/// that a pawn has passed, written into a FEN where it is no target, changes nothing.
pub fn en_passant_rights<G: Setup + RecomputeKey>(options: &G::Options, starts: &[&str]) {
    let (mut legal, mut useless) = (0, 0);
    for (start, seed) in starts
        .iter()
        .flat_map(|start| (0..200).map(move |seed| (start, seed)))
    {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(read::<G>(start, options), *options);
        for _ in 0..80 {
            let before = game.position().fen();
            let steps = legal_steps(game.position());
            if game.outcome().is_some() {
                break;
            }
            let step = steps[below(&mut rng, steps.len())];
            let token = game.position().step_token(step);
            game.play(step);
            let position = game.position();
            let fen = position.fen();
            let captures: HashSet<String> = legal_steps(position)
                .iter()
                .map(|&step| position.step_san(step))
                .filter(|san| san.as_bytes()[0].is_ascii_lowercase() && san[1..].starts_with('x'))
                .map(|san| san[2..4].to_owned())
                .filter(|square| letter_on(&fen, square).is_none())
                .collect();
            let mut fields: Vec<&str> = fen.split(' ').collect();
            let target = captures.iter().next().map_or("-", String::as_str);
            assert_eq!(fields[3], target, "{fen} after {token}: {captures:?}");
            legal += captures.len();
            let Some(passed) = passed_square(&before, &token) else {
                continue;
            };
            fields[3] = &passed;
            let written: G = read(&fields.join(" "), options);
            assert_eq!(written.key(), position.key(), "{fen} with {passed}");
            assert_eq!(written.key(), written.recomputed_key(), "{fen}");
            assert_eq!(&written, position, "{fen} with {passed}");
            // A pawn stands beside the one that has moved, but does not capture it.
            let beside = [-1, 1].iter().any(|aside| {
                let file = token.as_bytes()[2].wrapping_add_signed(*aside);
                let square = format!("{}{}", char::from(file), &token[3..4]);
                let enemy = if fields[1] == "w" { 'P' } else { 'p' };
                letter_on(&fen, &square) == Some(enemy)
            });
            useless += usize::from(beside && captures.is_empty());
        }
    }
    assert!(
        legal >= 100 && useless >= 10,
        "{legal} legal, {useless} useless"
    );
}

/// The square that a pawn passes with a move of two squares.
fn passed_square(fen: &str, token: &str) -> Option<String> {
    let rank = match (letter_on(fen, token.get(..2)?)?, &token[1..2], &token[3..4]) {
        ('P', "2", "4") => 3,
        ('p', "7", "5") => 6,
        _ => return None,
    };
    Some(format!("{}{rank}", &token[..1]))
}

/// The letter that the first field of a FEN has on a square.
fn letter_on(fen: &str, square: &str) -> Option<char> {
    let (file, rank) = (square.as_bytes()[0], square.as_bytes()[1]);
    if !(b'a'..=b'h').contains(&file) {
        return None;
    }
    let row = fen
        .split([' ', '['])
        .next()?
        .split('/')
        .nth(usize::from(b'8' - rank))?;
    let mut squares = Vec::new();
    for letter in row.chars().filter(|&letter| letter != '~') {
        match letter.to_digit(10) {
            Some(count) => squares.resize(squares.len() + count as usize, None),
            None => squares.push(Some(letter)),
        }
    }
    squares.get(usize::from(file - b'a')).copied().flatten()
}

fn read<G: Setup>(fen: &str, options: &G::Options) -> G {
    G::from_fen(fen, options)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

/// A random step, or a random roll where one is awaited, with the checks of making and taking back.
fn advance<G: Setup>(game: &mut Game<G>, rng: &mut Xoshiro256PlusPlus) {
    let before = game.clone();
    let event = if game.position().awaits_roll() {
        let (roll, _) = G::rolls()[below(rng, G::rolls().len())];
        game.set_roll(roll);
        Event::Roll(roll)
    } else {
        let steps = legal_steps(game.position());
        let step = steps[below(rng, steps.len())];
        game.play(step);
        Event::Step(step)
    };
    let after = game.clone();
    assert_eq!(game.undo(), Some(event));
    assert_eq!(game, &before, "taken back {event:?}");
    *game = after;
}

fn below(rng: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// Keys, FEN, the colour flip and the texts of single steps.
fn check_position<G: Setup + RecomputeKey + Evaluate>(game: &Game<G>, options: &G::Options) {
    let position = game.position();
    let fen = position.fen();
    assert_eq!(position.key(), position.recomputed_key(), "key of {fen}");
    let parsed = G::from_fen(&fen, options).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(&parsed.position, position, "{fen} read back");
    assert_eq!(parsed.position.fen(), fen);
    assert!(parsed.warnings.is_empty(), "{fen}: {:?}", parsed.warnings);

    if let Some(flipped) = position.flipped() {
        assert_eq!(flipped.key(), flipped.recomputed_key(), "flipped {fen}");
        assert_eq!(flipped.flipped(), Some(*position), "flipped twice {fen}");
        assert_ne!(flipped.side_to_move(), position.side_to_move());
        assert_eq!(
            legal_steps(&flipped).len(),
            legal_steps(position).len(),
            "steps of the flipped {fen}"
        );
        let again: G = read(&flipped.fen(), options);
        assert_eq!(again, flipped, "flipped {fen} read back");
        same_values(position, &flipped);
    }

    let steps = legal_steps(position);
    let distinct: HashSet<_> = steps.iter().collect();
    assert_eq!(distinct.len(), steps.len(), "duplicates in {fen}");
    let tokens: HashSet<_> = steps
        .iter()
        .map(|&step| position.step_token(step))
        .collect();
    assert_eq!(tokens.len(), steps.len(), "tokens of {fen}: {tokens:?}");
    let sans: HashSet<_> = steps.iter().map(|&step| position.step_san(step)).collect();
    assert_eq!(sans.len(), steps.len(), "SAN in {fen}: {sans:?}");
}

/// A position and its colour flip have the same value for the side to move, and a rough one that is the same, too.
fn same_values<G: Notation + Evaluate>(position: &G, flipped: &G) {
    let values = |position: &G| {
        let of_search = G::Evaluator::new(None).evaluate(position, 0);
        (position.evaluate(), of_search, position.lazy_eval())
    };
    let fen = position.fen();
    assert_eq!(values(flipped), values(position), "flipped {fen}");
}

/// Tokens and counts of whole turns.
fn check_turns<G: Setup>(position: &G) {
    if position.awaits_roll() {
        return;
    }
    let fen = position.fen();
    let mut turns = 0;
    for_each_turn(position, &mut |turn, after| {
        turns += 1;
        assert!(!after.is_mid_turn());
        // Every token of a short list, some of a long one: reading a token generates all steps again.
        if turns < 50 || turns % 97 == 0 {
            let token = turn_token(position, turn);
            let read =
                parse_turn(position, &token).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(read.as_slice(), turn, "{token} in {fen}");
        }
    });
    assert_eq!(position.count_turns(), turns, "turns of {fen}");
    assert_eq!(position.has_turn(), turns > 0, "turns of {fen}");
    let guess = position.guess_turns();
    assert!(turns == 0 || guess > 0, "turns of {fen}");
    let lost = turns == 0 && position.lost_without_turn();
    assert!(!lost || guess == 0, "{guess} turns of {fen}");
}

/// Positions that differ in one thing that the rules look at have different keys.
pub fn keys_differ<G: Setup + RecomputeKey>(options: &G::Options, fens: &[&str]) {
    let keys: HashSet<u64> = fens
        .iter()
        .map(|fen| {
            let position: G = read(fen, options);
            assert_eq!(position.fen(), *fen, "a FEN in its normal form");
            position.key()
        })
        .collect();
    assert_eq!(keys.len(), fens.len(), "{fens:?}");
}

/// Positions that differ in clocks only have one key.
pub fn keys_equal<G: Setup + RecomputeKey>(options: &G::Options, fens: &[&str]) {
    let keys: HashSet<u64> = fens
        .iter()
        .map(|fen| read::<G>(fen, options).key())
        .collect();
    assert_eq!(keys.len(), 1, "{fens:?}");
}

/// Damaged position strings and tokens: no panic, and what is accepted is a position like any other.
pub fn hostile_texts<G: Setup + RecomputeKey>(options: &G::Options, starts: &[&str]) {
    const LETTERS: &[char] = &[
        '0', '1', '2', '8', '9', '-', '/', ' ', '[', ']', '~', ':', ',', '!', '+', 'w', 'b', 'K',
        'k', 'Q', 'q', 'R', 'r', 'N', 'n', 'P', 'p', 'A', 'V', 'a', '3', 'h', '6', 'é', '\u{0}',
        '\u{1F}', '\t',
    ];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20261121);
    let mut accepted = 0;
    for start in starts {
        let fen = if *start == "startpos" {
            G::start(options).fen()
        } else {
            (*start).to_owned()
        };
        for _ in 0..3000 {
            let text = damage(&fen, LETTERS, &mut rng);
            let Ok(parsed) = G::from_fen(&text, options) else {
                continue;
            };
            accepted += 1;
            let position = parsed.position;
            assert_eq!(position.key(), position.recomputed_key(), "{text:?}");
            let again = read::<G>(&position.fen(), options);
            assert_eq!(again, position, "{text:?} gives {}", position.fen());
            if position.awaits_roll() {
                continue;
            }
            for &step in &legal_steps(&position) {
                let mut next = position;
                next.play(step);
                assert_eq!(
                    next.key(),
                    next.recomputed_key(),
                    "{step:?} in {}",
                    position.fen()
                );
                let token = damage(&position.step_token(step), LETTERS, &mut rng);
                let _ = parse_turn(&position, &token);
            }
        }
    }
    assert!(
        accepted > 100,
        "{accepted} damaged positions still make sense"
    );
}

/// The text with one to three letters put in, left out or replaced.
fn damage(text: &str, letters: &[char], rng: &mut Xoshiro256PlusPlus) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=below(rng, 3) {
        let at = below(rng, text.len() + 1);
        let letter = letters[below(rng, letters.len())];
        match below(rng, 3) {
            0 => text.insert(at, letter),
            1 if at < text.len() => text[at] = letter,
            _ if at < text.len() => {
                text.remove(at);
            }
            _ => {}
        }
    }
    text.into_iter().collect()
}

/// Position strings at the ends of what their counters can say, and what they become as the game goes on, read back as
/// they were printed.
fn counters_read_back<G: Setup>(pattern: &str, clocks: &[u32]) {
    let options = G::Options::default();
    for &clock in clocks {
        for number in [1, 999_999_999, 1_000_000_000, u32::MAX - 1, u32::MAX] {
            let fen = pattern
                .replace("CLOCK", &clock.to_string())
                .replace("NUMBER", &number.to_string());
            let parsed =
                G::from_fen(&fen, &options).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(parsed.warnings, Vec::<String>::new(), "{fen}");
            assert_eq!(parsed.position.fen(), fen);
            let mut position = parsed.position;
            for _ in 0..8 {
                if position.awaits_roll() {
                    position.set_roll(G::rolls()[0].0);
                }
                // The last steps of a list are those of the king, which leave the counter running.
                let Some(&step) = legal_steps(&position).last() else {
                    break;
                };
                position.play(step);
                let fen = position.fen();
                let again = G::from_fen(&fen, &options).expect("what was printed");
                assert_eq!(again.warnings, Vec::<String>::new(), "{fen}");
                assert_eq!(again.position, position, "{fen}");
            }
        }
    }
}

#[test]
fn counters_read_back_as_they_are_printed() {
    let clocks = [0, 9_998, 9_999, 10_000, 65_534, 65_535];
    let kings = "n3k3/p7/8/8/8/8/7P/4K2N w - - CLOCK NUMBER";
    counters_read_back::<Chess>(kings, &clocks);
    counters_read_back::<TwoMove>(&format!("{kings} 2"), &clocks);
    counters_read_back::<DiceChess>(&format!("{kings} NNK"), &clocks);
    counters_read_back::<DiceChess>(&format!("{kings} -"), &clocks);
    let superchess = kings.replace(" w", "[Nn] w");
    counters_read_back::<Superchess>(&superchess, &clocks);
    let cubes =
        "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - NUMBER";
    counters_read_back::<cubes::Cubes4d>(cubes, &[0]);
}
