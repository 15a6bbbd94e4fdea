//! Puzzles: positions of games of the engine in which one turn alone forces mate, or is far better than every other one.
//!
//! `page/puzzles/GAME.txt` has them, made by the developers' tool `puzzles`, which proves what it says of them. A line is a puzzle:
//! `KIND;LEVEL;POSITION;TURNS`, KIND being the turns to the mate, or 0. The page fetches the file, and begins a game with one of its
//! lines.

use crate::lessons::Status;
use crate::play::{self, AnyGame, PlayError, TurnDone};
use fauve_engine::Variant;
use fauve_engine::rules::DiceSeed;
use serde::{Deserialize, Serialize};

/// The longest solution, in turns of both sides.
const LONGEST: usize = 15;

/// A puzzle that a page begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chosen {
    /// Its number among those of the game, from 0.
    number: usize,
    /// Its line of the file.
    text: String,
}

/// A position with one right turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Puzzle {
    /// The turns to the mate; 0: the turn is only better than the others.
    mate: u32,
    /// The lowest level that finds the turn; one above the highest if none does.
    level: u32,
    #[serde(skip)]
    fen: String,
    /// The solution as tokens: the solver's turns and the replies, by turns.
    #[serde(skip)]
    line: Vec<String>,
}

impl Puzzle {
    /// Reads a line; `None` if it is none.
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.split(';');
        let [mate, level, fen, turns] = [(); 4].map(|()| fields.next());
        let line: Vec<String> = turns?.split(' ').map(str::to_owned).collect();
        (line.len() <= LONGEST).then_some(())?;
        Some(Self {
            mate: mate?.parse().ok()?,
            level: level?.parse().ok()?,
            fen: fen?.to_owned(),
            line,
        })
    }

    /// How many turns of the solution, replies included, solve the puzzle.
    const fn needed(&self) -> usize {
        if self.mate == 0 { 1 } else { self.line.len() }
    }

    /// A game that begins with the puzzle.
    fn begin(&self, variant: Variant) -> Result<Box<dyn AnyGame>, PlayError> {
        // The roll is part of the position, and no other one is needed.
        Ok(play::begin(variant, Some(&self.fen), &[], DiceSeed(0))?.0)
    }
}

/// A puzzle as the page shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PuzzleState {
    /// Its number, from 0.
    number: usize,
    #[serde(flatten)]
    puzzle: Puzzle,
    status: Status,
    /// The solution, and how it goes on.
    solution: Vec<TurnDone>,
    /// What the page asked for, and asks for again where the server has lost the game.
    pub(crate) chosen: Chosen,
}

impl PuzzleState {
    /// A puzzle before its first turn; `None` if it cannot be read, or its solution is not legal.
    pub(crate) fn new(variant: Variant, chosen: &Chosen) -> Option<Self> {
        let puzzle = Puzzle::read(&chosen.text)?;
        let mut game = puzzle.begin(variant).ok()?;
        for turn in &puzzle.line {
            game.turn(turn).ok()?;
        }
        Some(Self {
            number: chosen.number,
            puzzle,
            status: Status::Open,
            solution: game.turns().to_vec(),
            chosen: chosen.clone(),
        })
    }

    /// The position that it begins with.
    pub(crate) fn fen(&self) -> &str {
        &self.puzzle.fen
    }

    /// Compares the turns of the game with the solution. A turn is right if it leads to the same position, and one that mates in
    /// place of the last turn as well. After a right turn that is not the last one the reply is made.
    ///
    /// # Errors
    /// A turn of the solution that is not legal.
    pub(crate) fn judge(&mut self, game: &mut dyn AnyGame) -> Result<(), PlayError> {
        let puzzle = &self.puzzle;
        let mut model = puzzle.begin(game.variant())?;
        let made: Vec<String> = game.turns().iter().map(|turn| turn.token.clone()).collect();
        self.status = Status::Open;
        for (number, (turn, wanted)) in made.iter().zip(&puzzle.line).enumerate() {
            let (mut right, mut tried) = (model.copy(), model);
            right.turn(wanted)?;
            tried.turn(turn)?;
            let is_last = number + 1 == puzzle.needed();
            let mates =
                puzzle.mate > 0 && is_last && tried.is_decided() && right.end() == tried.end();
            if right.view().fen != tried.view().fen && !mates {
                self.status = Status::Failed;
                return Ok(());
            }
            if is_last {
                self.status = Status::Done;
                return Ok(());
            }
            model = right;
        }
        if made.len() % 2 == 1
            && let Some(reply) = puzzle.line.get(made.len())
        {
            game.turn(reply)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The puzzles of each game.
    const FILES: [(Variant, &str); 5] = [
        (Variant::Chess, include_str!("page/puzzles/chess.txt")),
        (
            Variant::Superchess,
            include_str!("page/puzzles/superchess.txt"),
        ),
        (Variant::TwoMove, include_str!("page/puzzles/twomove.txt")),
        (
            Variant::DiceChess,
            include_str!("page/puzzles/dicechess.txt"),
        ),
        (Variant::Cubes4d, include_str!("page/puzzles/cubes4d.txt")),
    ];

    fn all() -> impl Iterator<Item = (Variant, PuzzleState)> {
        FILES.iter().flat_map(|&(variant, text)| {
            text.lines().enumerate().map(move |(number, line)| {
                let text = line.to_owned();
                let state = PuzzleState::new(variant, &Chosen { number, text });
                (
                    variant,
                    state.unwrap_or_else(|| panic!("{variant}: {line}")),
                )
            })
        })
    }

    #[test]
    fn there_are_many_puzzles_each_once_and_easy_ones_first() {
        for (variant, text) in FILES {
            let puzzles: Vec<Puzzle> = text.lines().filter_map(Puzzle::read).collect();
            assert!(puzzles.len() >= 150, "{variant}: {}", puzzles.len());
            assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.level), "{variant}");
            let fens: HashSet<&str> = puzzles.iter().map(|puzzle| puzzle.fen.as_str()).collect();
            assert_eq!(
                fens.len(),
                puzzles.len(),
                "{variant}: a puzzle is there twice"
            );
        }
    }

