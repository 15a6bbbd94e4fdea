//! Ends that the players agree on: both (or the loser alone) see a win, or both see nothing, for some turns.

use crate::record::game::Bound;
use crate::record::{GameResult, Header, Termination, TurnRecord};
use fauve_engine::core::Color;
use fauve_game::end::End;

/// The value that stands for a mate in adjudication, in centipawns.
const MATE_VALUE: i32 = 30_000;

/// Longer games are drawn by adjudication, also where the user has switched the draws of the rules off.
const LONGEST_GAME: u64 = 10_000;

/// What the players have thought lately, for adjudication.
#[derive(Debug, Default)]
pub struct Adjudicator {
    white_wins: Row,
    black_wins: Row,
    draws: Row,
    turns: u32,
}

/// An unbroken row of turns after which the player that made them saw the same, counted for White and for Black: where a player has to
/// pass, the other one makes several turns in a row, and does not agree with itself.
#[derive(Debug, Default)]
struct Row([u32; 2]);

impl Row {
    fn extend(&mut self, mover: Color, holds: bool) {
        if holds {
            self.0[mover.index()] += 1;
        } else {
            self.0 = [0; 2];
        }
    }

    /// The turns of both players, of each as many as of the one that has fewer.
    fn of_both(&self) -> u32 {
        self.0[0].min(self.0[1])
    }

    /// The turns of one player.
    const fn of(&self, player: Color) -> u32 {
        self.0[player.index()]
    }
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
        if let Some(rule) = header.resign {
            // Where the loser alone decides, what the winner sees neither counts nor breaks the row.
            let counts = |winner| !rule.loser_alone || mover != winner;
            if counts(Color::White) {
                let is_won = white_least.is_some_and(|value| value >= rule.score);
                self.white_wins.extend(mover, is_won);
            }
            if counts(Color::Black) {
                let is_won = white_most.is_some_and(|value| value <= -rule.score);
                self.black_wins.extend(mover, is_won);
            }
        }
        if let Some(rule) = header.draw {
            let is_even = white_least.is_some_and(|value| value.abs() <= rule.score);
            self.draws.extend(mover, turn.bound.is_none() && is_even);
        }
    }

    /// The end that both players agree on, or that comes by length after this number of turns; `None` if the game goes on.
    pub fn end(&self, header: &Header, turns: u64) -> Option<End> {
        let longest = header.max_turns.unwrap_or(LONGEST_GAME);
        self.agreed(header).or_else(|| {
            (turns >= longest.min(LONGEST_GAME)).then(|| End {
                result: GameResult::Draw,
                termination: Termination::Adjudication,
                reason: format!("draw by adjudication after {turns} turns"),
            })
        })
    }

    fn agreed(&self, header: &Header) -> Option<End> {
        let end = |result, reason: &str| {
            Some(End {
                result,
                termination: Termination::Adjudication,
                reason: reason.to_owned(),
            })
        };
        if let Some(rule) = header.resign {
            let agreed = |row: &Row, loser: Color| {
                let turns = if rule.loser_alone {
                    row.of(loser)
                } else {
                    row.of_both()
                };
                turns >= rule.turns
            };
            if agreed(&self.white_wins, Color::Black) {
                return end(GameResult::White, "White wins by adjudication");
            }
            if agreed(&self.black_wins, Color::White) {
                return end(GameResult::Black, "Black wins by adjudication");
            }
        }
        match header.draw {
            Some(rule)
                if self.draws.of_both() >= rule.turns
                    && self.turns >= rule.after.saturating_mul(2) =>
            {
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

    /// The result after values that the players have seen for themselves, in this order.
    fn result_of(header: &Header, noted: &[(Color, i32)]) -> Option<GameResult> {
        let mut adjudicator = Adjudicator::default();
        for &(mover, cp) in noted {
            let turn = TurnRecord {
                cp: Some(cp),
                ..TurnRecord::default()
            };
            adjudicator.note(header, mover, &turn);
        }
        let end = adjudicator.end(header, noted.len() as u64);
        end.map(|end| end.result)
    }

    #[test]
    fn a_bound_is_adjudicated_in_its_own_direction_only() {
        let mut header = samples::header();
        header.resign = Some(crate::record::WinRule {
            score: 500,
            turns: 1,
            loser_alone: false,
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
            adjudicator.end(&header, 2).map(|end| end.result)
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
    fn a_loser_can_give_up_alone() {
        let result = |loser_alone, values: &[i32]| {
            let mut header = samples::header();
            header.resign = Some(crate::record::WinRule {
                score: 500,
                turns: 2,
                loser_alone,
            });
            let movers = [Color::White, Color::Black].into_iter().cycle();
            let noted: Vec<_> = movers.zip(values.iter().copied()).collect();
            result_of(&header, &noted)
        };
        // Black sees that it is lost, and White does not see that it has won.
        let black_despairs = [100, -600, 100, -700];
        assert_eq!(result(false, &black_despairs), None);
        assert_eq!(result(true, &black_despairs), Some(GameResult::White));
        // The winner alone ends nothing.
        assert_eq!(result(true, &[600, -100, 900, -100, 900]), None);
        assert_eq!(result(true, &[600, -600, 900, -400, 900, -600]), None);
        assert_eq!(
            result(false, &[600, -600, 900, -900]),
            Some(GameResult::White)
        );
        assert_eq!(result(true, &[-600, 0, -600]), Some(GameResult::Black));
    }

    #[test]
    fn a_player_does_not_agree_with_itself() {
        let mut header = samples::header();
        header.resign = Some(crate::record::WinRule {
            score: 500,
            turns: 2,
            loser_alone: false,
        });
        header.draw = Some(crate::record::DrawRule {
            score: 10,
            turns: 2,
            after: 0,
        });
        let result = |noted: &[(Color, i32)]| result_of(&header, noted);
        let (white, black) = (Color::White, Color::Black);
        // Black passes all the time, or nearly.
        assert_eq!(result(&[(white, 600); 9]), None);
        assert_eq!(result(&[(white, 0); 9]), None);
        let twice = [(white, 600), (black, -600), (white, 600), (white, 600)];
        assert_eq!(result(&twice), None);
        let agreed = [&twice[..], &[(black, -600)]].concat();
        assert_eq!(result(&agreed), Some(GameResult::White));
        let broken = [&twice[..], &[(black, -400), (white, 600), (black, -600)]].concat();
        assert_eq!(result(&broken), None);
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
        assert!(adjudicator.end(&header, 2).is_none());
    }
}
