//! `fauve completions`.

use crate::terminal::Printer;
use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

/// What may follow `fauve completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve completions bash > ~/.local/share/bash-completion/completions/fauve\n  \
    fauve completions zsh > ~/.zfunc/_fauve")]
pub struct Arguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Arguments {
    /// Prints the completion script of the program's command line.
    ///
    /// # Errors
    /// When standard output takes no more.
    pub fn run(&self, mut command: Command) -> Result<()> {
        // By way of memory: the generator panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "fauve", &mut script);
        Ok(Printer::default().write_str(&String::from_utf8_lossy(&script))?)
    }
}
