//! Child processes with everything that they start: each leads a process group of its own (on Windows a job object), and the group
//! ends as a whole. A wrapper script's child cannot outlive its match, whether that ends by itself or by a signal.

#[cfg(windows)]
use super::job::Job;
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

/// The groups that run, by the number of their leader. That is not reaped yet, so that no other process can have its number.
struct Running {
    groups: BTreeMap<u32, Member>,
    stopping: bool,
}

struct Member {
    farewell: Option<Farewell>,
    family: Family,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: BTreeMap::new(),
    stopping: false,
});

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks all players to end, kills those that have not after a moment, with all that they have started, and lets none be
/// started any more: for the end of this program by a signal.
pub fn end_all() {
    {
        let mut running = running();
        running.stopping = true;
        let listeners = running.groups.values();
        for (listener, words) in listeners.filter_map(|member| member.farewell.as_ref()) {
            // A player that does not listen is killed.
            let _ = listener.try_send(words.clone());
        }
    }
    let deadline = Instant::now() + EXIT_TIMEOUT;
    let runs = || {
        let running = running();
        let mut members = running.groups.values();
        members.any(|member| member.family.is_alive())
    };
    while Instant::now() < deadline && runs() {
        thread::sleep(POLL_INTERVAL);
    }
    for member in running().groups.values() {
        member.family.kill();
    }
}

/// Kills one player with all that it has started, if it still runs: for another thread than the one that waits for it.
pub(super) fn kill(leader: u32) {
    if let Some(member) = running().groups.get(&leader) {
        member.family.kill();
    }
}

/// Stops all players until [`resume_all`].
pub(super) fn suspend_all() {
    #[cfg(unix)]
    for member in running().groups.values() {
        member.family.suspend();
    }
}

/// Continues all players.
pub(super) fn resume_all() {
    #[cfg(unix)]
    for member in running().groups.values() {
        member.family.resume();
    }
}

/// Whether [`end_all`] was called: what players do (or fail to do) since then is not their fault.
pub fn is_stopping() -> bool {
    running().stopping
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
        // Under the lock: a child is either known to `end_all` or never started.
        let mut running = running();
        if running.stopping {
            return Err(io::Error::other("the match is about to end"));
        }
        let (child, family) = Family::spawn(command)?;
        let member = Member {
            farewell: None,
            family,
        };
        running.groups.insert(child.id(), member);
        Ok(Self {
            child,
            status: None,
        })
    }

    /// How the leader is asked to end.
    pub fn listens_to(&self, input: &SyncSender<String>, farewell: &str) {
        let farewell = (input.clone(), farewell.to_owned());
        if let Some(member) = running().groups.get_mut(&self.child.id()) {
            member.farewell = Some(farewell);
        }
    }

    /// Nothing listens to commands any more.
    pub fn listens_no_more(&self) {
        if let Some(member) = running().groups.get_mut(&self.child.id()) {
            member.farewell = None;
        }
    }

    /// The number by which the group is found to be killed.
    pub fn number(&self) -> u32 {
        self.child.id()
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
            if let Some(member) = running.groups.remove(&self.child.id()) {
                member.family.kill();
            }
            let _ = self.child.kill();
        }
        self.status = self.child.wait().ok();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// A leader with its descendants, as the system knows them.
#[cfg(windows)]
type Family = Job;

/// Whether a child has ended. Its number stays its own as long as there is a handle to it.
#[cfg(windows)]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

#[cfg(unix)]
use unix::{Family, has_ended};

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    /// A leader with its descendants: a process group.
    pub struct Family(Option<Pid>);

    impl Family {
        /// Starts a command as the leader of a group.
        pub fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
            let child = command.process_group(0).spawn()?;
            let family = Self(pid(&child));
            Ok((child, family))
        }

        pub fn kill(&self) {
            if let Some(group) = self.0 {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }

        /// Stops all processes until they are resumed.
        pub fn suspend(&self) {
            if let Some(group) = self.0 {
                let _ = kill_process_group(group, Signal::STOP);
            }
        }

        /// Continues stopped processes.
        pub fn resume(&self) {
            if let Some(group) = self.0 {
                let _ = kill_process_group(group, Signal::CONT);
            }
        }

        /// Whether its leader has not ended yet.
        pub fn is_alive(&self) -> bool {
            self.0.is_some_and(|leader| status(leader) == Some(false))
        }
    }

    fn pid(child: &Child) -> Option<Pid> {
        Pid::from_raw(i32::try_from(child.id()).ok()?)
    }

    /// Whether a child has ended, without reaping it.
    pub fn has_ended(child: &mut Child) -> bool {
        pid(child).is_some_and(|child| status(child) == Some(true))
    }

    /// Whether a child has ended; `None` where it is no child of ours any more.
    fn status(child: Pid) -> Option<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(child), options).ok()?;
        Some(status.is_some())
    }
}
