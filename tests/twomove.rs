//! Two-move chess: vectors and properties.

use crate::properties::{keys_differ, keys_equal, random_games};
use fauve_engine::core::{Color, Kind};
use fauve_engine::eval::EndgameResult;
use fauve_engine::eval::twomove::endgames::probe_endgame;
use fauve_engine::rules::twomove::{Options, TwoMove};
use fauve_engine::rules::{
    DrawReason, Draws, Field, Game, Notation, Outcome, Problem, Rules, WinReason, for_each_turn,
    parse_turn, perft, perft_parallel, turn_san, turn_token,
};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};

#[derive(Deserialize)]
struct Suite {
    positions: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    fen: String,
    status: Option<String>,
    #[serde(default)]
    perft: Vec<[u64; 3]>,
    second_halves: Option<u64>,
}

fn suite() -> Vec<Vector> {
    let suite: Suite = serde_json::from_str(include_str!("data/twomove.json")).unwrap();
    assert_eq!(suite.positions.len(), 40);
    suite.positions
}

fn read(fen: &str) -> TwoMove {
    if fen == "startpos" {
        return TwoMove::start(&Options::default());
    }
    TwoMove::from_fen(fen, &Options::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

fn refusal(fen: &str) -> Problem {
    TwoMove::from_fen(fen, &Options::default())
        .expect_err(fen)
        .problem
}

fn status(position: &TwoMove) -> &'static str {
    match (
        position.has_turn(),
        position.in_check(),
        position.lost_without_turn(),
    ) {
        (true, true, _) => "check",
        (true, false, _) => "ok",
        (false, true, true) => "mate",
        (false, true, false) => "stalemate in check",
        (false, false, _) => "stalemate",
    }
}

/// Positions after `depth` turns, each once: (positions, placements).
fn distinct(position: &TwoMove, depth: usize) -> Vec<(u64, u64)> {
    let mut level = vec![*position];
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for position in &level {
            for_each_turn(position, &mut |_, after| {
                if seen.insert(after.key()) {
                    next.push(*after);
                }
            });
        }
        let placements: HashSet<String> = next
            .iter()
            .map(|position| position.fen().split(' ').next().unwrap().to_owned())
            .collect();
        counts.push((next.len() as u64, placements.len() as u64));
        level = next;
    }
    counts
}

#[test]
fn vectors() {
    for vector in suite() {
        if vector.status.as_deref() == Some("illegal") {
            assert_eq!(
                refusal(&vector.fen),
                Problem::KingCapturable,
                "{}",
                vector.fen
            );
            continue;
        }
        let position = read(&vector.fen);
        if let Some(expected) = &vector.status {
            assert_eq!(status(&position), expected, "{}", vector.fen);
        }
        if let Some(expected) = vector.second_halves {
            assert_eq!(position.count_turns(), expected, "{}", vector.fen);
        }
        for (i, expected) in vector.perft.iter().enumerate() {
            let depth = i as u32 + 1;
            assert_eq!(
                perft(&position, depth),
                expected[0],
                "{} depth {depth}",
                vector.fen
            );
        }
        let counts: Vec<_> = vector.perft.iter().map(|row| (row[1], row[2])).collect();
        assert_eq!(distinct(&position, counts.len()), counts, "{}", vector.fen);
    }
}

#[test]
fn three_turns_from_the_start() {
    let start = read("startpos");
    assert_eq!(perft_parallel(&start, 3), 3_799_829);
    // Each position once, with the number of sequences that lead to it.
    let mut ends: HashMap<u64, (TwoMove, u32)> = HashMap::new();
    for_each_turn(&start, &mut |_, one| {
        for_each_turn(one, &mut |_, two| {
            for_each_turn(two, &mut |_, three| {
                ends.entry(three.key()).or_insert((*three, 0)).1 += 1;
            });
        });
    });
    let (mut mates, mut other_ends, mut sequences) = (0, 0, 0);
    for (position, times) in ends.values() {
        sequences += times;
        if !position.has_turn() {
            match status(position) {
                "mate" => mates += times,
                _ => other_ends += times,
            }
        }
    }
    assert_eq!((sequences, mates, other_ends), (3_799_829, 968, 0));
}