    /// Each puzzle is solved by its solution and by no other turn; mates end the game.
    #[test]
    fn every_puzzle_is_solved_by_its_solution_alone() {
        for (variant, mut state) in all() {
            let puzzle = state.puzzle.clone();
            let mut game = puzzle.begin(variant).expect("its position");
            let other = another_turn(&*game, &puzzle.line[0]);
            for turn in puzzle.line[..puzzle.needed()].iter().step_by(2) {
                assert_eq!(state.status, Status::Open, "{puzzle:?}");
                game.turn(turn).expect("a legal turn");
                state.judge(&mut *game).expect("legal turns");
            }
            assert_eq!(state.status, Status::Done, "{puzzle:?}");
            if puzzle.mate > 0 {
                assert!(game.is_decided(), "{puzzle:?}");
                assert_eq!(puzzle.line.len() as u32, 2 * puzzle.mate - 1, "{puzzle:?}");
            }
            if let Some(other) = other {
                let mut game = puzzle.begin(variant).expect("its position");
                game.turn(&other).expect("a legal turn");
                state.judge(&mut *game).expect("legal turns");
                assert_eq!(state.status, Status::Failed, "{puzzle:?}: {other}");
                assert_eq!(game.turns().len(), 1, "{puzzle:?}");
            }
        }
    }

    /// A turn of first legal steps that leads elsewhere and does not end the game.
    fn another_turn(game: &dyn AnyGame, solution: &str) -> Option<String> {
        let mut right = game.copy();
        right.turn(solution).expect("the solution");
        for first in game.view().steps {
            let mut tried = game.copy();
            let mut is_whole = tried.step(&first.token).expect("a legal step");
            while !is_whole {
                let next = tried.view().steps.first()?.token.clone();
                is_whole = tried.step(&next).expect("a legal step");
            }
            if tried.view().fen != right.view().fen && !tried.is_decided() {
                return tried.turns().last().map(|turn| turn.token.clone());
            }
        }
        None
    }

    /// Steps of a turn in another order are the same answer, and after the first turn of a mate in two the reply is made.
    #[test]
    fn replies_are_made_and_other_orders_are_accepted() {
        let mut seen = [0; 2];
        for (variant, mut state) in all() {
            let puzzle = state.puzzle.clone();
            let mut game = puzzle.begin(variant).expect("its position");
            let steps: Vec<&str> = puzzle.line[0].split(',').collect();
            let turned: Vec<&str> = steps.iter().rev().copied().collect();
            if steps.len() == 2 && game.turn(&turned.join(",")).is_ok() {
                let mut right = puzzle.begin(variant).expect("its position");
                right.turn(&puzzle.line[0]).expect("the solution");
                if right.view().fen == game.view().fen {
                    state.judge(&mut *game).expect("legal turns");
                    assert_ne!(state.status, Status::Failed, "{puzzle:?}");
                    seen[0] += 1;
                }
            } else if puzzle.mate == 2 && game.turn(&puzzle.line[0]).is_ok() {
                state.judge(&mut *game).expect("legal turns");
                assert_eq!(game.turns().len(), 2, "{puzzle:?}");
                assert_eq!(state.status, Status::Open, "{puzzle:?}");
                seen[1] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn what_is_no_puzzle_is_refused() {
        for text in [
            "",
            ";;;",
            "1;1;4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "1;1;no position;e2e4",
            "0;1;4k3/8/8/8/8/8/8/4K3 w - - 0 1;e1e8",
            &format!(
                "0;1;4k3/8/8/8/8/8/8/4K3 w - - 0 1;{}e1d1",
                "e1d1 e8d8 d1e1 d8e8 ".repeat(4)
            ),
        ] {
            let text = text.to_owned();
            let chosen = Chosen { number: 0, text };
            assert_eq!(
                PuzzleState::new(Variant::Chess, &chosen),
                None,
                "{chosen:?}"
            );
        }
    }
}
