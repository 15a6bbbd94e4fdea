//! Chess960: published perft figures, agreement with cozy-chess, start positions, FEN, castling.

use crate::chess::compare_with_cozy;
use crate::properties::{hostile_texts, keys_differ, random_games};
use fauve_engine::core::{Kind, Move, Square};
use fauve_engine::rules::chess::chess960::{STARTS, first_rank, start};
use fauve_engine::rules::chess::{Chess, Options};
use fauve_engine::rules::{
    Game, Notation, Parsed, Rules, Setup, legal_steps, parse_turn, perft_parallel, turn_san,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::HashSet;

const CHESS960: Options = Options { chess960: true };

fn parsed(fen: &str) -> Parsed<Chess> {
    Chess::from_fen(fen, &CHESS960).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn position(fen: &str) -> Chess {
    let parsed = parsed(fen);
    assert_eq!(parsed.warnings, [""; 0], "{fen}");
    parsed.position
}

/// The first ten positions of <https://www.chessprogramming.org/Chess960_Perft_Results> with rights to castle, from depth 1.
const PUBLISHED: [(&str, [u64; 5]); 10] = [
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        [21, 528, 12189, 326672, 8146062],
    ),
    (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        [21, 807, 18002, 667366, 16253601],
    ),
    (
        "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
        [20, 479, 10471, 273318, 6417013],
    ),
    (
        "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
        [22, 593, 13440, 382958, 9183776],
    ),
    (
        "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
        [28, 1120, 31058, 1171749, 34030312],
    ),
    (
        "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9",
        [29, 899, 26578, 824055, 24851983],
    ),
    (
        "qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9",
        [25, 635, 17054, 465806, 13203304],
    ),
    (
        "qnnbbrkr/1p2ppp1/2pp3p/p7/1P5P/2NP4/P1P1PPP1/Q1NBBRKR w HFhf - 0 9",
        [24, 572, 15243, 384260, 11110203],
    ),
    (
        "qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9",
        [33, 823, 26895, 713420, 23114629],
    ),
    (
        "qb1nrkbr/1pppp1p1/1n3p2/p1B4p/8/3P1P1P/PPP1P1P1/QBNNRK1R w HEhe - 0 9",
        [31, 855, 25620, 735703, 21796206],
    ),
];

fn published_counts_to(most: usize) {
    for (fen, counts) in PUBLISHED {
        let position = position(fen);
        assert_eq!(position.fen(), fen);
        for (depth, &count) in (1..).zip(&counts[..most]) {
            let found = perft_parallel(&position, depth);
            assert_eq!(found, count, "{fen} depth {depth}");
        }
    }
}

#[test]
fn published_perft_counts() {
    published_counts_to(4);
}

#[test]
#[ignore = "minutes without optimisation"]
fn long_published_perft_counts() {
    published_counts_to(5);
}

/// The first ranks without the pieces that stand in the way of castling.
fn bare(white: usize, black: usize) -> Chess {
    let letters = |number| -> String {
        let letter = |kind: Kind| match kind {
            Kind::Rook | Kind::King => kind.letter(),
            _ => '1',
        };
        first_rank(number).map(letter).iter().collect()
    };
    let black = letters(black).to_ascii_lowercase();
    let white = letters(white);
    position(&format!(
        "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"
    ))
}

/// Castling is written as orthodox chess writes it, by the side on which the rook stands, and no other move is.
fn castlings_have_their_names(position: &Chess, steps: &[Move]) {
    for &step in steps {
        let own = position.board().color(position.side_to_move());
        let name = match (own.has(step.to()), step.to().file() > step.from().file()) {
            (true, true) => "O-O",
            (true, false) => "O-O-O",
            (false, _) => "",
        };
        let san = position.step_san(step);
        let found = san.trim_end_matches(['+', '#']);
        assert_eq!(
            found == name,
            own.has(step.to()),
            "{} {san}",
            position.fen()
        );
        assert_eq!(
            found.starts_with('O'),
            !name.is_empty(),
            "{} {san}",
            position.fen()
        );
    }
}

/// Positions of random games from start positions of Chess960 and double Chess960, and from these without the pieces between
/// kings and rooks: the same legal moves and counts as another program finds.
#[test]
fn agrees_with_cozy_chess_in_chess960() {
    let (mut seen, mut castlings) = (HashSet::new(), 0);
    for seed in 0..60 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut number = || (rng.next_u64() % STARTS as u64) as usize;
        let (white, black) = (number(), number());
        let first = match seed % 4 {
            0 => start(white, white),
            1 => start(white, black),
            _ => bare(white, black),
        };
        let mut game = Game::new(first, CHESS960);
        for ply in 0..60 {
            let steps = legal_steps(game.position());
            let castling = steps
                .iter()
                .find(|&&step| game.position().step_san(step).starts_with("O-O"));
            castlings += usize::from(castling.is_some());
            if (castling.is_some() || ply % 5 == 0) && seen.insert(game.position().key()) {
                compare_with_cozy(game.position(), &steps);
                castlings_have_their_names(game.position(), &steps);
            }
            if game.outcome().is_some() {
                break;
            }
            // Castles in the end, so that what follows is seen as well.
            let step = match castling {
                Some(&castling) if rng.next_u64() % 4 == 0 => castling,
                _ => steps[(rng.next_u64() % steps.len() as u64) as usize],
            };
            game.play(step);
        }
    }
    assert!(
        seen.len() > 400 && castlings > 150,
        "{} positions, {castlings} with castling",
        seen.len()
    );
}

