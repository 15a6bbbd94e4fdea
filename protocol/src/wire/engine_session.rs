//! State of the engine under a protocol: options, game, transposition table and search thread.

use crate::bench;
use crate::variants::{Sessions, with_session};
use crate::wire::endgames;
use crate::wire::go::Request;
use crate::wire::memory;
use crate::wire::network;
use crate::wire::options::{Effect, Options, elo_range};
use crate::wire::output::Output;
use crate::wire::report::OutputFormat;
use crate::wire::search_thread::{Bounded, Job, SearchThread};
use crate::wire::session::{SearchContext, StartPosition};
use fauve_engine::Variant;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::rules::{RuleSettings, printable};
use fauve_engine::search::Table;
use std::collections::TryReserveError;
use std::io;
use std::num::IntErrorKind;
use std::sync::Arc;

/// The state that the protocols UCI, UGI and CECP drive.
#[derive(Debug)]
pub struct EngineSession {
    /// Options set by the user.
    pub options: Options,
    /// Destination of output lines.
    pub output: Arc<Output>,
    /// The current game.
    pub sessions: Sessions,
    /// The search thread.
    pub search_thread: SearchThread,
    table: Arc<Table>,
}

impl EngineSession {
    /// Creates a session at the start position of a game. `search_ended` is called after each search.
    ///
    /// # Errors
    /// When the search thread or the transposition table cannot be created.
    pub fn new(
        variant: Variant,
        output: Output,
        search_ended: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let mut options = Options::default();
        options.begin_game(None);
        options.variant = variant;
        let output = Arc::new(output);
        let table = Table::new(options.hash).map_err(io::Error::other)?;
        Ok(Self {
            sessions: Sessions::new(variant, &options.rules),
            search_thread: SearchThread::new(Arc::clone(&output), search_ended)?,
            table: Arc::new(table),
            options,
            output,
        })
    }

    /// Resets the session to the start position of chess and default options, reusing the table's memory and the search thread.
    pub fn begin_again(&mut self) {
        self.search_thread.finish();
        let hash = self.options.hash;
        self.options = Options::default();
        self.options.hash = hash;
        self.sessions = Sessions::new(self.options.variant, &self.options.rules);
        self.output.comment_with_info();
        self.clear_table();
    }