/// perft 4 of the start: a minute or two. `cargo test --release --test integration -- --ignored twomove::four_turns`
#[test]
#[ignore = "1.85 billion turns"]
fn four_turns_from_the_start() {
    assert_eq!(perft_parallel(&read("startpos"), 4), 1_850_497_517);
}

/// Plays turn tokens from a position.
fn play(fen: &str, turns: &[&str]) -> Game<TwoMove> {
    let mut game = Game::new(read(fen), Options::default());
    for token in turns {
        for step in parse_turn(game.position(), token).unwrap_or_else(|error| panic!("{error}")) {
            game.play(step);
        }
    }
    game
}

#[test]
fn fools_mates() {
    for last in ["d1h5,f1b5", "d1h5,f1c4"] {
        let game = play("startpos", &["e2e3", "a7a6,g7g5", last]);
        assert_eq!(status(game.position()), "mate", "{last}");
        assert_eq!(
            game.outcome(),
            Some(Outcome::Win(Color::White, WinReason::CHECKMATE))
        );
    }
}

#[test]
fn notation_of_turns() {
    let game = play("startpos", &["e2e3", "a7a6,g7g5"]);
    let position = game.position();
    let san = |token: &str| turn_san(position, &parse_turn(position, token).unwrap());
    assert_eq!(san("d1h5,f1b5"), "Qh5,Bb5#");
    assert_eq!(san("e3e4,e4e5"), "e4,e5");
    assert_eq!(san("g1f3,f3g5"), "Nf3,Nxg5");
    let turn = parse_turn(position, "d1h5,f1b5").unwrap();
    assert_eq!(turn_token(position, &turn), "d1h5,f1b5");
    // The moves of a turn one by one: the position after the first says what is left.
    let half = parse_turn(position, "d1h5").unwrap();
    assert_eq!(half.len(), 1);
    for bad in [
        "d1h5,",
        "d1h5,h5d1",
        "e1e2,e2e1",
        "d1h5,f1b5,a2a3",
        "e3e5",
        "",
        "d1h5,0000",
    ] {
        assert!(parse_turn(position, bad).is_err(), "{bad}");
    }
    // The first half is looked up among the first halves, the second among the legal second halves.
    let two = read("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
    let turn = parse_turn(&two, "b1d2,f1e3").unwrap();
    assert_eq!(turn_san(&two, &turn), "Nbd2,Ne3");
    let castling = read("4k3/8/8/8/8/8/P4PPP/4K2R w K - 0 1");
    let turn = parse_turn(&castling, "a2a3,e1g1").unwrap();
    assert_eq!(turn_san(&castling, &turn), "a3,O-O+");
    let promotion = read("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1");
    let turns: Vec<String> = {
        let mut turns = Vec::new();
        for_each_turn(&promotion, &mut |turn, _| {
            turns.push(turn_token(&promotion, turn));
        });
        turns
    };
    assert_eq!(turns.len(), 10);
    assert!(
        turns
            .iter()
            .all(|turn| parse_turn(&promotion, turn).is_ok())
    );
}

#[test]
fn position_strings() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1";
    assert_eq!(read("startpos").fen(), start);
    assert_eq!(read(start), read("startpos"));
    assert!(!read(start).is_mid_turn());
    // Fields default from the right; the moves left to two.
    assert_eq!(
        read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w").fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1 2"
    );
    // Between the halves: the reversal, the clock that the turn would have, the mover's own target.
    let after = |turns: &[&str]| {
        let game = play("startpos", turns);
        assert!(game.position().is_mid_turn());
        game.position().fen()
    };
    assert_eq!(
        after(&["e2e3", "g8f6"]),
        "rnbqkb1r/pppppppp/5n2/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 1 1 1:f6g8"
    );
    assert_eq!(
        after(&["e2e3", "a7a6"]),
        "rnbqkbnr/1ppppppp/p7/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1 1"
    );
    let target = play("4k3/8/8/8/3p4/8/2P1P3/4K3 w - - 5 9", &["c2c4"]);
    assert_eq!(
        target.position().fen(),
        "4k3/8/8/8/2Pp4/8/4P3/4K3 w - c3 0 9 1"
    );
    let both = play("4k3/8/8/8/3p4/8/2P1P3/4K3 w - - 5 9", &["c2c4,e2e4"]);
    assert_eq!(
        both.position().fen(),
        "4k3/8/8/8/2PpP3/8/8/4K3 b - c3e3 0 9 2"
    );
    // One en passant capture leaves the other for the second move.
    let position = read("4k3/8/8/8/Pp1Pp3/8/8/4K3 b - a3d3 0 1");
    let half = {
        let mut half = position;
        half.play(parse_turn(&position, "b4a3").unwrap()[0]);
        half
    };
    assert_eq!(half.fen(), "4k3/8/8/8/3Pp3/p7/8/4K3 b - d3 0 1 1");
    assert!(parse_turn(&position, "b4a3,e4d3").is_ok());
    // After another first move both are gone.
    assert!(parse_turn(&position, "e8e7,e4d3").is_err());
    // White's one move counts no quiet turn; later turns do unless one of their moves is a pawn's or takes.
    let clock = |turns: &[&str]| play("startpos", turns).position().quiet_turns();
    assert_eq!(clock(&["g1f3"]), 0);
    assert_eq!(clock(&["g1f3", "g8f6,b8c6"]), 1);
    assert_eq!(clock(&["g1f3", "g8f6,b8c6", "b1c3,h1g1"]), 2);
    assert_eq!(clock(&["g1f3", "g8f6,b8c6", "f3e5,e5c6"]), 0);
    assert_eq!(clock(&["g1f3", "g8f6,b8c6", "a2a3,b1c3"]), 0);
}

