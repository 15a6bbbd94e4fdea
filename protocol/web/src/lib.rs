//! Fauve without a server: the rules of all games and the engine behind one function that takes a question and gives an answer, both as
//! JSON. In WebAssembly a page or a program of Node.js asks it through the functions of the module; the package `npm/` is the usual way,
//! and its types say what the answers have.
//!
//! ```
//! use fauve_web::Desk;
//!
//! let mut desk = Desk::default();
//! let mut ask = |question: &str| desk.ask(question, &mut |_| {});
//! let answer = ask(r#"{"ask": "new", "variant": "twomove"}"#);
//! assert!(answer.contains(r#""game":0"#), "{answer}");
//! let answer = ask(r#"{"ask": "play", "game": 0, "text": "e4"}"#);
//! assert!(answer.contains(r#""side":"black""#), "{answer}");
//! let answer = ask(r#"{"ask": "play", "game": 0, "text": "e5,Ke6"}"#);
//! assert!(answer.starts_with(r#"{"error":"#), "{answer}");
//! ```

mod ask;
mod desk;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;
mod held;
mod search;

pub use desk::Desk;