    /// Sets an option and applies its effect. A running search keeps the options that it started with; a change of the game or
    /// its rules, of the network or the endgame tables stops it, and so does `Clear Hash`.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let old = self.options.clone();
        let elo = self.elo_within_range(name, value);
        match self.options.set(name, elo.as_deref().unwrap_or(value)) {
            Err(error) => self.output.error(&error.to_string()),
            Ok(Effect::None) => {}
            Ok(Effect::ClearHash) => self.forget_searches(),
            Ok(Effect::Hash) => self.resize_table(),
            Ok(Effect::Variant) if self.options.variant == old.variant => self.print_variant(),
            Ok(Effect::Variant) => self.change_game(),
            Ok(Effect::Rules) if self.options.rules == old.rules => {}
            Ok(Effect::Rules) => self.change_rules(&old.rules),
            Ok(Effect::Log) => {
                if let Err(error) = self.output.log_to(&self.options.log_file) {
                    self.output.error(&format!("Debug Log File: {error}"));
                }
            }
            Ok(Effect::Network) => self.change_network(old.eval_file),
            Ok(Effect::Endgames) => self.change_endgames(old.dice_tables),
        }
    }

    /// Moves a number for `UCI_Elo` into the range of the option, and says what the game makes of it; `None` for other options, and for
    /// numbers that the game takes as they are.
    fn elo_within_range(&self, name: &str, value: &str) -> Option<String> {
        let variant = self.options.variant;
        let (_, least, greatest) = elo_range(Some(variant));
        let elo: i64 = match value.parse() {
            Ok(elo) => elo,
            Err(error) => match error.kind() {
                IntErrorKind::PosOverflow => i64::MAX,
                IntErrorKind::NegOverflow => i64::MIN,
                _ => return None,
            },
        };
        if !name.eq_ignore_ascii_case("UCI_Elo") || (least..=greatest).contains(&elo) {
            return None;
        }
        self.output.info(&format!(
            "UCI_Elo {value} is outside the range of {variant}, {least} to {greatest}; {} is used",
            elo.clamp(least, greatest)
        ));
        // Another game may have a wider range.
        let (_, least, greatest) = elo_range(None);
        Some(elo.clamp(least, greatest).to_string())
    }

    /// Loads the network that the options name; after an error the old one is kept.
    fn change_network(&mut self, old: String) {
        if self.options.eval_file.is_empty() {
            self.evaluate_with(None);
            return;
        }
        match network::read(&self.options.eval_file, self.options.variant) {
            Ok((network, variant)) => {
                self.evaluate_with(Some(network));
                let name = printable(&self.options.eval_file);
                self.output
                    .info(&format!("EvalFile {name} evaluates {variant}"));
            }
            Err(error) => {
                let name = printable(&self.options.eval_file);
                self.output.error(&format!("EvalFile {name}: {error}"));
                self.options.eval_file = old;
            }
        }
    }

    /// Loads the endgame tables that the options name; after an error the old ones are kept.
    fn change_endgames(&mut self, old: String) {
        let name = printable(&self.options.dice_tables);
        let tables = match self.options.dice_tables.as_str() {
            "" => None,
            path => match endgames::read(path) {
                Ok(tables) => Some(tables),
                Err(error) => {
                    self.output.error(&format!("DiceTables {name}: {error}"));
                    self.options.dice_tables = old;
                    return;
                }
            },
        };
        self.search_thread.finish();
        if tables.is_some() {
            self.output.info(&format!("DiceTables {name} read"));
        }
        self.options.set_endgames(tables);
        self.clear_table();
    }

    fn evaluate_with(&mut self, network: Option<SharedNetwork>) {
        // Table entries hold values of the old evaluation.
        self.search_thread.finish();
        self.options.set_network(network);
        self.clear_table();
    }

    fn change_game(&mut self) {
        // Results of this search must not reach the table of another game.
        self.search_thread.finish();
        self.sessions = Sessions::new(self.options.variant, &self.options.rules);
        self.clear_table();
        self.print_variant();
    }

    fn change_rules(&mut self, old: &RuleSettings) {
        self.search_thread.finish();
        let rules = self.options.rules.clone();
        let messages = with_session!(&mut self.sessions, s => s.set_rules(&rules));
        self.print_messages(&messages);
        self.clear_table();
        let starts = Sessions::new(self.options.variant, &rules);
        let before = Sessions::new(self.options.variant, old);
        let start = with_session!(&starts, s => s.fen());
        if start != with_session!(&before, s => s.fen()) {
            self.print_variant();
        }
    }

    fn print_variant(&self) {
        let starts = Sessions::new(self.options.variant, &self.options.rules);
        let start = with_session!(&starts, s => s.fen());
        self.output.info(&format!(
            "variant {} startpos {start}",
            self.options.variant
        ));
    }

    /// Resizes the transposition table to the option `Hash`. The old table is freed first, so that memory never holds both; if
    /// the new one cannot be allocated, the old size is allocated again. During a search this does nothing: the protocol loop calls
    /// it again when the search has ended. For a search that is stopped already it waits, so that no clock of the next one runs
    /// meanwhile.
    pub fn resize_table(&mut self) {
        let (wanted, old) = (self.options.hash, self.table.megabytes());
        if wanted == old {
            return;
        }
        if self.search_thread.is_stopped() {
            self.search_thread.finish_soon();
        }
        if self.search_thread.is_running() {
            return;
        }
        let refused = match memory::limit() {
            Some(limit) if wanted > limit => format!("only {limit} MB available"),
            _ => match self.replace_table(wanted) {
                Ok(()) => return,
                Err(error) => {
                    // If even this fails, the smallest table is kept.
                    let _ = self.replace_table(old);
                    error.to_string()
                }
            },
        };
        let kept = self.table.megabytes();
        self.options.hash = kept;
        self.output.error(&format!(
            "cannot set Hash to {wanted} MB ({refused}); it stays at {kept} MB"
        ));
    }

    fn replace_table(&mut self, megabytes: usize) -> Result<(), TryReserveError> {
        self.table = Arc::new(Table::new(1)?);
        if megabytes > 1 {
            self.table = Arc::new(Table::new(megabytes)?);
        }
        Ok(())
    }

    /// Starts another game: clears the results of earlier searches.
    pub fn new_game(&mut self) {
        self.options.begin_game(None);
        self.forget_searches();
    }

    /// Ends the search that runs, which would go on filling the table, and clears what searches have found.
    fn forget_searches(&mut self) {
        self.search_thread.finish();
        self.resize_table();
        self.clear_table();
    }

    fn clear_table(&self) {
        self.table.clear_with(self.options.settings().threads);
    }

    /// Sets up a position and prints its warnings; after an error the old position is kept.
    pub fn set_position(&mut self, base: StartPosition, tokens: &[&str]) {
        let rules = self.options.rules.clone();
        let result = with_session!(&mut self.sessions, s => s.set_position(base, tokens, &rules));
        match result {
            Ok(messages) => self.print_messages(&messages),
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    /// Starts a search or perft. A running search is stopped first and prints its answer; the protocol loop calls this during a
    /// bounded search only after it has finished.
    pub fn go(&mut self, request: &Request, format: &Arc<dyn OutputFormat>) {
        self.search_thread.finish();
        // Hash may have been changed during the last search.
        self.resize_table();
        let job = self.prepare(request, self.context(format));
        self.search_thread.start(job, request.length());
    }

    /// Prepares a search or perft of the current game, and prints warnings about the request.
    pub fn prepare(&self, request: &Request, context: SearchContext) -> Job {
        let (messages, job) = with_session!(&self.sessions, s => s.go(request, context));
        self.print_messages(&messages);
        job
    }

    /// The context of a search that starts now.
    pub fn context(&self, format: &Arc<dyn OutputFormat>) -> SearchContext {
        SearchContext {
            output: Arc::clone(&self.output),
            format: Arc::clone(format),
            table: Arc::clone(&self.table),
            settings: self.options.settings(),
            cpu_clock: self.options.cpu_clock,
            show_wdl: self.options.show_wdl,
            single_moves: self.options.single_moves,
            doubling: self.options.doubling,
        }
    }

    /// Starts the benchmark of one game, or of all.
    pub fn bench(&mut self, variants: Vec<Variant>) {
        let output = Arc::clone(&self.output);
        let job: Job = Box::new(move |control| {
            match bench::run(&variants, control, &mut |line| output.say(line)) {
                Ok(sum) => Some(sum),
                Err(error) => {
                    output.error(&error.to_string());
                    None
                }
            }
        });
        self.search_thread.start(job, Bounded::Bounded);
    }

    /// Prints messages as `info string` lines.
    pub fn print_messages(&self, messages: &[String]) {
        for message in messages {
            self.output.info(message);
        }
    }
}
