//! Ends that the players agree on: both see a win, or both see nothing, for some turns.

use crate::record::game::Bound;
use crate::record::{GameResult, Header, Termination, TurnRecord};
use fauve_engine::core::Color;
use fauve_game::end::End;

/// The value that stands for a mate in adjudication, in centipawns.
const MATE_VALUE: i32 = 30_000;

/// What the players have thought lately, for adjudication.
#[derive(Debug, Default)]
pub struct Adjudicator {
    white_wins: u32,
    black_wins: u32,
    draws: u32,
    turns: u32,
}

impl Adjudicator {
    /// Takes the value that the side which has just played saw for itself.
    pub fn note(&mut self, header: &Header, mover: Color, turn: &TurnRecord) {
        self.turns += 1;
        let value = match (turn.mate, turn.cp) {
            (Some(mate), _) if mate > 0 => Some(MATE_VALUE),
            (Some(_), _) => Some(-MATE_VALUE),
            // The least number has no opposite.
            (None, cp) => cp.map(|cp| cp.max(-i32::MAX)),
        };
        // What the value is at least and at most: a bound says nothing in the other direction.
        let least = value.filter(|_| turn.bound != Some(Bound::Upper));
        let most = value.filter(|_| turn.bound != Some(Bound::Lower));
        let (white_least, white_most) = if mover == Color::White {
            (least, most)
        } else {
            (most.map(|value| -value), least.map(|value| -value))
        };
        let extend = |count: u32, holds: bool| if holds { count + 1 } else { 0 };
        if let Some(rule) = header.resign {
            self.white_wins = extend(
                self.white_wins,
                white_least.is_some_and(|value| value >= rule.score),
            );
            self.black_wins = extend(
                self.black_wins,
                white_most.is_some_and(|value| value <= -rule.score),
            );
        }
        if let Some(rule) = header.draw {
            self.draws = extend(
                self.draws,
                turn.bound.is_none() && white_least.is_some_and(|value| value.abs() <= rule.score),
            );
        }
    }

    /// The end that both players agree on, if there is one.
    pub fn end(&self, header: &Header) -> Option<End> {
        let end = |result, reason: &str| {
            Some(End {
                result,
                termination: Termination::Adjudication,
                reason: reason.to_owned(),
            })
        };
        if let Some(rule) = header.resign {
            if self.white_wins >= 2 * rule.turns {
                return end(GameResult::White, "White wins by adjudication");
            }
            if self.black_wins >= 2 * rule.turns {
                return end(GameResult::Black, "Black wins by adjudication");
            }
        }
        match header.draw {
            Some(rule) if self.draws >= 2 * rule.turns && self.turns >= 2 * rule.after => {
                end(GameResult::Draw, "draw by adjudication")
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples;

    #[test]
    fn a_bound_is_adjudicated_in_its_own_direction_only() {
        let mut header = samples::header();
        header.resign = Some(crate::record::WinRule {
            score: 500,
            turns: 1,
        });
        header.draw = Some(crate::record::DrawRule {
            score: 10,
            turns: 1,
            after: 0,
        });
        let result = |cp: i32, white, black| {
            let mut adjudicator = Adjudicator::default();
            for (mover, cp, bound) in [(Color::White, cp, white), (Color::Black, -cp, black)] {
                let turn = TurnRecord {
                    cp: Some(cp),
                    bound,
                    ..TurnRecord::default()
                };
                adjudicator.note(&header, mover, &turn);
            }
            adjudicator.end(&header).map(|end| end.result)
        };
        let (lower, upper) = (Some(Bound::Lower), Some(Bound::Upper));
        assert_eq!(result(600, None, None), Some(GameResult::White));
        assert_eq!(result(600, lower, upper), Some(GameResult::White));
        assert_eq!(result(600, upper, None), None);
        assert_eq!(result(600, None, lower), None);
        assert_eq!(result(-600, upper, lower), Some(GameResult::Black));
        assert_eq!(result(-600, lower, None), None);
        assert_eq!(result(0, None, None), Some(GameResult::Draw));
        assert_eq!(result(0, lower, None), None);
    }

    #[test]
    fn the_least_number_is_no_draw() {
        let mut header = samples::header();
        header.draw = Some(crate::record::DrawRule {
            score: 10,
            turns: 1,
            after: 0,
        });
        let turn = TurnRecord {
            cp: Some(i32::MIN),
            ..TurnRecord::default()
        };
        let mut adjudicator = Adjudicator::default();
        for mover in [Color::White, Color::Black] {
            adjudicator.note(&header, mover, &turn);
        }
        assert!(adjudicator.end(&header).is_none());
    }
}
