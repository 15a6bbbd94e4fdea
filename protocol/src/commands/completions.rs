//! `fauve completions`.

use crate::terminal::Printer;
use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

/// Arguments of `fauve completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve completions bash > ~/.local/share/bash-completion/completions/fauve\n  \
    fauve completions zsh > ~/.zfunc/_fauve")]
pub struct Arguments {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Arguments {
    /// Prints the completion script.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn run(&self, mut command: Command) -> Result<()> {
        // Buffered, because the generator panics when it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "fauve", &mut script);
        Ok(Printer::default().write_str(&String::from_utf8_lossy(&script))?)
    }
}