#[test]
fn the_start_positions_are_the_960() {
    let mut seen = HashSet::new();
    for number in 0..STARTS {
        let rank = first_rank(number);
        let files = |kind: Kind| (0..8).filter(move |&file| rank[file] == kind);
        let rooks: Vec<usize> = files(Kind::Rook).collect();
        let king = files(Kind::King).next().expect("a king");
        assert!(rooks.len() == 2 && rooks[0] < king && king < rooks[1]);
        let bishops: Vec<usize> = files(Kind::Bishop).collect();
        assert!(bishops.len() == 2 && bishops[0] % 2 != bishops[1] % 2);
        assert_eq!(files(Kind::Knight).count(), 2);
        assert!(seen.insert(rank));
        let position = start(number, number);
        let flipped = position.flipped().expect("both sides have the same rules");
        assert_eq!(flipped.board(), position.board());
    }
    let orthodox = start(518, 518);
    assert_eq!(orthodox, Chess::start(&CHESS960));
    assert_eq!(
        orthodox.fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    );
}

#[test]
fn properties_of_chess960() {
    let starts = [
        "startpos",
        "1r1k2r1/p2pp2p/8/8/8/8/P2PP2P/R3K1R1 w GAgb - 0 1",
        "rk5r/p7/8/2pP4/8/8/1P6/1R4KR w HBha c6 0 1",
    ];
    random_games::<Chess>(&CHESS960, &starts, 20, 4);
    hostile_texts::<Chess>(&CHESS960, &starts);
    keys_differ::<Chess>(
        &CHESS960,
        &[
            "4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR w HB - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR w A - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR w - - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR b HA - 0 1",
        ],
    );
}

