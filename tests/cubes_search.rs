//! What the search of Cubes 4D knows about mates.

use crate::cubes::won_positions;
use fauve_engine::rules::cubes::{Options, Position};
use fauve_engine::rules::{Game, Rules, legal_steps};
use fauve_engine::search::mate::{Effort, find_mate};
use fauve_engine::search::{Control, Limits, Search, Settings, Table};

/// Whether some turn mates.
fn mates(position: &Position) -> bool {
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
            let answer = Position::search(&game, &limits, &settings, &table, &control, &mut |_| {});
            for step in answer.best.into_iter().flatten() {
                game.play(step);
            }
        }
    }
    assert!(found[0] >= 3 && found[1] >= 3, "{found:?}");
}
