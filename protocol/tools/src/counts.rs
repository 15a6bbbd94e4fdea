//! Programs that count something from a position and print the number alone, for the check of instructions.

use fauve_engine::Variant;
use std::error::Error;
use std::process::ExitCode;

/// Reads the command line `VARIANT SIZE [FEN]` (the words of a position string may be separate arguments), counts, and prints the number;
/// or prints the error, or how the program is called.
pub fn print(
    usage: &str,
    count: impl Fn(Variant, u64, &str) -> Result<u64, Box<dyn Error>>,
) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run = || {
        let [variant, size, fen @ ..] = arguments.as_slice() else {
            return Err(usage.into());
        };
        let size = size.parse().map_err(|_| format!("not a number: {size}"))?;
        let variant =
            Variant::from_name(variant).ok_or_else(|| format!("unknown variant: {variant}"))?;
        count(variant, size, &fen.join(" "))
    };
    match run() {
        Ok(count) => {
            println!("{count}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