#[test]
fn castling_rights_are_read_by_file_and_by_side() {
    let board = "1r1k2rr/8/8/8/8/8/8/RR2K1R1";
    let read = |rights: &str, is_chess960: bool| {
        let options = Options {
            chess960: is_chess960,
        };
        let fen = format!("{board} w {rights} - 0 1");
        let parsed = Chess::from_fen(&fen, &options);
        parsed.map(|parsed| {
            let fen = parsed.position.fen();
            let rights = fen.split(' ').nth(2).expect("rights").to_owned();
            (rights, parsed.warnings.len())
        })
    };
    // Letters of X-FEN mean the outermost rook.
    assert_eq!(read("KQkq", true), Ok(("GAhb".to_owned(), 0)));
    assert_eq!(read("GBgb", true), Ok(("GBgb".to_owned(), 0)));
    assert_eq!(read("bgBG", true), Ok(("GBgb".to_owned(), 0)));
    assert_eq!(read("Kq", true), Ok(("Gb".to_owned(), 0)));
    assert_eq!(read("-", true), Ok(("-".to_owned(), 0)));
    // Files say what they are, whatever is set.
    assert_eq!(read("GBgb", false), Ok(("GBgb".to_owned(), 0)));
    // No rook there, or the king: dropped.
    assert_eq!(read("HC", true), Ok(("-".to_owned(), 2)));
    assert_eq!(read("E", true), Ok(("-".to_owned(), 1)));
    assert_eq!(read("HA", true), Ok(("A".to_owned(), 1)));
    // By the rules of orthodox chess king and rook are not at home.
    assert_eq!(read("KQkq", false), Ok(("Q".to_owned(), 3)));
    for wrong in ["GG", "GH", "KG", "x", "G-", "Gb?"] {
        assert!(read(wrong, true).is_err(), "{wrong}");
    }
    // The orthodox array may be written by files.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1";
    let orthodox = Chess::from_fen(fen, &Options::default()).expect("a position");
    assert_eq!(orthodox.position.castling().to_string(), "KQkq");
    let away = parsed("r6r/4k3/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert_eq!(away.warnings.len(), 2);
}

/// Castling as UCI has it, its name, and where king and rook stand then; none where it is not legal.
#[test]
fn kings_castle_over_any_distance() {
    for (fen, token, after) in [
        // The king stays, the rook stays, both change places, one on the other's target.
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", Some("5RK1")),
        ("4k3/8/8/8/8/8/8/2K4R w H - 0 1", "c1h1", Some("5RK1")),
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", Some("5RK1")),
        ("4k3/8/8/8/8/8/8/3K1R2 w F - 0 1", "d1f1", Some("5RK1")),
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", Some("5RK1")),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", Some("5RK1")),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", Some("2KR4")),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", Some("2KR4")),
        ("4k3/8/8/8/8/8/8/5RK1 w F - 0 1", "g1f1", Some("2KR4")),
        // A piece on the king's way, on the rook's, and beside both.
        ("4k3/8/8/8/8/8/8/1K3N1R w H - 0 1", "b1h1", None),
        ("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", "e1a1", None),
        ("4k3/8/8/8/8/8/8/NR2K3 w B - 0 1", "e1b1", Some("N1KR4")),
        // The rook's way may be attacked, the king's not.
        ("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", Some("2KR4")),
        ("3rk3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", None),
        ("4k1r1/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", None),
        // The rook leaves its king to a rook behind it.
        ("4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", "e1b1", None),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1", Some("2KR4")),
    ] {
        let position = position(fen);
        let turn = parse_turn(&position, token);
        let Some(after) = after else {
            assert!(turn.is_err(), "{fen} {token}");
            continue;
        };
        let turn = turn.unwrap_or_else(|error| panic!("{fen}: {error}"));
        let [from, to]: [Square; 2] =
            [&token[..2], &token[2..]].map(|at| at.parse().expect("a square"));
        let name = if to.file() > from.file() {
            "O-O"
        } else {
            "O-O-O"
        };
        assert_eq!(turn_san(&position, &turn), name, "{fen}");
        let mut next = position;
        next.play(turn[0]);
        let wanted = format!("4k3/8/8/8/8/8/8/{after} b - - 1 1");
        let placed = next.fen();
        assert_eq!(
            placed.split('/').next_back(),
            wanted.split('/').next_back(),
            "{fen}"
        );
    }
}

/// What moves or is captured takes its right with it.
#[test]
fn rights_of_chess960_go_with_king_and_rook() {
    for (fen, token, rights) in [
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "b1b8", "Gg"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1e2", "gb"),
        ("1r2k1r1/6p1/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1g1", "gb"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1", "g8h8", "GBb"),
        ("1r2k1r1/1p6/8/8/8/8/8/1R2K1R1 b GBgb - 0 1", "e8b8", "GB"),
    ] {
        let mut position = position(fen);
        let turn = parse_turn(&position, token).expect(token);
        position.play(turn[0]);
        assert_eq!(position.fen().split(' ').nth(2), Some(rights), "{token}");
    }
}
