//! How the program ends when it is asked to: by Ctrl-C, or by the system (SIGTERM, SIGHUP); a match also by Ctrl-\ (SIGQUIT).
//!
//! A GUI that ends the engine is obeyed, and that is no failure. Everywhere else the job is not done, and the status says so:
//! `fauve match ... && publish` does not publish half a match.

use crate::terminal::warn;
use fauve_referee::player::group;
#[cfg(unix)]
use fauve_referee::player::moment::suspend;
#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
#[cfg(unix)]
use signal_hook::{
    consts::{SIGCHLD, SIGQUIT, SIGTSTP},
    iterator::Signals,
    low_level::emulate_default_handler,
};
#[cfg(unix)]
use std::io::{Write, stdin, stdout};
use std::process::exit;
#[cfg(unix)]
use std::sync::{Arc, OnceLock};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The status of a program that was interrupted, as shells have it: 128 and the number of SIGINT.
pub const INTERRUPTED: u8 = 130;

/// Time that a match has to end.
const GRACE: Duration = Duration::from_secs(10);

/// What is to be done when the program is asked to end.
pub enum Ending {
    /// The program ends at once with status 0.
    Obey,
    /// The program ends at once with status [`INTERRUPTED`].
    GiveUp,
    /// The players are ended, whereupon the match ends by itself, within ten seconds.
    EndMatch,
    /// Nothing more: the match is about to end.
    AwaitMatch,
    /// This function runs, and the program ends with status [`INTERRUPTED`].
    Do(Box<dyn FnOnce() + Send>),
}

/// The settings of the terminal at the start: editing a line changes them.
#[cfg(unix)]
static TERMINAL: OnceLock<Termios> = OnceLock::new();

static ENDING: Mutex<Ending> = Mutex::new(Ending::Obey);

fn current_end() -> MutexGuard<'static, Ending> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets what is done from now on when the program is asked to end.
pub fn on_end(what: Ending) {
    *current_end() = what;
}

/// Catches the signals. This comes before anything else: a signal that arrives before it, while the system is still loading
/// the program, ends the process by the signal, and no program can help that.
pub fn watch() {
    if let Err(error) = ctrlc::set_handler(end) {
        warn(format_args!("fauve: signals cannot be detected: {error}"));
    }
    #[cfg(unix)]
    if let Err(error) = hear_of_children() {
        warn(format_args!("fauve: SIGCHLD cannot be detected: {error}"));
    }
    #[cfg(windows)]
    window::watch();
}

/// Catches SIGCHLD, because whoever starts this program may have it ignored; that is inherited, and the system would then forget how
/// players have ended.
#[cfg(unix)]
fn hear_of_children() -> std::io::Result<()> {
    signal_hook::flag::register(SIGCHLD, Arc::default()).map(drop)
}

/// Closing the window, on Windows: the program ends as soon as the handler of this event returns.
#[cfg(windows)]
mod window {
    use crate::terminal::warn;
    use std::io;
    use windows_sys::Win32::System::Console::{
        CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, SetConsoleCtrlHandler,
    };

    /// Sets a handler that is called before that of [`ctrlc`]: the system calls the one set last first.
    pub fn watch() {
        // SAFETY: the function is there as long as the program, and what it calls may be called from any thread.
        if unsafe { SetConsoleCtrlHandler(Some(hears), 1) } == 0 {
            let error = io::Error::last_os_error();
            warn(format_args!(
                "fauve: closing the window cannot be detected: {error}"
            ));
        }
    }

    /// The handler, called on a thread of the system. It returns 0, so that the other handlers are called, too.
    unsafe extern "system" fn hears(event: u32) -> i32 {
        if matches!(
            event,
            CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT
        ) {
            super::end();
            // The match ends on other threads; the system waits some seconds for this one.
            std::thread::sleep(super::GRACE);
        }
        0
    }
}

/// From now on a suspension (Ctrl-Z) suspends the players of the match as well, and their clocks, and Ctrl-\ ends them with it.
pub fn watch_players() {
    #[cfg(unix)]
    if let Err(error) = watch_keys() {
        warn(format_args!(
            "fauve: Ctrl-Z and Ctrl-\\ cannot be detected: {error}"
        ));
    }
}

#[cfg(unix)]
fn watch_keys() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTSTP, SIGQUIT])?;
    let watch = move || {
        for signal in signals.forever() {
            if signal == SIGQUIT {
                end();
                continue;
            }
            suspend(|| {
                // It stops here until SIGCONT comes.
                let _ = emulate_default_handler(signal);
            });
        }
    };
    thread::Builder::new().spawn(watch).map(drop)
}

/// Remembers the terminal as it is, so that a signal in the middle of a line leaves it so.
pub fn keep_terminal() {
    #[cfg(unix)]
    if let Ok(found) = tcgetattr(stdin()) {
        TERMINAL.get_or_init(|| found);
    }
}

/// Puts the terminal back, and ends what the line editor has begun on it. One that is gone needs nothing.
fn restore_terminal() {
    #[cfg(unix)]
    if let Some(found) = TERMINAL.get()
        && tcgetattr(stdin()).is_ok_and(|now| now.local_modes != found.local_modes)
    {
        let _ = tcsetattr(stdin(), OptionalActions::Now, found);
        // No brackets around what is pasted.
        let _ = stdout().write_all(b"\x1b[?2004l\n");
        let _ = stdout().flush();
    }
}

/// What [`on_end`] received last. A second signal finds nothing more to wait for, except for the report of a match, which is
/// printed all the same.
pub fn end() {
    restore_terminal();
    let what = {
        let mut current = current_end();
        let next = match *current {
            Ending::EndMatch | Ending::AwaitMatch => Ending::AwaitMatch,
            _ => Ending::GiveUp,
        };
        std::mem::replace(&mut *current, next)
    };
    // The players of a match are in groups of their own, which a terminal's Ctrl-C does not reach.
    group::end_all();
    match what {
        Ending::Obey => exit(0),
        Ending::GiveUp => {}
        Ending::Do(act) => act(),
        Ending::EndMatch => {
            thread::spawn(|| {
                thread::sleep(GRACE);
                exit(INTERRUPTED.into())
            });
            return;
        }
        Ending::AwaitMatch => return,
    }
    exit(INTERRUPTED.into())
}
