//! Child processes with everything that they start: each leads a process group of its own, and the group ends as a
//! whole. A wrapper script's child cannot outlive its match, whether that ends by itself or by a signal.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The groups that run. The leader of each is not reaped yet, so that no other process can have its number.
struct Running {
    groups: BTreeSet<u32>,
    ending: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: BTreeSet::new(),
    ending: false,
});

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all players, and lets none be started any more: for the end of this program by a signal.
pub fn end_all() {
    let mut running = running();
    running.ending = true;
    for &group in &running.groups {
        kill(group);
    }
}

/// Whether [`end_all`] was called: what players do (or fail to do) since then is not their fault.
pub fn is_ending() -> bool {
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
        running.groups.insert(child.id());
        Ok(Self {
            child,
            status: None,
        })
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

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}
