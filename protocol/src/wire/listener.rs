//! The loop that reads standard input. It never waits for a search, so that `isready`, `stop` and `quit` are always
//! heard.

use crate::wire::cecp::Cecp;
use crate::wire::input::{Flow, Line, read_line};
use crate::wire::shell::Shell;
use crate::wire::uci::Uci;
use fauve_engine::Variant;
use std::io;

/// Speaks the protocol on standard input and output until `quit` or the end of input.
///
/// # Errors
/// When the engine cannot be set up.
pub fn run(variant: Variant) -> io::Result<()> {
    let mut shell = Shell::new(variant)?;
    let mut uci = Uci::default();
    let mut cecp: Option<Cecp> = None;
    let mut stdin = io::stdin().lock();
    while let Some(line) = read_line(&mut stdin) {
        let flow = match line {
            Line::Text(line) => {
                let line = line.trim_start_matches('\u{feff}').trim();
                shell.output.note_input(line);
                if cecp.is_none() && line == "xboard" {
                    cecp = Some(Cecp::default());
                }
                match &mut cecp {
                    Some(cecp) => cecp.handle(&mut shell, line),
                    None => uci.handle(&mut shell, line),
                }
            }
            Line::TooLong => {
                shell.output.error("a line of more than 64 MB is not read");
                Flow::Continue
            }
        };
        if flow == Flow::Quit {
            break;
        }
    }
    Ok(())
}
