//! The board without a server: `worker.js` loads this as WebAssembly, gives it what the page asks, and brings back answers and messages.
//!
//! Bytes go in where `fauve_input` says. What comes out is a `Bytes`, which is given back by `fauve_free`.
//!
//! Where WebAssembly can wait for a promise, `fauve_request` and `fauve_run` search: while they wait in `stop_wanted` or `rest`, every other
//! function may be called, and these two again, if the last one that was called goes on first. Elsewhere a search keeps everything else from
//! being done, and runs in another instance of the module, by `fauve_search`: `fauve_next_search` says which.

#![cfg(all(target_family = "wasm", target_os = "unknown"))]

use brotli::Decompressor;
use fauve_board::{Board, Message, Opening, Watcher};
use fauve_engine::eval::network;
use fauve_engine::eval::network::file::MAX_BYTES;
use fauve_engine::eval::twomove::endgames;
use std::io::Read;
use std::panic;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The least time that the engine takes for a turn against a person, so that the turn before can be seen.
const PAUSE: Duration = Duration::from_millis(300);

#[link(wasm_import_module = "fauve")]
unsafe extern "C" {
    /// Lets others work for a moment; anything but 0 ends every search.
    safe fn stop_wanted() -> i32;
    /// Lets others work for this number of milliseconds.
    safe fn rest(milliseconds: u32);
    /// What the search of `fauve_search` says. It is read before this returns.
    safe fn said(text: *const u8, length: usize);
    /// What the module says before it ends in a panic. It is read before this returns.
    safe fn failed(text: *const u8, length: usize);
}

static BOARD: OnceLock<Board> = OnceLock::new();
static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static WATCHERS: Mutex<Vec<Option<Watcher>>> = Mutex::new(Vec::new());

/// Text in memory: where it begins in the upper half, how long it is in the lower; 0: nothing.
type Bytes = u64;

/// There is one thread; after a panic nothing of this is used again.
fn locked<T>(what: &'static Mutex<T>) -> MutexGuard<'static, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bytes(text: String) -> Bytes {
    let text = Box::leak(text.into_bytes().into_boxed_slice());
    (text.as_ptr() as u64) << 32 | text.len() as u64
}

fn input() -> String {
    let input = std::mem::take(&mut *locked(&INPUT));
    String::from_utf8(input).unwrap_or_default()
}

/// Gives text back.
///
/// # Safety
/// It is a [`Bytes`] other than 0 that was not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fauve_free(text: Bytes) {
    let (start, length) = ((text >> 32) as *mut u8, (text & 0xffff_ffff) as usize);
    // SAFETY: `bytes` has made it from a boxed slice of this place and length.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)) });
}

/// Room for `length` bytes; null where memory does not suffice.
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

/// Begins; `yields` says whether `stop_wanted` lets others work: if not, searches run in other instances.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_begin(yields: i32) {
    panic::set_hook(Box::new(|panic| {
        let said = panic.to_string();
        failed(said.as_ptr(), said.len());
    }));
    let opening = Opening::default();
    let board = if yields == 0 {
        Board::searching_elsewhere(opening, PAUSE)
    } else {
        let rests = |time: Duration| rest(time.as_millis() as u32);
        Board::without_threads(opening, PAUSE, || stop_wanted() != 0, rests)
    };
    let _ = BOARD.set(board);
}

fn board() -> &'static Board {
    BOARD.get().expect("fauve_begin was called")
}

/// Answers a request: its method and path are the first line of the input, its body the rest. In the answer the first line is the status and
/// the type of the body.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_request() -> Bytes {
    let input = std::mem::take(&mut *locked(&INPUT));
    let end = input.iter().position(|&byte| byte == b'\n');
    let (head, body) = input.split_at(end.unwrap_or(input.len()));
    let head = String::from_utf8_lossy(head);
    let (method, path) = head.split_once(' ').unwrap_or((&head, ""));
    let answer = board().request(method, path, body.get(1..).unwrap_or_default());
    bytes(format!(
        "{} {}\n{}",
        answer.status, answer.mime, answer.body
    ))
}

/// The text of a search that is to begin in another instance; its number is the first line. 0: there is none.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_next_search() -> Bytes {
    let next = board().next_search();
    next.map_or(0, |(number, text)| bytes(format!("{number}\n{text}")))
}

/// A search in another instance has said the input.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_heard(search: u32) {
    board().heard(search, &input());
}

/// A search in another instance has come to its end by itself.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_finished(search: u32) {
    board().finished(search);
}

