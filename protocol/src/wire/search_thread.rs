//! The thread that searches, so that the listener is always there.

use crate::wire::output::Output;
use fauve_engine::search::Control;
use fauve_referee::player::internal::panic_text;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The search recurses some hundred turns deep with frames of some kilobytes.
const STACK: usize = 64 << 20;

/// Work for the search thread: it looks at the switches and returns when it has said its answer.
pub type Job = Box<dyn FnOnce(&Control) + Send>;

/// The search thread and what it is at.
#[derive(Debug)]
pub struct SearchThread {
    jobs: Sender<(Job, Arc<Control>)>,
    done: Receiver<()>,
    running: Option<(Arc<Control>, Length)>,
}

/// Whether a job comes to an end without being stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// It does, and its answer is worth waiting for when nothing more is read.
    Bounded,
    /// It does not, or only when somebody's clock says so.
    Open,
}

impl SearchThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(output: Arc<Output>) -> io::Result<Self> {
        let (jobs, queue) = channel::<(Job, Arc<Control>)>();
        let (finished, done) = channel();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                for (job, control) in queue {
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(&control))) {
                        output.error(&format!("internal: {}", panic_text(&*panic)));
                    }
                    if finished.send(()).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Self {
            jobs,
            done,
            running: None,
        })
    }

    /// Starts a job. One that still runs is stopped first, and says its answer first.
    pub fn start(&mut self, job: Job, length: Length) {
        self.finish();
        let control = Arc::new(Control::default());
        if self.jobs.send((job, Arc::clone(&control))).is_ok() {
            self.running = Some((control, length));
        }
    }

    /// Waits until a bounded job has said its answer, and stops any other: for the end of the input.
    pub fn conclude(&mut self) {
        if let Some((_, Length::Bounded)) = &self.running {
            self.running = None;
            // As below.
            let _ = self.done.recv();
        }
        self.finish();
    }

    /// Stops the running job, if any, and waits until it has said its answer.
    pub fn finish(&mut self) {
        if let Some((control, _)) = self.running.take() {
            control.stop();
            // An error means that the thread is gone, which is an end too.
            let _ = self.done.recv();
        }
    }

    /// The switches of the running job.
    pub fn control(&mut self) -> Option<&Control> {
        if self.done.try_recv().is_ok() {
            self.running = None;
        }
        self.running.as_ref().map(|(control, _)| &**control)
    }
}
