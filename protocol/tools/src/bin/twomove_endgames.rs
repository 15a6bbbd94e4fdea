//! The endgame tables of two-move chess. Without arguments it reads a position string per line and writes a line for each, `win
//! N`, `loss N` (turns of both sides to the mate), `draw`, `unknown`, or `illegal`, for `tests/oracles/twomove_endgames.py`.
//! `twomove_endgames make FILE` computes the tables anew: a minute on one processor, 200 MB of memory.

use fauve_engine::eval::EndgameResult;
use fauve_engine::eval::twomove::endgames::{make, probe_endgame};
use fauve_engine::rules::Notation;
use fauve_engine::rules::twomove::{Options, TwoMove};
use std::io::{BufRead, Error, Result, Write, stdin, stdout};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => probe(),
        ["make", file] => make_file(file),
        _ => Err(Error::other("usage: twomove_endgames [make FILE]")),
    }
}

/// Answers the position strings of standard input.
fn probe() -> Result<()> {
    let mut out = std::io::BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        match TwoMove::from_fen(line?.trim(), &Options::default()) {
            Err(_) => writeln!(out, "illegal")?,
            Ok(parsed) => match probe_endgame(&parsed.position) {
                Some(EndgameResult::Win(turns)) => writeln!(out, "win {turns}")?,
                Some(EndgameResult::Loss(turns)) => writeln!(out, "loss {turns}")?,
                Some(EndgameResult::Draw) => writeln!(out, "draw")?,
                None => writeln!(out, "unknown")?,
            },
        }
    }
    out.flush()
}

/// Computes the tables into a file, and prints two lines for each class.
fn make_file(file: &str) -> Result<()> {
    let tables = make(&mut |class| {
        let [white, black] = class.pieces;
        for (side, counts) in ["White", "Black"].into_iter().zip(class.counts) {
            // The tables are finished, whether or not somebody reads this.
            let _ = writeln!(
                stdout(),
                "K{white}k{}, {side} to move: {} legal positions, {} won, {} lost, longest mate in {} turns",
                black.to_ascii_lowercase(),
                counts.legal,
                counts.won,
                counts.lost,
                counts.longest.div_ceil(2)
            );
        }
    });
    std::fs::write(file, &tables)?;
    writeln!(stdout(), "{file}: {} bytes", tables.len())
}