#[test]
fn refused_positions() {
    let text = |tail: &str| format!("4k3/8/8/8/8/5N2/8/4K3 {tail}");
    let refused = |fen: &str| {
        let error = TwoMove::from_fen(fen, &Options::default()).expect_err(fen);
        (error.field, error.problem)
    };
    // With two moves the rook takes the king; with one only if it stands in line.
    assert_eq!(
        refused("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        (Field::Position, Problem::KingCapturable)
    );
    assert!(TwoMove::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 1", &Options::default()).is_ok());
    assert_eq!(
        refused("R3k3/8/8/8/8/8/8/4K3 w - - 0 1 1"),
        (Field::Position, Problem::KingCapturable)
    );
    assert_eq!(refused(&text("w - - 0 1 3")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1:f3")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1:f3f4")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1:e8e7")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1:a1a2")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1:f3g1x")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1:fé1")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1 1:f3g1")).0, Field::MovesLeft);
    assert_eq!(refused(&text("w - - 0 1 1 1")).0, Field::Position);
    assert_eq!(refused(&text("w - - x 1")).0, Field::Clock);
    assert_eq!(refused(&text("w - - 0 x")).0, Field::TurnNumber);
    assert_eq!(refused(&text("x")).0, Field::Side);
    assert_eq!(refused(&text("w Z")).0, Field::Castling);
    assert_eq!(refused(&text("w - z")).0, Field::EnPassant);
    assert_eq!(refused("8/8/8/8/8/8/8/8 w").0, Field::Board);
    assert_eq!(refused("").0, Field::Board);
    // Dropped, not refused: rights without pieces at home, targets that nobody can use.
    let parsed = TwoMove::from_fen(
        "4k3/8/8/8/PpP5/8/8/4K3 b KQ a3c3e3 0 1 2",
        &Options::default(),
    )
    .unwrap();
    assert_eq!(
        parsed.position.fen(),
        "4k3/8/8/8/PpP5/8/8/4K3 b - a3c3 0 1 2"
    );
    assert_eq!(parsed.warnings.len(), 3);
}

#[test]
fn properties() {
    let options = Options::default();
    random_games::<TwoMove>(
        &options,
        &[
            "startpos",
            "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/PpPp4/8/8/4K3 b - a3c3 0 1",
            "8/4k3/8/p1p1p1p1/8/1P1P1P2/P7/RNN1K3 b - - 0 1",
        ],
        6,
        40,
    );
    let mid = |left: &str| format!("4k3/8/8/1pP5/8/5N2/8/R3K2R w KQ b6 0 1 {left}");
    let fens = [
        mid("1"),
        mid("1:f3g1"),
        mid("1:f3h2"),
        mid("1:h1g1"),
        "4k3/8/8/1pP5/8/5N2/8/R3K2R w KQ - 0 1 1".to_owned(),
        "4k3/8/8/1pP5/8/5N2/8/R3K2R w K - 0 1 1".to_owned(),
        "4k3/8/8/1pP5/8/5N2/8/R3K2R w Q - 0 1 1".to_owned(),
        "4k3/8/8/1pP5/8/5N2/8/R3K2R b KQ - 0 1 1".to_owned(),
        "4k3/8/8/1pP5/8/5N2/8/R3K2R b KQ - 0 1 2".to_owned(),
        "4k3/8/8/8/PpP5/8/8/4K3 b - a3 0 1 2".to_owned(),
        "4k3/8/8/8/PpP5/8/8/4K3 b - c3 0 1 2".to_owned(),
        "4k3/8/8/8/PpP5/8/8/4K3 b - a3c3 0 1 2".to_owned(),
        "4k3/8/8/8/PpP5/8/8/4K3 b - - 0 1 2".to_owned(),
        "4k3/8/8/8/PpP5/8/8/4K3 b - - 0 1 1".to_owned(),
    ];
    let fens: Vec<&str> = fens.iter().map(String::as_str).collect();
    keys_differ::<TwoMove>(&options, &fens);
    keys_equal::<TwoMove>(
        &options,
        &[
            "4k3/8/8/8/PpP5/8/8/4K3 b - - 0 1 2",
            "4k3/8/8/8/PpP5/8/8/4K3 b - - 70 90 2",
        ],
    );
}

#[test]
fn draws_and_their_switches() {
    // K v K and K+B v K.
    for (fen, dead) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/B3K3 b - - 0 1", true),
        ("8/8/8/8/8/1k6/8/N6K b - - 0 1", false),
        ("4k3/p7/8/8/8/8/8/4K3 b - - 0 1", false),
    ] {
        let on = Options::default();
        let off = Options {
            dead_draw: false,
            ..on
        };
        assert_eq!(read(fen).is_dead(&on), dead, "{fen}");
        assert!(!read(fen).is_dead(&off));
    }
    let on = Options::default();
    let off = Options {
        clock_draw: false,
        repetition_draw: false,
        ..on
    };
    let fen = "4k3/7p/8/8/8/8/7P/4K3 w - - 99 90";
    let mut game = Game::new(read(fen), on);
    assert_eq!(game.outcome(), None);
    for step in parse_turn(game.position(), "e1d1,d1d2").unwrap() {
        game.play(step);
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Clock)));
    assert_eq!(game.position().clock_draw(&off), None);
    // Three times the same placement, side and rights at a turn's end.
    let round = ["e1d1,d1d2", "e8d8,d8d7", "d2d1,d1e1", "d7d8,d8e8"];
    let fen = "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1";
    let twice: Vec<&str> = round.iter().chain(&round).copied().collect();
    let game = play(fen, &twice[..7]);
    assert_eq!(game.outcome(), None);
    let game = play(fen, &twice);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
    let mut free = Game::new(read(fen), off);
    for token in &twice {
        for step in parse_turn(free.position(), token).unwrap() {
            free.play(step);
        }
    }
    assert_eq!(free.outcome(), None);
}

