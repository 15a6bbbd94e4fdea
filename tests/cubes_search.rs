//! What the search of Cubes 4D knows about mates.

use crate::cubes::won_positions;
use fauve_engine::rules::cubes::{Cubes4d, Options, Step};
use fauve_engine::rules::{Game, Notation, Outcome, Rules, legal_steps};
use fauve_engine::search::mate::{Effort, find_mate};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};

/// Whether some turn mates.
fn mates(position: &Cubes4d) -> bool {
    legal_steps(position).iter().any(|&step| {
        let mut next = *position;
        next.play(step);
        next.in_check() && legal_steps(&next).is_empty()
    })
}

/// Mates in two that are found by checks are mates by every answer, and mates at once are all found.
#[test]
fn mates_by_checks_are_mates() {
    let effort = Effort {
        turns: 2,
        quiet: 0,
        positions: 100,
    };
    let limits = Limits {
        nodes: Some(200),
        ..Limits::default()
    };
    let (control, settings) = (Control::default(), Settings::default());
    let mut found = [0; 2];
    for start in won_positions().step_by(16) {
        let mut game = Game::new(start, Options::default());
        let table = Table::new(1).expect("a small table");
        while game.outcome().is_none() && game.past().len() < 120 {
            let position = *game.position();
            let mate = find_mate(&position, effort, &[], &control);
            let turns = mate.as_ref().map(|mate| mate.turns);
            assert_eq!(turns == Some(1), mates(&position), "{position:?}");
            if let Some(mate) = mate {
                found[mate.turns as usize - 1] += 1;
                let mut checked = position;
                checked.play(mate.line[0][0]);
                assert!(checked.in_check());
                for &answer in &legal_steps(&checked) {
                    let mut after = checked;
                    after.play(answer);
                    assert!(mates(&after), "{position:?}");
                }
            }
            let answer =
                Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
            for step in answer.best.into_iter().flatten() {
                game.play(step);
            }
        }
    }
    assert!(found[0] >= 3 && found[1] >= 3, "{found:?}");
}

/// A lone King, hunted by King, Queen, Knight and two grand Pawns: the table says mate in six turns, far from where the counters end.
fn bared() -> Cubes4d {
    let fen =
        "d11:00000100/11102112Q/00211011/21k0N02G01G1/00011110/022001K02/00001100 w - ggq - b0 48";
    Cubes4d::from_fen(fen, &Options::default())
        .expect("a position")
        .position
}

/// The hunters have lost two turns in which they and the King went and came back: the same turns again would draw the game, and tables
/// do not know it. What is announced is kept whatever the King plays, above all if it continues the pattern.
#[test]
fn mates_of_tables_mind_the_pattern_that_draws() {
    let start = bared();
    let (control, settings) = (Control::default(), Settings::default());
    let limits = Limits {
        nodes: Some(2_000),
        ..Limits::default()
    };
    let table = Table::new(1).expect("a small table");
    let answer = |game: &Game<Cubes4d>| {
        Searcher::new(&table, &settings, &control).run(game, &limits, &mut |_| {})
    };
    let back = |game: &Game<Cubes4d>, step: Step| {
        let unmakes = |&back: &Step| step.is_unmade_by(back);
        legal_steps(game.position()).into_iter().find(unmakes)
    };
    let first = answer(&Game::new(start, Options::default()));
    let first = first.best.expect("a turn")[0];
    let mut checked = 0;
    let mut after = start;
    after.play(first);
    for reply in legal_steps(&after) {
        let mut game = Game::new(start, Options::default());
        game.play(first);
        game.play(reply);
        let Some(first_back) = back(&game, first) else {
            continue;
        };
        game.play(first_back);
        let Some(reply_back) = back(&game, reply) else {
            continue;
        };
        game.play(reply_back);
        checked += 1;
        let mut left = None;
        while game.outcome().is_none() {
            let answer = answer(&game);
            let hunts = game.position().side_to_move() == start.side_to_move();
            if let (true, Score::Mate(turns)) = (hunts, answer.score) {
                assert!(left.is_none_or(|left| turns <= left), "{turns} of {left:?}");
                left = Some(turns - 1);
            }
            let again = !hunts && game.past().len() == 5;
            let remade = again && legal_steps(game.position()).contains(&reply);
            let best = if remade {
                reply
            } else {
                answer.best.expect("a turn")[0]
            };
            game.play(best);
        }
        let won =
            matches!(game.outcome(), Some(Outcome::Win(color, _)) if color == start.side_to_move());
        assert!(won || left.is_none(), "{left:?}, {:?}", game.outcome());
    }
    assert!(checked > 0);
}

/// A King has just been left alone, and King and Queen mate him in six turns on the relief as it is: that is seen at once, and played.
/// The hunters have pieces and cubes enough to lose themselves in; the search may find with them a mate that is nearer than the table's, which
/// knows the Queen's turns only.
#[test]
fn lone_kings_are_mated_as_soon_as_tables_say() {
    let start = bared();
    let (control, settings) = (Control::default(), Settings::default());
    for nodes in [100, 20_000] {
        let mut game = Game::new(start, Options::default());
        let table = Table::new(1).expect("a small table");
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut left = 6;
        while game.outcome().is_none() {
            let answer =
                Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
            if game.position().side_to_move() == start.side_to_move() {
                let Score::Mate(turns) = answer.score else {
                    panic!("{:?}, {}", answer.score, game.position().fen());
                };
                assert!((1..=left).contains(&turns), "{}", game.position().fen());
                let first = game.position().key() == start.key();
                assert!(turns == left || nodes > 100 && !first, "{turns} of {left}");
                left = turns - 1;
            }
            for step in answer.best.into_iter().flatten() {
                game.play(step);
            }
        }
        let winner = Some(start.side_to_move());
        assert!(matches!(game.outcome(), Some(Outcome::Win(color, _)) if Some(color) == winner));
        assert_eq!(left, 0);
    }
}

/// In custom positions with many times the usual material the side that is behind sees that it is, and is not taken for mated.
#[test]
fn crowded_boards_are_no_mates() {
    let options = Options {
        free_material: true,
        ..Options::default()
    };
    let (control, settings) = (Control::default(), Settings::default());
    for (fen, depth) in [
        (
            "d12:10101k0101p/01N01N0N1N01N0N/1N0N1N0101N0N1N/0N1N0N1N0N1N0N1N0N/1N0N1N0N1N0N1N0N1N/0N1N0N1N0N1N0N1N0N/1N0N1N0N1N0N1N0N1N/0N1N0N1K0N1N0N1N0Q b - - - - 1",
            1,
        ),
        (
            "d12:10b1n0k1n0n1r01r/0b1b01n0n1010/1r010r1b01b01b/0B1N0N1B0P1B0B1B0B/1Q0Q10Q1Q0Q1Q0Q1Q/01Q0Q1Q0Q10Q1Q0Q/1Q01Q01Q01Q01Q/0Q1Q0Q1Q0Q1Q0K10Q b - - - - 1",
            2,
        ),
    ] {
        let start = Cubes4d::from_fen(fen, &options)
            .expect("a position")
            .position;
        let table = Table::new(1).expect("a small table");
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let game = Game::new(start, options);
        let answer = Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
        assert!(answer.best.is_some(), "{fen}");
        assert!(
            matches!(answer.score, Score::Cp(..0) | Score::Mate(..0)),
            "{:?} {fen}",
            answer.score
        );
    }
}
