//! The program `fauve`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fauve_protocol::main()
}