/// A search in another instance has broken down.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_broke_down(search: u32) {
    board().broke_down(search);
}

/// Ends a search that is finished or not wanted any more: if it still runs, it is to be broken off. Its number, or 0: there is none.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_settle() -> u32 {
    board().settle().unwrap_or(0)
}

/// The milliseconds until `fauve_settle` can end a search that is finished; -1: there is none.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_rest() -> i32 {
    let rest = board().rest();
    rest.map_or(-1, |time| time.as_micros().div_ceil(1000) as i32)
}

/// The search that an answer of status 202 has asked for, which is the first line of the input, has said the rest of it last. The request is
/// to be made again.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_answered() {
    let input = input();
    let (search, said) = input.split_once('\n').unwrap_or((&input, ""));
    board().answered(search, said);
}

/// Runs the search of the input, which another instance has given, and lets `said` know what it says. 0, or what is wrong with it.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_search() -> Bytes {
    let mut say = |text: &str| said(text.as_ptr(), text.len());
    let done = fauve_board::run_search(&input(), || stop_wanted() != 0, &mut say);
    done.err().map_or(0, bytes)
}

/// Runs a search that waits; 0 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_run() -> i32 {
    board().run_next().into()
}

/// Looks at the game of the input from now on; gives a number for it, or -1 where there is no such game.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_watch() -> i32 {
    // The worker asks for news whenever there may be any.
    let Some(watcher) = board().watch(&input(), || {}) else {
        return -1;
    };
    let mut watchers = locked(&WATCHERS);
    let place = watchers.iter().position(Option::is_none);
    let place = place.unwrap_or_else(|| {
        watchers.push(None);
        watchers.len() - 1
    });
    watchers[place] = Some(watcher);
    place as i32
}

/// Looks no more.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_unwatch(number: usize) {
    let watcher = locked(&WATCHERS).get_mut(number).and_then(Option::take);
    drop(watcher);
}

/// The next message: its name is the first line. 0: there is none.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_message(number: usize) -> Bytes {
    message(number, Watcher::message)
}

/// The lines of the analysis, if they have changed, as a message.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_lines(number: usize) -> Bytes {
    message(number, Watcher::lines)
}

fn message(number: usize, next: impl FnOnce(&mut Watcher) -> Option<Message>) -> Bytes {
    let mut watchers = locked(&WATCHERS);
    let watcher = watchers.get_mut(number).and_then(Option::as_mut);
    watcher
        .and_then(next)
        .map_or(0, |(name, json)| bytes(format!("{name}\n{json}")))
}

/// The game of the input, to be kept. 0: there is no such game.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_save() -> Bytes {
    board().save(&input()).map_or(0, bytes)
}

/// Whether the game of the input is worth being kept: 1, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_is_worth_keeping() -> u32 {
    board().is_worth_keeping(&input()).into()
}

/// Takes a game up that was kept. 0, or why that cannot be done.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_restore() -> Bytes {
    board().restore(&input()).err().map_or(0, bytes)
}

/// The names of the games whose networks are to be given before anything of these games comes here, one a line.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_networks() -> Bytes {
    bytes(network::missing().collect::<Vec<_>>().join("\n"))
}

/// Takes the input for the network of a game: its name is the first line, the rest its file as a Brotli stream. 0, or what is wrong with it.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_network() -> Bytes {
    let input = std::mem::take(&mut *locked(&INPUT));
    let end = input.iter().position(|&byte| byte == b'\n');
    let (name, file) = input.split_at(end.unwrap_or(input.len()));
    let packed = file.get(1..).unwrap_or_default();
    let given = unpack(packed).and_then(|file| match network::file::game_of(&file) {
        // A host may have mixed its files up.
        Ok(game) if game.as_bytes() != name => Err(format!("it is that of {game}")),
        _ => network::give(&file)
            .map(|_| ())
            .map_err(|why| why.to_string()),
    });
    given.err().map_or(0, bytes)
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    let mut stream = Decompressor::new(packed, packed.len().max(1)).take(MAX_BYTES as u64);
    let read = stream.read_to_end(&mut file);
    read.map_err(|why| why.to_string())?;
    Ok(file)
}

/// Takes the input for the tables of two-move chess. 0, or what is wrong with them.
#[unsafe(no_mangle)]
pub extern "C" fn fauve_tables() -> Bytes {
    let tables = std::mem::take(&mut *locked(&INPUT));
    endgames::give(tables)
        .err()
        .map_or(0, |why| bytes(why.to_string()))
}
