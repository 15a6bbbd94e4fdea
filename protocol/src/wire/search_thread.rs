//! The search thread, which leaves the protocol loop free to react to commands.

use crate::wire::output::Output;
use fauve_engine::rules::panic_text;
use fauve_engine::search::Control;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

/// Stack size of the search thread, in bytes: the search recurses some hundred turns deep with frames of some kilobytes.
const STACK: usize = 64 << 20;

/// Time allowed for printing an answer. Exceeded only when output is blocked.
const SAYING: Duration = Duration::from_secs(1);

/// Time allowed for the answer of a stopped search at the end of the program. Exceeded only when output is blocked.
const LAST_ANSWER: Duration = Duration::from_secs(3);

/// Time allowed for a mate search after the end of input.
pub const LONGEST_MATE: Duration = Duration::from_mins(1);

/// Work for the search thread: it obeys the `Control`, and returns its answer, which the thread prints. `None`: there is no
/// answer, or it is already printed.
pub type Job = Box<dyn FnOnce(&Control) -> Option<String> + Send>;

/// Whether a job ends without being stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounded {
    /// Yes.
    Bounded,
    /// Yes, when a mate is found or excluded, which may take seconds or days.
    Mate,
    /// Only after `ponderhit`.
    Ponder,
    /// No.
    Open,
}

/// The state of a job, shared by the protocol loop and the search thread.
#[derive(Debug, Default)]
struct Task {
    control: Control,
    /// Whether its answer is printed or being printed. Set before printing, so that it is set once a GUI has read the answer.
    is_answering: AtomicBool,
}

/// The running job.
#[derive(Debug)]
struct Running {
    task: Arc<Task>,
    length: Bounded,
    /// Whether waiting for the printing of its answer has timed out.
    is_late: bool,
}

/// The search thread and its running job.
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
    /// When the thread cannot be created.
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

    /// Starts a job. A running job is stopped first, and prints its answer.
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
        // A disconnected channel means that the thread has ended.
        if !matches!(self.done.try_recv(), Err(TryRecvError::Empty)) {
            self.running = None;
        }
        self.running.is_some()
    }

    /// Whether a job is running that ends without being stopped. Waits for one that is printing its answer.
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

    /// Stops the running job, if any; does not wait for its answer.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.task.control.stop();
        }
    }

    /// Whether a job runs that must stop.
    pub fn is_stopped(&self) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.task.control.is_stopped())
    }

    /// Notifies the running job, if any, that the expected turn was played.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.task.control.ponder_hit();
        }
    }

    /// Waits at most this long until the running job, if any, has printed its answer. Returns whether it has.
    pub fn wait(&mut self, most: Duration) -> bool {
        if self.running.is_some() && self.done.recv_timeout(most) == Err(RecvTimeoutError::Timeout)
        {
            return false;
        }
        self.running = None;
        true
    }

    /// Stops the running job, if any, and waits a limited time for its answer. Returns whether it is printed.
    pub fn finish_soon(&mut self) -> bool {
        self.stop();
        self.wait(LAST_ANSWER)
    }

    /// Waits for a job that ends without being stopped, at most `longest_mate` for a mate search, and stops any other: for the end
    /// of input.
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

    /// Stops the running job, if any, and waits until it has printed its answer.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.control.stop();
            // An error means that the thread has ended.
            let _ = self.done.recv();
        }
    }
}

/// Runs a job and prints its answer, or the message of its panic.
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
