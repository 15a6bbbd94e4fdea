//! `fauve man`: the manual page, for packagers.

use crate::terminal::Printer;
use anyhow::Result;
use clap::Command;
use clap_mangen::Man;

/// Arguments of `fauve man`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  fauve man > fauve.1; man ./fauve.1")]
pub struct Arguments {}

impl Arguments {
    /// Prints one page of roff: the program, then each subcommand.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn run(&self, mut command: Command) -> Result<()> {
        command.build();
        let mut page = Vec::new();
        Man::new(command.clone()).render(&mut page)?;
        for subcommand in command.get_subcommands().filter(|part| !part.is_hide_set()) {
            let name = format!("fauve {}", subcommand.get_name());
            let part = Man::new(subcommand.clone());
            let heading = format!(".SH {}\n", name.to_uppercase());
            page.extend_from_slice(heading.as_bytes());
            part.render_description_section(&mut page)?;
            part.render_synopsis_section(&mut page)?;
            part.render_options_section(&mut page)?;
            part.render_extra_section(&mut page)?;
        }
        Ok(Printer::default().write_str(&String::from_utf8_lossy(&page))?)
    }
}
