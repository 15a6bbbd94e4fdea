//! The games of a run that are being played, written down for those who follow the match.

use crate::record::TurnRecord;
use crate::record::live::{LiveGame, live_path, write_live};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the games are written while turns are made.
const PACE: Duration = Duration::from_millis(400);
/// How often they are written while the players think: who reads them sees that the match goes on.
pub const HEARTBEAT: Duration = Duration::from_secs(3);

/// The games that are being played, and where they are written.
#[derive(Debug, Default)]
pub struct Live {
    path: Option<PathBuf>,
    state: Mutex<State>,
    over: Condvar,
}

#[derive(Debug, Default)]
struct State {
    games: BTreeMap<u64, LiveGame>,
    has_changed: bool,
    is_over: bool,
}

/// A game in progress; it is no longer among the others when this is dropped.
#[derive(Debug)]
pub struct InProgress<'a> {
    live: &'a Live,
    game: u64,
}

impl Live {
    /// The games of the run that writes this record; without one they are not written.
    pub fn beside(record: Option<&Path>) -> Self {
        Self {
            path: record.and_then(live_path),
            ..Self::default()
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game begins.
    pub fn begin(&self, game: impl FnOnce() -> LiveGame) -> InProgress<'_> {
        let mut number = 0;
        if self.path.is_some() {
            let game = game();
            number = game.game;
            let mut state = self.state();
            state.games.insert(number, game);
            state.has_changed = true;
        }
        InProgress {
            live: self,
            game: number,
        }
    }

    /// Does the work of the run, and writes the games meanwhile. The file is gone at the end.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Ends the writing, whatever has become of the work.
        struct Ending<'a>(&'a Live);
        impl Drop for Ending<'_> {
            fn drop(&mut self) {
                self.0.state().is_over = true;
                self.0.over.notify_all();
            }
        }
        let Some(path) = &self.path else {
            return work();
        };
        thread::scope(|scope| {
            // Without a thread for it the match is played all the same, and nobody sees its games before their end.
            let _ = thread::Builder::new().spawn_scoped(scope, || self.write(path));
            let _ending = Ending(self);
            work()
        })
    }

    /// Writes the games again and again. A match does not end because they cannot be written.
    fn write(&self, path: &Path) {
        let mut written: Option<Instant> = None;
        let mut state = self.state();
        while !state.is_over {
            if state.has_changed || written.is_none_or(|at| at.elapsed() >= HEARTBEAT) {
                state.has_changed = false;
                let games: Vec<LiveGame> = state.games.values().cloned().collect();
                drop(state);
                let _ = write_live(path, &games);
                written = Some(Instant::now());
                state = self.state();
            }
            if !state.is_over {
                let waited = self.over.wait_timeout(state, PACE);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        drop(state);
        let _ = fs::remove_file(path);
    }
}

impl InProgress<'_> {
    /// A turn was made.
    pub fn add(&self, turn: &TurnRecord) {
        if self.live.path.is_none() {
            return;
        }
        let mut state = self.live.state();
        if let Some(game) = state.games.get_mut(&self.game) {
            game.turns.push(turn.clone());
            state.has_changed = true;
        }
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        if self.live.path.is_some() {
            let mut state = self.live.state();
            state.games.remove(&self.game);
            state.has_changed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::live::read_live;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn game(number: u64) -> LiveGame {
        LiveGame {
            game: number,
            white: "a".to_owned(),
            black: "b".to_owned(),
            start: "x".to_owned(),
            dice_seed: None,
            turns: Vec::new(),
        }
    }

    fn turn(token: &str) -> TurnRecord {
        TurnRecord {
            token: token.to_owned(),
            ..TurnRecord::default()
        }
    }

    /// What is read of the games once it is as wanted.
    fn wait(path: &Path, wanted: &[(u64, usize)]) {
        let begun = Instant::now();
        loop {
            let read = read_live(path).unwrap_or_default();
            let read: Vec<_> = read
                .iter()
                .map(|game| (game.game, game.turns.len()))
                .collect();
            if read == wanted {
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{read:?}, not {wanted:?}"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn games_in_progress_are_beside_the_record_and_gone_at_the_end() {
        let folder = std::env::temp_dir().join(format!("fauve-live-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let record = folder.join("record.jsonl");
        fs::write(&record, "").unwrap();
        let live = Live::beside(Some(&record));
        let path = live_path(&record).unwrap();
        let seen = live.during(|| {
            let first = live.begin(|| game(1));
            let second = live.begin(|| game(2));
            first.add(&turn("e2e4"));
            first.add(&turn("e7e5"));
            second.add(&turn("d2d4"));
            wait(&path, &[(1, 2), (2, 1)]);
            drop(first);
            wait(&path, &[(2, 1)]);
            "done"
        });
        assert_eq!((seen, path.exists()), ("done", false));
        // Also where the work breaks down.
        let live = Live::beside(Some(&record));
        let broken = catch_unwind(AssertUnwindSafe(|| {
            live.during(|| {
                let _game = live.begin(|| game(3));
                wait(&path, &[(3, 0)]);
                panic!("a worker");
            })
        }));
        assert!(broken.is_err() && !path.exists());
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "the record alone"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    /// Nobody reads the pipe, so that a match which opened it would wait for ever.
    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_link_in_its_place_is_replaced() {
        let folder = std::env::temp_dir().join(format!("fauve-live-odd-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (record, other) = (folder.join("record.jsonl"), folder.join("other"));
        for file in [&record, &other] {
            fs::write(file, "mine").unwrap();
        }
        let path = live_path(&record).unwrap();
        let new = path.with_file_name("record.jsonl.live.new");
        let pipe = |at: &Path| {
            let made = std::process::Command::new("mkfifo").arg(at).status();
            assert!(made.unwrap().success());
        };
        let link = |at: &Path| std::os::unix::fs::symlink(&other, at).unwrap();
        for put in [&pipe as &dyn Fn(&Path), &link] {
            for at in [&path, &new] {
                put(at);
            }
            let live = Live::beside(Some(&record));
            live.during(|| {
                let _game = live.begin(|| game(1));
                wait(&path, &[(1, 0)]);
            });
            assert!(!path.exists());
            assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
            fs::remove_file(&new).unwrap();
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_no_file_has_no_place_beside_it() {
        for record in ["/dev/null", "/nowhere/record.jsonl"] {
            assert_eq!(live_path(Path::new(record)), None, "{record}");
        }
        let live = Live::beside(None);
        let game = live.begin(|| unreachable!("nobody wants it"));
        game.add(&turn("e2e4"));
        assert_eq!(live.during(|| 5), 5);
    }
}
