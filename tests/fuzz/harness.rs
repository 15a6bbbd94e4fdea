//! What is done with any bytes: a function per fuzz target. The targets of cargo-fuzz call them, and the ordinary tests with
//! the inputs that were found.

use fauve_engine::core::StepList;
use fauve_engine::rules::{
    Chance, DiceSeed, Game, Notation, RecomputeKey, Rules, legal_steps, parse_turn, turn_san,
    turn_token,
};
use fauve_engine::{Variant, with_game};
use fauve_game::replay::of_pgn;
use fauve_game::{epd, pgn, read};
use fauve_protocol::wire::output::Output;
use fauve_protocol::wire::protocol_loop::ProtocolLoop;
use fauve_referee::plan::openings;
use fauve_referee::record::lines::parse;
use fauve_referee::record::pgn::game_text;
use fauve_referee::record::replay;
use std::cell::RefCell;

/// What is done with some bytes.
pub type Target = fn(&[u8]);

/// The targets by their names.
pub const TARGETS: &[(&str, Target)] = &[
    ("position", position),
    ("turns", turns),
    ("script", script),
    ("record", record),
    ("games", games),
    ("epd", epd),
];

/// The game that the first byte names, and the rest as text.
fn game_and_text(data: &[u8]) -> Option<(Variant, String)> {
    let (&first, rest) = data.split_first()?;
    let place = usize::from(first) % Variant::ALL.len();
    Some((
        Variant::ALL[place],
        String::from_utf8_lossy(rest).into_owned(),
    ))
}

/// A position string of a game: what is read is written, and read back as the same; its steps keep the key.
pub fn position(data: &[u8]) {
    let Some((variant, text)) = game_and_text(data) else {
        return;
    };
    with_game!(variant, G => {
        let options = <G as Rules>::Options::default();
        let Ok(parsed) = G::from_fen(&text, &options) else {
            return;
        };
        check(&parsed.position, &options);
    });
}

fn check<G: Notation + RecomputeKey>(position: &G, options: &G::Options) {
    let fen = position.fen();
    let again = G::from_fen(&fen, options);
    let again = again.unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.position, *position, "{fen}");
    assert_eq!(position.key(), position.recomputed_key(), "{fen}");
    let _ = position.board_text();
    let mut steps = StepList::new();
    position.generate(&mut steps);
    for step in steps {
        let mut next = *position;
        next.play(step);
        assert_eq!(next.key(), next.recomputed_key(), "{fen}");
        let token = position.step_token(step);
        assert!(position.accepts(step, &token), "{fen}: {token}");
    }
    let _ = Game::new(*position, *options).outcome();
}

/// Turns from the start position, as tokens or as people write them, with or without rolls.
pub fn turns(data: &[u8]) {
    // Turns of two-move chess are many: what is wrong shows in a short game, and more of these are tried.
    const MOST: u64 = 24;
    let Some((variant, text)) = game_and_text(data) else {
        return;
    };
    with_game!(variant, G => {
        let options = <G as Rules>::Options::default();
        let mut game = Game::new(G::start(&options), options);
        for (number, word) in (0..MOST).zip(text.split_whitespace()) {
            if game.outcome().is_some() {
                break;
            }
            if game.position().awaits_roll() {
                game.set_roll(DiceSeed(number).roll(game.position().game_ply()));
            }
            let position = *game.position();
            let Some(turn) = read::turn(&position, word) else {
                let _ = parse_turn(&position, word);
                continue;
            };
            let token = turn_token(&position, &turn);
            let again = parse_turn(&position, &token);
            assert_eq!(again.as_ref(), Ok(&turn), "{token} in {}", position.fen());
            let _ = turn_san(&position, &turn);
            for step in turn {
                assert!(legal_steps(game.position()).contains(&step));
                game.play(step);
            }
            check(game.position(), &options);
        }
    });
}

thread_local! {
    /// One listener for all scripts: its thread and its table take longer than most scripts.
    static LISTENER: RefCell<ProtocolLoop> = RefCell::new({
        let output = Output::to(Box::new(|_| {}));
        let mut listener = ProtocolLoop::new(Variant::Chess, output).expect("memory and a thread");
        listener.receive("setoption name Hash value 1");
        listener
    });
}

/// Lines for the listener, in every protocol. Lines that would write files or take the machine's memory are left out, and
/// the last search is not waited for.
pub fn script(data: &[u8]) {
    const LEFT_OUT: [&str; 5] = ["hash", "threads", "file", "memory", "cores"];
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(data);
    LISTENER.with_borrow_mut(|listener| {
        listener.begin_again();
        for line in text.split('\n').take(MOST) {
            let lower = line.to_ascii_lowercase();
            if !LEFT_OUT.iter().any(|word| lower.contains(word)) {
                listener.receive(line);
            }
        }
        listener.receive("quit");
    });
}

/// A record: what is read is written and read back as the same, and verified without a panic.
pub fn record(data: &[u8]) {
    let Ok(parsed) = parse(data) else {
        return;
    };
    let record = parsed.record;
    // JSON has no numbers but finite ones, so that these are equal to themselves.
    let again = parse(record.text().as_bytes()).expect("what was written is read");
    assert_eq!(again.record, record);
    let Some(variant) = Variant::from_name(&record.header.variant) else {
        return;
    };
    with_game!(variant, G => {
        let options = <G as Rules>::Options::default();
        for game in record.games.iter().take(4) {
            let _ = replay::Verifier::<G>::new(&record.header, &options).verify(game);
            let _ = game_text::<G>(&record.header, game, &options);
        }
    });
}

/// Games as PGN: what is read is written and read back as the same.
pub fn games(data: &[u8]) {
    for game in pgn::parse(&pgn::decode(data)).iter().take(8) {
        let variant = game.tag("Variant").and_then(Variant::from_name);
        with_game!(variant.unwrap_or_default(), G => {
            let options = <G as Rules>::Options::default();
            let Ok(played) = of_pgn::<G>(game, &options) else {
                continue;
            };
            let written = pgn::text(&played);
            let read = pgn::parse(&written);
            assert_eq!(read.len(), 1, "{written}");
            let again = of_pgn::<G>(&read[0], &options).expect("what was written is read");
            assert_eq!(pgn::text(&again), written);
            assert_eq!(again.line(), played.line(), "{written}");
        });
    }
}

/// The lines of an opening file, in every game.
pub fn epd(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in openings::lines(&text).take(16) {
        for &variant in Variant::ALL {
            with_game!(variant, G => {
                let options = <G as Rules>::Options::default();
                if let Ok(parsed) = epd::position::<G>(line, &options) {
                    check(&parsed.position, &options);
                }
            });
        }
    }
}
