//! `fauve board`: all games on a page in the browser.

use super::engine_words::EngineWords;
use crate::memory::return_large_blocks;
use crate::terminal::{Printer, warn};
use anyhow::{Context, Result};
use fauve_board::{Config, LONGEST_FILE, make_folder, serve};
use fauve_engine::Variant;
use fauve_game::pgn;
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::record::lines::read_header;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::available_parallelism;
use std::time::Duration;

/// What opens a page in the browser, where it is there.
#[cfg(not(windows))]
const OPENERS: &[&[&str]] = &[&["xdg-open"], &["open"], &["wslview"]];
/// What opens a page in the browser: `start` belongs to the command interpreter, and takes its first text in quotes for a title.
#[cfg(windows)]
const OPENERS: &[&[&str]] = &[&["cmd", "/C", "start", "Fauve"]];

/// What may follow `fauve board`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve board\n  \
    fauve board --variant cubes4d\n  \
    fauve board rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n  \
    fauve board games.pgn\n  \
    fauve board sprt.jsonl       follows a match while it runs\n  \
    fauve board --lan            for a phone in the same network, too\n  \
    fauve board --engine cmd=./old name=Old nodes=5000\n\n\
    The page is served on 127.0.0.1 only and needs no network, unless --lan is given. Ctrl-C ends it.")]
pub struct Arguments {
    /// The port; 0 takes one that is free.
    #[arg(long, default_value_t = 8484)]
    port: u16,
    /// Let other machines of the network reach the board, a phone for instance, by an address with a key; whoever has the address plays,
    /// and reads the games that are kept.
    #[arg(long)]
    lan: bool,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// The least time in seconds that the engine takes for a turn, so that the turn before can be seen.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5, value_parser = pause)]
    pause: f64,
    /// The folder in which games are kept as PGN, to be taken up again (default: in the user's folder for data).
    #[arg(long, value_name = "DIR", conflicts_with = "no_keep")]
    keep: Option<PathBuf>,
    /// Keep no games.
    #[arg(long)]
    no_keep: bool,
    #[command(flatten)]
    engines: EngineWords<false>,
    /// A position to begin with, a file of games (PGN), or the record of a match.
    #[arg(value_name = "FEN | FILE")]
    words: Vec<String>,
}

impl Arguments {
    /// Serves the page until the program is ended.
    ///
    /// # Errors
    /// When the position or file cannot be read, or the port is taken.
    pub fn run(&self, variant: Variant) -> Result<()> {
        let mut config = Config {
            port: self.port,
            lan: self.lan,
            variant,
            fen: None,
            games: None,
            record: None,
            keep: self.keep_folder(),
            pause: Duration::from_secs_f64(self.pause),
            searches: available_parallelism().map_or(2, usize::from).max(2),
            engines: self.opponents()?,
        };
        match &self.words[..] {
            [] => {}
            [word] if Path::new(word).is_file() => {
                let path = Path::new(word);
                if read_header(path).is_some() {
                    config.record = Some(path.to_owned());
                } else {
                    config.games = Some(read(path)?);
                }
            }
            words => config.fen = Some(words.join(" ")),
        }
        // A board is kept open for days, and each of its searches has a thread and a table of its own.
        return_large_blocks();
        let opens = !self.no_open;
        let (what, shares) = (config.fen.clone(), config.lan);
        serve(config, |addresses| {
            let url = &addresses.local;
            let network = match &addresses.network {
                Some(network) => format!("For other machines of this network: {network}\n"),
                None if shares => {
                    "This machine has no address in a network: others do not reach it.\n".to_owned()
                }
                None => String::new(),
            };
            let said = writeln!(
                Printer::default(),
                "The board is at {url}\n{network}Ctrl-C ends it."
            );
            // A terminal that is gone is no reason not to serve.
            drop(said);
            if opens && !open(url) {
                warn("No browser was found: open the address yourself.");
            }
        })
        .map_err(|why| match what {
            Some(words) if words.contains('.') && !words.contains(' ') => {
                why.context(format!("there is no file '{words}'"))
            }
            _ => why,
        })
    }

    /// The programs that can be played against.
    fn opponents(&self) -> Result<Vec<EngineSpec>> {
        let words = self.engines.0.iter();
        let read = words.map(|words| EngineSpec::complete(words, &[]));
        Ok(read.collect::<Result<_, _>>()?)
    }

    /// Where games are kept; nowhere where the system names no folder of the user.
    fn keep_folder(&self) -> Option<PathBuf> {
        if self.no_keep {
            return None;
        }
        if let Some(folder) = &self.keep {
            return Some(folder.clone());
        }
        let known = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let data = if cfg!(windows) {
            PathBuf::from(known("APPDATA")?)
        } else if let Some(folder) = known("XDG_DATA_HOME") {
            PathBuf::from(folder)
        } else if cfg!(target_os = "macos") {
            Path::new(&known("HOME")?).join("Library/Application Support")
        } else {
            Path::new(&known("HOME")?).join(".local/share")
        };
        let folder = data.join("fauve").join("games");
        // Nobody has asked for this folder: where it cannot be written to, the board does without.
        match make_folder(&folder) {
            Ok(()) => Some(folder),
            Err(error) => {
                let name = folder.display();
                warn(format_args!("games are not kept: {name}: {error}"));
                None
            }
        }
    }
}

/// Reads a pause in seconds.
fn pause(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match seconds {
        0.0..=60.0 => Ok(seconds),
        _ => Err("0 to 60 seconds".to_owned()),
    }
}

/// The text of a file of games.
fn read(path: &Path) -> Result<String> {
    let name = || path.display().to_string();
    let length = path.metadata().with_context(name)?.len();
    anyhow::ensure!(length <= LONGEST_FILE, "{} is longer than 64 MB", name());
    let bytes = std::fs::read(path).with_context(name)?;
    let bytes = pgn::unpack_at_most(bytes, LONGEST_FILE).with_context(name)?;
    Ok(pgn::decode(&bytes).into_owned())
}

/// Opens the browser; `false` where there is none that we know of.
fn open(url: &str) -> bool {
    // Without a screen `xdg-open` would look for a browser in the terminal.
    let has_screen = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    has_screen
        && OPENERS.iter().any(|opener| {
            Command::new(opener[0])
                .args(&opener[1..])
                .arg(url)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .is_ok()
        })
}
