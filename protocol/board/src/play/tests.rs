use super::{AnyGame, begin};
use crate::view::View;
use fauve_engine::Variant;
use fauve_engine::rules::DiceSeed;

fn start(variant: Variant, fen: Option<&str>) -> Box<dyn AnyGame> {
    begin(variant, fen, DiceSeed(42)).expect("a position").0
}

/// Plays the first, the last or a middle step, over and over.
fn wander(game: &mut dyn AnyGame, steps: usize) {
    for number in 0..steps {
        let allowed = game.view().steps;
        let Some(step) = allowed.get(number * 7919 % allowed.len().max(1)) else {
            return;
        };
        game.step(&step.token).expect("a step of the view");
    }
}

#[test]
fn everything_can_be_taken_back() {
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        let first = game.view();
        wander(&mut *game, 40);
        while game.undo_step() {}
        let turns = game.turns().len();
        assert!(turns > 8, "{variant}");
        assert_eq!(
            game.view_after(0),
            View {
                steps: Vec::new(),
                ..first.clone()
            }
        );
        assert_eq!(game.view_after(turns).men, game.view().men);
        while game.undo_turn() {}
        assert_eq!(game.view(), first, "{variant}");
        assert!(!game.undo_step() && game.begun().is_empty());
    }
}

#[test]
fn a_game_is_the_same_after_its_turns_are_read_again() {
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        wander(&mut *game, 60);
        while game.undo_step() {}
        let mut again = start(variant, Some(&game.start_fen()));
        for turn in game.turns() {
            again
                .turn(turn.roll.as_deref(), &turn.token)
                .expect("a turn that was played");
        }
        assert_eq!(again.turns(), game.turns(), "{variant}");
        let pgn = game.pgn(
            &[
                ("Variant", variant.name().to_owned()),
                ("FEN", game.start_fen()),
            ],
            "*",
        );
        let read = crate::import::read(&pgn, variant.name()).expect("a game");
        assert_eq!(read[0].listed.turns, game.turns().len(), "{variant}: {pgn}");
    }
}

#[test]
fn tries_that_are_no_steps_are_answered_and_change_nothing() {
    let squares: Vec<String> = [
        "a1", "b1", "e1", "e2", "e4", "e8", "e10", "f8", "k6", "o15", "A", "x", "",
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        for _ in 0..12 {
            for from in &squares {
                for to in &squares {
                    assert!(
                        game.why(from, to).ends_with('.'),
                        "{variant} {from} {to}: {}",
                        game.why(from, to)
                    );
                }
            }
            wander(&mut *game, 3);
        }
        let before = game.view();
        assert!(
            game.step("a1a1").is_err() && game.step("").is_err() && game.turn(None, "x").is_err()
        );
        assert_eq!(game.view(), before);
        let _ = (game.dangers(), game.statics());
    }
}
