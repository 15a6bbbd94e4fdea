//! The program `fauve`.

use std::process::ExitCode;

/// Called by the C library before anything of Rust: the standard library, too, is built for the processor that the build is for.
// SAFETY: the section is a list of functions that take what `main` takes and return nothing, and may ignore it.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array.00001")]
static FIRST: extern "C" fn() = fauve_protocol::compiler::refuse_processor;

fn main() -> ExitCode {
    fauve_protocol::main()
}