#[test]
fn the_search_finds_the_fools_mate() {
    let game = play("startpos", &["e2e3", "a7a6,g7g5"]);
    let limits = Limits {
        depth: Some(2),
        ..Limits::default()
    };
    let answer = Searcher::new(
        &Table::new(4).unwrap(),
        &Settings::default(),
        &Control::default(),
    )
    .run(&game, &limits, &mut |_| {});
    assert_eq!(answer.score, Score::Mate(1));
    let mut after = *game.position();
    for step in answer.best.unwrap() {
        after.play(step);
    }
    assert_eq!(status(&after), "mate");
}

/// The position of two kings and one white piece, if it is legal.
fn three_pieces(white: usize, piece: (char, usize), black: usize, side: char) -> Option<TwoMove> {
    let mut squares = ['1'; 64];
    for (square, name) in [(white, 'K'), (piece.1, piece.0), (black, 'k')] {
        squares[square] = name;
    }
    let ranks: Vec<String> = squares
        .chunks(8)
        .rev()
        .map(|rank| rank.iter().collect())
        .collect();
    let fen = format!("{} {side} - - 0 1 2", ranks.join("/"));
    let parsed = TwoMove::from_fen(&fen, &Options::default());
    parsed.ok().map(|parsed| parsed.position)
}

