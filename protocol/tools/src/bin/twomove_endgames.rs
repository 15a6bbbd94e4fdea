//! Probes the endgame tables of two-move chess: reads a position string per line and writes a line for each, `win N`, `loss
//! N` (turns of both sides to the mate), `draw`, `unknown`, or `illegal`. For `tests/oracles/twomove_endgames.py`.

use fauve_engine::eval::EndgameResult;
use fauve_engine::eval::twomove::endgames::probe_endgame;
use fauve_engine::rules::Notation;
use fauve_engine::rules::twomove::{Options, TwoMove};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
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
