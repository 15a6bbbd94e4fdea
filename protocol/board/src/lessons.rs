//! The first lesson of each game: five positions, each with a task, and how a right answer is recognised.

use crate::play::TurnDone;
use crate::view::{End, StepKind, View};
use fauve_engine::Variant;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A position with a task.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lesson {
    pub(crate) title: String,
    pub(crate) fen: String,
    /// What there is to know, and to do.
    pub(crate) task: String,
    /// Said when it was tried and failed.
    pub(crate) hint: String,
    /// Said when it is done.
    pub(crate) done: String,
    pub(crate) goal: Goal,
}

/// What a turn has to be: everything that is given here.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Goal {
    /// The game is won by it.
    wins: bool,
    /// The opponent is in check after it.
    checks: bool,
    /// The number of its steps.
    steps: Option<usize>,
    /// One of its steps goes to this square.
    to: Option<String>,
    /// One of its steps is of this kind: `castle`, `place`, `cube`, `pass`.
    kind: Option<String>,
    /// A piece of this letter (capital) enters the board or comes from a pawn.
    piece: Option<char>,
    /// So many of its steps capture.
    captures: Option<usize>,
    /// It is one of these.
    turns: Vec<String>,
}

/// How a lesson stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Nothing was played yet.
    Open,
    /// The task is done.
    Done,
    /// The turn was another one.
    Failed,
}

/// A lesson as the page shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct LessonState {
    /// Its number, from 0.
    pub(crate) number: usize,
    pub(crate) title: String,
    pub(crate) task: String,
    pub(crate) status: Status,
    /// What is said of the turn.
    pub(crate) said: String,
}

impl LessonState {
    /// A lesson before its turn.
    pub(crate) fn new(lesson: &Lesson, number: usize) -> Self {
        Self {
            number,
            title: lesson.title.clone(),
            task: lesson.task.clone(),
            status: Status::Open,
            said: String::new(),
        }
    }

    /// Looks at the game's first turn: what stands after it decides.
    pub(crate) fn judge(
        &mut self,
        variant: Variant,
        turns: &[TurnDone],
        view: &View,
        end: Option<&End>,
    ) {
        let Some(lesson) = lesson(variant, self.number) else {
            return;
        };
        (self.status, self.said) = match turns.first() {
            None => (Status::Open, String::new()),
            Some(turn) if lesson.goal.is_met(turn, view, end) => {
                (Status::Done, lesson.done.clone())
            }
            Some(_) => (Status::Failed, lesson.hint.clone()),
        };
    }
}

impl Goal {
    /// Whether a turn is what was asked for.
    pub(crate) fn is_met(&self, turn: &TurnDone, after: &View, end: Option<&End>) -> bool {
        let winner = if turn.side == 'w' { "1-0" } else { "0-1" };
        let has = |test: &dyn Fn(&crate::view::Step) -> bool| turn.steps.iter().any(test);
        (!self.wins || end.is_some_and(|end| end.result == winner))
            && (!self.checks || after.check.is_some())
            && self.steps.is_none_or(|steps| turn.steps.len() == steps)
            && self
                .to
                .as_ref()
                .is_none_or(|to| has(&|step| step.to.as_ref() == Some(to)))
            && self
                .kind
                .as_ref()
                .is_none_or(|kind| has(&|step| name(step.kind) == kind))
            && self.piece.is_none_or(|piece| {
                has(&|step| {
                    step.piece
                        .is_some_and(|own| own.eq_ignore_ascii_case(&piece))
                })
            })
            && self.captures.is_none_or(|captures| {
                turn.steps.iter().filter(|step| step.captures).count() == captures
            })
            && (self.turns.is_empty() || self.turns.contains(&turn.token))
    }
}

const fn name(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Move => "move",
        StepKind::Castle => "castle",
        StepKind::Place => "place",
        StepKind::Cube => "cube",
        StepKind::Choose => "choose",
        StepKind::Pass => "pass",
    }
}

/// The lessons of all games, in the order of [`Variant::ALL`]; none for a game that has no lessons yet.
static LESSONS: LazyLock<Vec<Vec<Lesson>>> = LazyLock::new(|| {
    Variant::ALL
        .iter()
        .map(|variant| {
            let text = match variant {
                Variant::Chess => include_str!("lessons/chess.json"),
                Variant::Superchess => include_str!("lessons/superchess.json"),
                Variant::TwoMove => include_str!("lessons/twomove.json"),
                Variant::DiceChess => include_str!("lessons/dicechess.json"),
                Variant::Cubes4d => include_str!("lessons/cubes4d.json"),
                #[cfg(feature = "breakthrough")]
                Variant::Breakthrough => "[]",
            };
            serde_json::from_str(text).expect("the lessons are checked by a test")
        })
        .collect()
});

/// The lessons of a game.
pub(crate) fn lessons(variant: Variant) -> &'static [Lesson] {
    let place = Variant::ALL.iter().position(|&other| other == variant);
    place.map_or(&[], |place| &LESSONS[place])
}

/// A lesson by its number.
pub(crate) fn lesson(variant: Variant, number: usize) -> Option<&'static Lesson> {
    lessons(variant).get(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{AnyGame, begin};
    use fauve_engine::rules::DiceSeed;

    /// Plays every turn from here; gives how many there are and which of them meet the goal.
    fn solve(
        game: &dyn AnyGame,
        goal: &Goal,
        prefix: &mut Vec<String>,
        all: &mut usize,
        met: &mut Vec<String>,
    ) {
        for step in game.view().steps {
            let mut next = game.copy();
            let complete = next.step(&step.token).expect("a legal step");
            prefix.push(step.token);
            if complete {
                *all += 1;
                let end = next.end();
                if goal.is_met(&next.turns()[0], &next.view(), end.as_ref()) {
                    met.push(prefix.join(","));
                }
            } else {
                solve(&*next, goal, prefix, all, met);
            }
            prefix.pop();
        }
    }

    #[test]
    fn every_lesson_can_be_done_and_missed() {
        for &variant in Variant::ALL {
            let lessons = lessons(variant);
            if variant.name() == "breakthrough" {
                continue;
            }
            assert_eq!(lessons.len(), 5, "{variant}");
            for lesson in lessons {
                let (game, warnings) = begin(variant, Some(&lesson.fen), &[], DiceSeed(1))
                    .unwrap_or_else(|why| panic!("{variant}, {}: {why}", lesson.title));
                assert!(
                    warnings.is_empty(),
                    "{variant}, {}: {warnings:?}",
                    lesson.title
                );
                let (mut all, mut met) = (0, Vec::new());
                solve(&*game, &lesson.goal, &mut Vec::new(), &mut all, &mut met);
                println!(
                    "{variant}, {}: {} of {all}, {:?}",
                    lesson.title,
                    met.len(),
                    met.first()
                );
                assert!(
                    !met.is_empty(),
                    "{variant}, {}: cannot be done",
                    lesson.title
                );
                let only_way = all == met.len();
                assert!(!only_way, "{variant}, {}: anything does", lesson.title);
            }
        }
    }
}