/// The number of a place of two kings and a white piece, below 64³.
const fn number([white, piece, black]: [usize; 3]) -> usize {
    white * 4096 + piece * 64 + black
}

/// All places of two kings and a white piece.
fn places() -> impl Iterator<Item = [usize; 3]> {
    (0..64usize.pow(3))
        .map(|n| [n / 4096, n / 64 % 64, n % 64])
        .filter(|[white, piece, black]| white != piece && piece != black && white != black)
}

/// The number of the place of a position; `None` when the piece is gone.
fn place_of(position: &TwoMove) -> Option<usize> {
    let board = position.board();
    let pieces = board.color(Color::White) - board.kind(Kind::King);
    let piece = pieces.into_iter().next()?;
    let [white, black] = [Color::White, Color::Black].map(|color| board.king(color).index());
    Some(number([white, piece.index(), black]))
}

#[test]
fn rook_or_queen_mate_at_once_or_are_taken() {
    for piece in ['R', 'Q'] {
        let (mut legal, mut mates) = (0, 0);
        for [white, square, black] in places() {
            let Some(position) = three_pieces(white, (piece, square), black, 'b') else {
                continue;
            };
            legal += 1;
            if status(&position) == "mate" {
                mates += 1;
                continue;
            }
            let mut taken = false;
            for_each_turn(&position, &mut |_, after| {
                taken |= place_of(after).is_none();
            });
            assert!(taken, "{}", position.fen());
        }
        assert_eq!((mates, legal), (139_532, 182_280), "{piece}");
    }
}

