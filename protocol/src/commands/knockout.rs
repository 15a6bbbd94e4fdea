//! `fauve match --tournament knockout`: meetings of two players, of which the better one goes on.
//!
//! Each meeting is a match of its own with a record and a PGN in one folder, so that it is resumed, verified, joined and rated as any match.

use super::tournament::warn_of_withdrawn;
use super::{ensure_free, players};
use crate::terminal::Printer;
use crate::variants::with_game;
use anyhow::Result;
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_referee::matches::tournament::{Outcome, Run, run};
use fauve_referee::player::group;
use fauve_referee::record::Header;
use fauve_referee::record::lines::read_header;
use std::path::{Path, PathBuf};

/// The pairs that are added to a drawn meeting, one at a time, before the player that was named first goes on.
const MOST_TIE_BREAKS: u64 = 10;

/// A knockout of the players of a tournament, the best of whom are named first.
pub(super) struct Knockout<'a> {
    pub(super) header: &'a Header,
    pub(super) variant: Variant,
    pub(super) folder: &'a Path,
    /// Whether a PGN that is there already is replaced.
    pub(super) force: bool,
    /// How each meeting is run; its files are set here.
    pub(super) settings: Run,
}

/// The record of a meeting, both numbers from 1.
pub(super) fn record(folder: &Path, stage: usize, meeting: usize) -> PathBuf {
    folder.join(format!("{stage}-{meeting}.jsonl"))
}

/// The PGN of a meeting, beside its record.
fn pgn(record: &Path) -> PathBuf {
    record.with_extension("pgn")
}

/// The first of the players that are left, who have a bye, so that a power of two is left afterwards; and the meetings of the
/// others, the first of them against the last and so on.
fn meetings(left: &[usize]) -> (&[usize], Vec<[usize; 2]>) {
    let (byes, rest) = left.split_at(left.len().next_power_of_two() - left.len());
    let pairs = (0..rest.len() / 2).map(|place| [rest[place], rest[rest.len() - 1 - place]]);
    (byes, pairs.collect())
}

/// How a knockout ends.
pub(super) enum KnockoutEnd {
    /// There is a winner.
    Played {
        /// Whether all games were played: no program was withdrawn.
        is_complete: bool,
    },
    /// A meeting was ended, and with it the knockout: what came of it, and its record.
    Ended(Box<Outcome>, PathBuf),
}

