//! Child processes with everything that they start: each leads a process group of its own, and the group ends as a
//! whole. A wrapper script's child cannot outlive its match, whether that ends by itself or by a signal.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long players have to end by themselves when the match is ended by a signal.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How often it is looked whether they have.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// How a group is asked to end: what listens to commands, and the commands.
type Farewell = (SyncSender<String>, String);

/// The groups that run. The leader of each is not reaped yet, so that no other process can have its number.
struct Running {
    groups: BTreeMap<u32, Option<Farewell>>,
    ending: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: BTreeMap::new(),
    ending: false,
});

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks all players to end, kills those that have not after a moment, with all that they have started, and lets none be
/// started any more: for the end of this program by a signal.
pub fn end_all() {
    {
        let mut running = running();
        running.ending = true;
        for (listener, words) in running.groups.values().flatten() {
            // A player that does not listen is killed.
            let _ = listener.try_send(words.clone());
        }
    }
    let deadline = Instant::now() + EXIT_TIMEOUT;
    while Instant::now() < deadline && running().groups.keys().any(|&group| is_alive(group)) {
        thread::sleep(POLL_INTERVAL);
    }
    for &group in running().groups.keys() {
        kill(group);
    }
}

/// Whether [`end_all`] was called: what players do (or fail to do) since then is not their fault.
pub fn is_endgame() -> bool {
    running().ending
}

/// A child process and its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Group {
    child: Child,
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a command as the leader of a group.
    ///
    /// # Errors
    /// When the system cannot start it, or this program is about to end.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Under the lock: a child is either known to `end_all` or never started.
        let mut running = running();
        if running.ending {
            return Err(io::Error::other("the match is about to end"));
        }
        let child = command.spawn()?;
        running.groups.insert(child.id(), None);
        Ok(Self {
            child,
            status: None,
        })
    }

    /// How the leader is asked to end.
    pub fn listens_to(&self, input: &SyncSender<String>, farewell: &str) {
        let farewell = (input.clone(), farewell.to_owned());
        running().groups.insert(self.child.id(), Some(farewell));
    }

    /// Nothing listens to commands any more.
    pub fn listens_no_more(&self) {
        if let Some(farewell) = running().groups.get_mut(&self.child.id()) {
            *farewell = None;
        }
    }

    /// The leader, for its pipes.
    pub const fn leader(&mut self) -> &mut Child {
        &mut self.child
    }

    /// How the leader ended, if it has. What is left of its group is killed then.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && has_ended(&mut self.child) {
            self.end();
        }
        self.status
    }

    /// Kills the group and reaps its leader, in this order: a reaped leader's number may belong to someone else.
    fn end(&mut self) {
        if self.status.is_some() {
            return;
        }
        {
            let mut running = running();
            kill(self.child.id());
            let _ = self.child.kill();
            running.groups.remove(&self.child.id());
        }
        self.status = self.child.wait().ok();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
fn kill(group: u32) {
    if let Some(group) = pid(group) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_group: u32) {}

#[cfg(unix)]
fn pid(id: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(id).ok()?)
}

/// Whether a child has ended, without reaping it.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(child.id()).is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_))))
}

/// Whether the leader of a group has not ended yet.
#[cfg(unix)]
fn is_alive(group: u32) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(group).is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(None)))
}

#[cfg(not(unix))]
fn is_alive(_group: u32) -> bool {
    true
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}
