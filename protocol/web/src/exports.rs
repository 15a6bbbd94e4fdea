//! The functions of the module of WebAssembly. A question is written where `fauve_input` says, then `fauve_ask` (or `fauve_tables`)
//! is called, and the answer stands at `fauve_output`, as long as `fauve_output_length` says, until the next question.

use crate::Desk;
use fauve_engine::eval::twomove::endgames;
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

#[link(wasm_import_module = "fauve")]
unsafe extern "C" {
    /// Whether the search is to end now: anything but 0.
    safe fn stop_wanted() -> i32;
    /// A line of JSON about a running search, or about the end of the module in a panic. It is read before this returns.
    safe fn report(text: *const u8, length: usize);
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static DESK: Mutex<Option<Desk>> = Mutex::new(None);

/// There is one thread; after a panic nothing of this is used again.
fn locked<T>(what: &'static Mutex<T>) -> MutexGuard<'static, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for a question of `length` bytes; null where memory does not suffice.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_input(length: usize) -> *mut u8 {
    let mut input = locked(&INPUT);
    input.clear();
    if input.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Answers the question.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_ask() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            let said = serde_json::json!({ "panic": panic.to_string() });
            tell(&said.to_string());
        }));
    });
    let question = std::mem::take(&mut *locked(&INPUT));
    // A page can ask while a search waits for it.
    let Ok(mut desk) = DESK.try_lock() else {
        answer(r#"{"error":"a search is running"}"#);
        return;
    };
    let desk = desk.get_or_insert_with(|| Desk::asking(|| stop_wanted() != 0));
    let said = match std::str::from_utf8(&question) {
        Ok(question) => desk.ask(question, &mut tell),
        Err(_) => r#"{"error":"the question is not UTF-8"}"#.to_owned(),
    };
    answer(&said);
}

/// Takes the input for the tables of two-move chess.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_tables() {
    let said = match endgames::give(std::mem::take(&mut *locked(&INPUT))) {
        Ok(()) => serde_json::json!({}),
        Err(error) => serde_json::json!({ "error": error.to_string() }),
    };
    answer(&said.to_string());
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_output() -> *const u8 {
    locked(&OUTPUT).as_ptr()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_output_length() -> usize {
    locked(&OUTPUT).len()
}

fn tell(text: &str) {
    report(text.as_ptr(), text.len());
}

fn answer(text: &str) {
    let mut output = locked(&OUTPUT);
    output.clear();
    output.extend_from_slice(text.as_bytes());
}