impl Knockout<'_> {
    /// Plays it to its end, and prints each meeting and the winner.
    ///
    /// # Errors
    /// Why a meeting cannot begin.
    pub(super) fn play(&self) -> Result<KnockoutEnd> {
        self.check_files()?;
        let mut is_complete = true;
        let mut left: Vec<usize> = (0..self.header.engines.len()).collect();
        let mut out = Printer::default();
        for stage in 1.. {
            if left.len() < 2 {
                break;
            }
            let (byes, pairs) = meetings(&left);
            for &player in byes {
                writeln!(out, "Round {stage}: {} has a bye", self.name(player))?;
            }
            let mut next = byes.to_vec();
            for (number, pair) in (1..).zip(pairs) {
                let path = record(self.folder, stage, number);
                let gone_on = self.gone_on(pair, stage);
                let outcome = self.meet(pair, stage, &path, gone_on.is_some())?;
                let has_ended = outcome.error.is_some() || outcome.is_stopped;
                if has_ended || group::is_stopping() {
                    return Ok(KnockoutEnd::Ended(Box::new(outcome), path));
                }
                warn_of_withdrawn(&outcome);
                is_complete &= outcome.withdrawn.is_empty();
                let better = pair[usize::from(is_second_better(&outcome))];
                let winner = gone_on.unwrap_or(better);
                let why = if winner == better {
                    ""
                } else {
                    ", since its next meeting has begun already"
                };
                let [first, second] = [0, 1].map(|player| outcome.tally.points(player));
                writeln!(
                    out,
                    "Round {stage}: {} - {} {first:.1} - {second:.1}, {} goes on{why}",
                    self.name(pair[0]),
                    self.name(pair[1]),
                    self.name(winner)
                )?;
                out.flush()?;
                next.push(winner);
            }
            // In the order in which they were named.
            next.sort_unstable();
            left = next;
        }
        writeln!(out, "Winner: {}", self.name(left[0]))?;
        Ok(KnockoutEnd::Played { is_complete })
    }

    fn name(&self, player: usize) -> String {
        printable(&self.header.engines[player].name)
    }

    /// Checks that no meeting that has not begun yet would replace a PGN.
    fn check_files(&self) -> Result<()> {
        let mut left: Vec<usize> = (0..self.header.engines.len()).collect();
        for stage in 1.. {
            if left.len() < 2 {
                break;
            }
            let (byes, pairs) = meetings(&left);
            for number in 1..=pairs.len() {
                let path = record(self.folder, stage, number);
                let has_begun = read_header(&path).is_some();
                ensure_free("--record", &pgn(&path), self.force || has_begun)?;
            }
            let next = byes.len() + pairs.len();
            left.truncate(next);
        }
        Ok(())
    }

    /// The player of a meeting that has begun its next one. Games of this meeting that were left out because the other one did not start
    /// any more may be played later; they change no meeting that is on record.
    fn gone_on(&self, pair: [usize; 2], stage: usize) -> Option<usize> {
        let mut next = (1..=self.header.engines.len())
            .filter_map(|number| read_header(&record(self.folder, stage + 1, number)));
        let has = |header: &Header, player: usize| {
            let name = &self.header.engines[player].name;
            header.engines.iter().any(|engine| engine.name == *name)
        };
        next.find_map(|header| pair.into_iter().find(|&player| has(&header, player)))
    }

    /// Plays a meeting with as many tie breaks as it needs, those of its record included. One that is settled needs no more of them.
    fn meet(
        &self,
        pair: [usize; 2],
        stage: usize,
        path: &Path,
        is_settled: bool,
    ) -> Result<Outcome> {
        let least = self.header.rounds;
        let mut rounds = read_header(path).map_or(least, |header| header.rounds.max(least));
        loop {
            let header = Header {
                event: format!("{}, round {stage}", self.header.event),
                engines: pair
                    .map(|player| self.header.engines[player].clone())
                    .to_vec(),
                rounds,
                ..self.header.clone()
            };
            let outcome = self.run(&header, path)?;
            let is_open = outcome.error.is_none()
                && outcome.withdrawn.is_empty()
                && !outcome.is_stopped
                && !group::is_stopping();
            // Points come in halves.
            let is_drawn = (outcome.tally.points(0) - outcome.tally.points(1)).abs() < 0.25;
            if !is_open || !is_drawn || is_settled || rounds >= least + MOST_TIE_BREAKS {
                return Ok(outcome);
            }
            rounds += 1;
        }
    }

    fn run(&self, header: &Header, path: &Path) -> Result<Outcome> {
        let settings = Run {
            record: Some(path.to_owned()),
            pgn: Some(pgn(path)),
            inside: players::configurations(&header.engines, self.variant)?,
            ..self.settings.clone()
        };
        let rules = header.rule_settings()?;
        let outcome = with_game!(self.variant, G => {
            run::<G>(header, self.variant, &rules.options(), &settings)
        })?;
        Ok(outcome)
    }
}

/// Whether the second player goes on: it has more points, or the first one does not start any more.
fn is_second_better(outcome: &Outcome) -> bool {
    let names = outcome.header.engines.iter().map(|engine| &engine.name);
    let is_gone = |name: &String| outcome.withdrawn.iter().any(|(gone, _)| gone == name);
    match names.map(is_gone).collect::<Vec<_>>()[..] {
        [true, false] => true,
        [false, true] => false,
        _ => outcome.tally.points(1) > outcome.tally.points(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_meets_the_last_and_byes_leave_a_power_of_two() {
        assert_eq!(meetings(&[0, 1]), (&[][..], vec![[0, 1]]));
        assert_eq!(meetings(&[0, 2, 3]), (&[0][..], vec![[2, 3]]));
        assert_eq!(meetings(&[0, 1, 2, 3]), (&[][..], vec![[0, 3], [1, 2]]));
        assert_eq!(meetings(&[0, 1, 2, 3, 4]), (&[0, 1, 2][..], vec![[3, 4]]));
        let seven: Vec<usize> = (0..7).collect();
        let wanted = vec![[1, 6], [2, 5], [3, 4]];
        assert_eq!(meetings(&seven), (&[0][..], wanted));
    }
}
