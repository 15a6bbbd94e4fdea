//! The thread that searches, so that the listener is always there.

use crate::wire::output::Output;
use fauve_engine::search::Control;
use fauve_referee::player::internal::panic_text;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

/// The search recurses some hundred turns deep with frames of some kilobytes.
const STACK: usize = 64 << 20;

/// How long an answer that is being said may take to be out. It takes longer only when nobody reads.
const SAYING: Duration = Duration::from_secs(1);

/// How long the answer of a stopped search is waited for at the end of the program. It takes longer only when nobody reads.
const LAST_ANSWER: Duration = Duration::from_secs(3);

/// How long a search for a mate is waited for when there is nobody left to stop it.
pub const LONGEST_MATE: Duration = Duration::from_mins(1);

/// Work for the search thread: it looks at the switches, and returns its answer, which the thread says. `None`: there is no
/// answer, or it was said already.
pub type Job = Box<dyn FnOnce(&Control) -> Option<String> + Send>;

/// Whether a job comes to an end without being stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounded {
    /// It does.
    Bounded,
    /// It does when a mate is found or excluded, which may take seconds or days.
    Mate,
    /// It does once the expected turn was played.
    Ponder,
    /// It does not.
    Open,
}

/// What the listener and the search thread know about one job.
#[derive(Debug, Default)]
struct Task {
    control: Control,
    /// Whether its answer is being said or out. Set before it is said: whoever has read the answer finds it set.
    is_answering: AtomicBool,
}

/// The job that runs.
#[derive(Debug)]
struct Running {
    task: Arc<Task>,
    length: Bounded,
    /// Whether its answer was waited for in vain while it was being said.
    is_late: bool,
}

/// The search thread and what it is at.
pub struct SearchThread {
    jobs: Sender<(Job, Arc<Task>)>,
    done: Receiver<()>,
    running: Option<Running>,
}

impl fmt::Debug for SearchThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchThread")
            .field("running", &self.running)
            .finish_non_exhaustive()
    }
}

impl SearchThread {
    /// Starts the thread. It calls `ended` after each job.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(output: Arc<Output>, ended: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (jobs, queue) = channel::<(Job, Arc<Task>)>();
        let (finished, done) = channel();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                for (job, task) in queue {
                    run(job, &task, &output);
                    if finished.send(()).is_err() {
                        break;
                    }
                    ended();
                }
            })?;
        Ok(Self {
            jobs,
            done,
            running: None,
        })
    }

    /// Starts a job. One that still runs is stopped first, and says its answer first.
    pub fn start(&mut self, job: Job, length: Bounded) {
        self.finish();
        let task = Arc::new(Task::default());
        if self.jobs.send((job, Arc::clone(&task))).is_ok() {
            self.running = Some(Running {
                task,
                length,
                is_late: false,
            });
        }
    }

    /// Whether a job runs.
    pub fn is_running(&mut self) -> bool {
        // A thread that is gone runs nothing.
        if !matches!(self.done.try_recv(), Err(TryRecvError::Empty)) {
            self.running = None;
        }
        self.running.is_some()
    }

    /// Whether a job runs that comes to its end without being stopped. One that is just saying its answer is waited for.
    pub fn has_end(&mut self) -> bool {
        if !self.is_running() {
            return false;
        }
        let Some(Running {
            task,
            length,
            is_late,
        }) = &mut self.running
        else {
            return false;
        };
        let has_end = match length {
            Bounded::Bounded | Bounded::Mate => true,
            Bounded::Ponder => task.control.is_ponder_hit(),
            Bounded::Open => false,
        };
        if has_end && task.is_answering.load(Ordering::SeqCst) && !*is_late {
            *is_late = true;
            return !self.wait(SAYING);
        }
        has_end
    }

    /// Tells the running job, if any, to end; does not wait for its answer.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.task.control.stop();
        }
    }

    /// Tells the running job, if any, that the expected turn was played.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.task.control.ponder_hit();
        }
    }

    /// Waits until the running job, if any, has said its answer, but no longer than `most`. Says whether it has.
    pub fn wait(&mut self, most: Duration) -> bool {
        if self.running.is_some() && self.done.recv_timeout(most) == Err(RecvTimeoutError::Timeout)
        {
            return false;
        }
        self.running = None;
        true
    }

    /// Stops the running job, if any, at the end of the program: its answer is waited for, but not for ever. Says whether it
    /// is out.
    pub fn finish_soon(&mut self) -> bool {
        self.stop();
        self.wait(LAST_ANSWER)
    }

    /// Waits until a job that comes to its end without being stopped has said its answer, for one that looks for a mate no longer
    /// than `longest_mate`, and stops any other: for the end of the input.
    pub fn conclude(&mut self, longest_mate: Duration) {
        if self.has_end() {
            let is_mate = |running: &Running| running.length == Bounded::Mate;
            let most = match &self.running {
                Some(running) if is_mate(running) => longest_mate,
                _ => Duration::MAX,
            };
            self.wait(most);
        }
        self.finish();
    }

    /// Stops the running job, if any, and waits until it has said its answer.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.control.stop();
            // An error means that the thread is gone, which is an end too.
            let _ = self.done.recv();
        }
    }
}

/// Does a job and says its answer.
fn run(job: Job, task: &Task, output: &Output) {
    let done = catch_unwind(AssertUnwindSafe(|| {
        let answer = job(&task.control);
        task.is_answering.store(true, Ordering::SeqCst);
        if let Some(answer) = answer {
            output.say(&answer);
        }
    }));
    if let Err(panic) = done {
        output.error(&format!("internal: {}", panic_text(&*panic)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_mate_that_is_not_settled_is_given_up_at_the_end_of_input() {
        let mut thread = SearchThread::new(Arc::new(Output::default()), || ()).expect("a thread");
        let (ended, ends) = channel();
        for (length, longest) in [
            (Bounded::Mate, Duration::from_millis(50)),
            (Bounded::Open, Duration::from_mins(10)),
        ] {
            let ended = ended.clone();
            let begin = Instant::now();
            let job = move |control: &Control| {
                while !control.is_stopped() {
                    thread::sleep(Duration::from_millis(1));
                }
                ended.send(begin.elapsed()).expect("a test");
                None
            };
            thread.start(Box::new(job), length);
            thread.conclude(longest);
            let time = ends.try_recv().expect("it has ended");
            assert!(length == Bounded::Open || time >= longest, "{time:?}");
            assert!(!thread.is_running());
        }
        // One that comes to its end says its answer, however long it takes.
        let job = move |_: &Control| {
            thread::sleep(Duration::from_millis(100));
            ended.send(Duration::ZERO).expect("a test");
            None
        };
        thread.start(Box::new(job), Bounded::Bounded);
        thread.conclude(Duration::from_millis(1));
        assert_eq!(ends.try_recv(), Ok(Duration::ZERO));
    }
}