/// All positions of K+N v K, solved backwards from the mates. The tables of the same endgame are compared with the counts in
/// every run of the tests.
#[test]
#[ignore = "twenty seconds: cargo test -- --ignored long_"]
fn long_knight_and_king_mate_a_lone_king() {
    // Black to move: whether Black has lost, and the positions that Black can reach as long as that is open.
    let mut lost = vec![false; 64usize.pow(3)];
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut waiting: Vec<(usize, TwoMove)> = Vec::new();
    for [white, piece, black] in places() {
        let index = number([white, piece, black]);
        waiting.extend(
            three_pieces(white, ('N', piece), black, 'w').map(|position| (index, position)),
        );
        let Some(position) = three_pieces(white, ('N', piece), black, 'b') else {
            continue;
        };
        if !position.has_turn() {
            lost[index] = status(&position) == "mate";
            continue;
        }
        let mut replies = Some(Vec::new());
        for_each_turn(&position, &mut |_, after| match place_of(after) {
            Some(place) => {
                if let Some(replies) = &mut replies {
                    replies.push(place);
                }
            }
            None => replies = None,
        });
        open.extend(replies.map(|replies| (index, replies)));
    }
    let legal = waiting.len();
    let mut won = vec![false; 64usize.pow(3)];
    let mut longest = 0;
    for turns in 1.. {
        let before = waiting.len();
        let wins = |(_, position): &(usize, TwoMove)| {
            let mut wins = false;
            for_each_turn(position, &mut |_, after| {
                wins |= place_of(after).is_some_and(|place| lost[place]);
            });
            wins
        };
        let (winning, rest): (Vec<_>, Vec<_>) = waiting.into_par_iter().partition(wins);
        for (index, _) in winning {
            won[index] = true;
        }
        waiting = rest;
        if waiting.len() == before {
            break;
        }
        longest = turns;
        open.retain(|(index, replies)| {
            lost[*index] = replies.iter().all(|&reply| won[reply]);
            !lost[*index]
        });
    }
    assert_eq!(
        (legal - waiting.len(), legal, longest),
        (119_772, 119_848, 13)
    );
    assert_eq!(status(&read("8/8/8/8/8/8/2N5/k2K4 b")), "mate");
    assert_eq!(status(&read("8/8/8/8/8/2N5/8/k2K4 b")), "stalemate");
}

/// The tables of the program have the same counts, and no other value at any place.
#[test]
fn tables_of_knight_and_king_have_the_counts() {
    let (mut won, mut legal, mut longest) = (0, 0, 0);
    for [white, piece, black] in places() {
        let Some(position) = three_pieces(white, ('N', piece), black, 'w') else {
            continue;
        };
        legal += 1;
        match probe_endgame(&position) {
            Some(EndgameResult::Win(turns)) => {
                won += 1;
                longest = longest.max(turns.div_ceil(2));
            }
            other => assert_eq!(other, Some(EndgameResult::Draw), "{}", position.fen()),
        }
    }
    assert_eq!((won, legal, longest), (119_772, 119_848, 13));
}

/// No position of king and bishop against king is a mate, whoever is to move.
#[test]
fn bishop_and_king_never_mate() {
    let mut legal = [0; 2];
    for [white, piece, black] in places() {
        for (legal, side) in legal.iter_mut().zip(['w', 'b']) {
            if let Some(position) = three_pieces(white, ('B', piece), black, side) {
                *legal += 1;
                assert!(position.has_turn() || !position.lost_without_turn());
            }
        }
    }
    assert!(legal.iter().all(|&legal| legal > 90_000), "{legal:?}");
}

/// A search tells the distance to mate, and its turns keep it.
#[test]
fn the_search_mates_by_the_tables() {
    // A knight against nobody, and against a rook: 13 and 14 turns are the longest.
    mate_by_the_tables("8/8/8/3k4/8/8/8/K6N w - - 0 1 2");
    mate_by_the_tables("8/8/7r/1k6/8/4N3/8/K7 w - - 0 1 2");
}

fn mate_by_the_tables(fen: &str) {
    let mut game = Game::new(read(fen), Options::default());
    let Some(EndgameResult::Win(turns)) = probe_endgame(game.position()) else {
        panic!("a win: {fen}");
    };
    let table = Table::new(1).expect("a small table");
    let (settings, control) = (Settings::default(), Control::default());
    for left in (1..=turns).rev() {
        let limits = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        let answer = Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
        let mates = if left % 2 == 1 {
            left.div_ceil(2) as i32
        } else {
            -(left as i32 / 2)
        };
        assert_eq!(
            answer.score,
            Score::Mate(mates),
            "{}",
            game.position().fen()
        );
        for step in answer.best.expect("a turn") {
            game.play(step);
        }
    }
    assert!(matches!(
        game.outcome(),
        Some(Outcome::Win(Color::White, _))
    ));
}
