//! `fauve completions`.

use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::stdout;

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
    /// Prints the completion script.
    pub fn run(&self) {
        clap_complete::generate(self.shell, &mut Cli::command(), "fauve", &mut stdout());
    }
}
