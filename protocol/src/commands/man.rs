//! `fauve man`: the manual pages, one for the program and one for each subcommand.

use super::Misuse;
use crate::terminal::Printer;
use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;
use fauve_engine::rules::printable;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Arguments of `fauve man`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve man | man -l -                          the page of the program\n  \
    fauve man play > fauve-play.1                 that of one command\n  \
    fauve man --output ~/.local/share/man/man1    all of them, for `man fauve`")]
pub struct Arguments {
    /// Write the pages of the program and of all commands into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    output: Option<PathBuf>,
    /// The command whose page is printed; without it the page of the program.
    #[arg(value_name = "COMMAND")]
    name: Option<String>,
}

impl Arguments {
    /// Prints one page of roff, or writes them all.
    ///
    /// # Errors
    /// A command that does not exist, a folder that cannot be written, or standard output that takes no more.
    pub fn run(&self, command: Command) -> Result<()> {
        // `help` has no page: each command has `--help`.
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let commands: Vec<&Command> = command
            .get_subcommands()
            .filter(|part| !part.is_hide_set())
            .collect();
        if let Some(folder) = &self.output {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            for part in [&[&command], &commands[..]].concat() {
                let path = folder.join(format!("{}.1", page_name(part)));
                fs::write(&path, page(part)?).with_context(|| path.display().to_string())?;
            }
            return Ok(());
        }
        let part = match &self.name {
            None => &command,
            Some(name) => {
                let is_it = |part: &&Command| {
                    part.get_name() == name || part.get_all_aliases().any(|alias| alias == name)
                };
                let found = commands.iter().copied().find(is_it);
                found.ok_or_else(|| Misuse(format!("there is no command '{}'", printable(name))))?
            }
        };
        Ok(Printer::default().write_str(&page(part)?)?)
    }
}

/// The name of a page, `fauve` or `fauve-play`.
fn page_name(command: &Command) -> &str {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
}

/// The page of a command. Nothing in it is hyphenated: a position that is broken is another one, or none.
fn page(command: &Command) -> Result<String> {
    let man = Man::new(command.clone());
    let mut parts = Vec::new();
    man.render_title(&mut parts)?;
    parts.extend_from_slice(b".nh\n.ad l\n");
    man.render_name_section(&mut parts)?;
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut parts)?;
    }
    let mut text = String::new();
    // Each section begins with the same definitions, which are needed once.
    let mut known: Vec<&str> = Vec::new();
    for line in std::str::from_utf8(&parts)?.lines() {
        let is_definition = line.starts_with(".ie ") || line.starts_with(".el ");
        if is_definition && known.contains(&line) {
            continue;
        }
        if is_definition {
            known.push(line);
        }
        text.push_str(line);
        text.push('\n');
    }
    let after = command.get_after_help().map(ToString::to_string);
    write_after_help(&mut text, &after.unwrap_or_default())?;
    if page_name(command) != "fauve" {
        text.push_str(".SH SEE ALSO\nfauve(1)\n");
    }
    Ok(text)
}

/// The examples as lines that stay as they are, and the paragraphs behind them.
fn write_after_help(text: &mut String, after: &str) -> Result<()> {
    let mut is_example = false;
    let mut has_notes = false;
    for line in after.lines() {
        if line == "Examples:" {
            text.push_str(".SH EXAMPLES\n.nf\n");
            is_example = true;
        } else if is_example && line.starts_with("  ") {
            writeln!(text, "{}", escape(&line[2..]))?;
        } else if line.is_empty() {
            if is_example {
                text.push_str(".fi\n");
                is_example = false;
            }
        } else {
            text.push_str(if has_notes { ".PP\n" } else { ".SH NOTES\n" });
            has_notes = true;
            writeln!(text, "{}", escape(line))?;
        }
    }
    if is_example {
        text.push_str(".fi\n");
    }
    Ok(())
}

/// A line of text as roff reads it.
fn escape(line: &str) -> String {
    let escaped = line
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq")
        .replace('`', "\\(ga")
        .replace('^', "\\(ha")
        .replace('~', "\\(ti");
    if escaped.starts_with('.') {
        format!("\\&{escaped}")
    } else {
        escaped
    }
}
