//! The program `fauve`.

use std::process::ExitCode;

/// Called by the C library before anything of Rust: the standard library, too, is built for the processor that the build is for.
// SAFETY: the section is a list of functions that take what `main` takes and return nothing, and may ignore it.
#[cfg(any(target_os = "linux", windows))]
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array.00001"))]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
static FIRST: extern "C" fn() = fauve_protocol::compiler::refuse_processor;

fn main() -> ExitCode {
    fauve_protocol::main()
}
