//! The program between a format and the engine: the options, the game, the table and the search thread.

use crate::bench;
use crate::variants::{Sessions, with_session};
use crate::wire::endgames;
use crate::wire::go::Request;
use crate::wire::memory;
use crate::wire::network;
use crate::wire::options::{Effect, Options};
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
use std::sync::Arc;

/// Everything that a format drives.
#[derive(Debug)]
pub struct EngineSession {
    /// What the user has set.
    pub options: Options,
    /// Where lines go.
    pub output: Arc<Output>,
    /// The game.
    pub sessions: Sessions,
    /// The search thread.
    pub search_thread: SearchThread,
    table: Arc<Table>,
}

impl EngineSession {
    /// A shell at the start position of a game. `search_ended` is called after each search.
    ///
    /// # Errors
    /// When there is no thread or no memory to begin with.
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

    /// As at the beginning, at the start position of chess, with the memory and the search thread that are there.
    pub fn begin_again(&mut self) {
        self.search_thread.finish();
        let hash = self.options.hash;
        self.options = Options::default();
        self.options.hash = hash;
        self.sessions = Sessions::new(self.options.variant, &self.options.rules);
        self.output.comment_with_info();
        self.clear_table();
    }

    /// Sets an option and does what follows from it. A running search goes on with what it began with; a change of the
    /// game or its rules ends it.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let old = self.options.clone();
        match self.options.set(name, value) {
            Err(error) => self.output.error(&error.to_string()),
            Ok(Effect::None) => {}
            Ok(Effect::ClearHash) => self.clear_table(),
            Ok(Effect::Hash) => self.resize_table(),
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

    /// Takes the network that the options name; a bad one leaves the old.
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

    /// Takes the tables that the options name; bad ones leave the old.
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
        // Values of one evaluation are no use to another.
        self.search_thread.finish();
        self.options.set_network(network);
        self.clear_table();
    }

    fn change_game(&mut self) {
        // What the search finds must not reach the table of another game.
        self.search_thread.finish();
        self.sessions = Sessions::new(self.options.variant, &self.options.rules);
        self.clear_table();
        self.say_variant();
    }

    fn change_rules(&mut self, old: &RuleSettings) {
        self.search_thread.finish();
        let rules = self.options.rules.clone();
        let messages = with_session!(&mut self.sessions, s => s.set_rules(&rules));
        self.say_all(&messages);
        self.clear_table();
        let starts = Sessions::new(self.options.variant, &rules);
        let before = Sessions::new(self.options.variant, old);
        let start = with_session!(&starts, s => s.fen());
        if start != with_session!(&before, s => s.fen()) {
            self.say_variant();
        }
    }

    fn say_variant(&self) {
        let starts = Sessions::new(self.options.variant, &self.options.rules);
        let start = with_session!(&starts, s => s.fen());
        self.output.info(&format!(
            "variant {} startpos {start}",
            self.options.variant
        ));
    }

    /// Gives the table the size that the options name. The old table goes first, so that both are never held; where the new
    /// one cannot be had, one of the old size takes its place. A running search keeps its table, and the next one gets the new.
    pub fn resize_table(&mut self) {
        let (wanted, old) = (self.options.hash, self.table.megabytes());
        if wanted == old || self.search_thread.is_running() {
            return;
        }
        let refused = match memory::limit() {
            Some(limit) if wanted > limit => format!("there are {limit} MB"),
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
            "no {wanted} MB for Hash ({refused}); it stays at {kept} MB"
        ));
    }

    fn replace_table(&mut self, megabytes: usize) -> Result<(), TryReserveError> {
        self.table = Arc::new(Table::new(1)?);
        if megabytes > 1 {
            self.table = Arc::new(Table::new(megabytes)?);
        }
        Ok(())
    }

    /// Another game of the same kind begins: what earlier searches found is forgotten.
    pub fn new_game(&mut self) {
        self.options.begin_game(None);
        self.clear_table();
    }

    fn clear_table(&self) {
        self.table.clear_with(self.options.settings().threads);
    }

    /// Sets up a position and says what there is to say about it; a bad one leaves the old.
    pub fn set_position(&mut self, base: StartPosition, tokens: &[&str]) {
        let rules = self.options.rules.clone();
        let result = with_session!(&mut self.sessions, s => s.set_position(base, tokens, &rules));
        match result {
            Ok(messages) => self.say_all(&messages),
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    /// Starts a search (or a count of turns). One that still runs is stopped first, and says its answer first; the
    /// listener begins none before a search with an end of its own has come to it.
    pub fn go(&mut self, request: &Request, format: &Arc<dyn OutputFormat>) {
        self.search_thread.finish();
        // It may have been asked for during the search before.
        self.resize_table();
        let job = self.prepare(request, self.context(format));
        self.search_thread.start(job, request.length());
    }

    /// A search (or a count of turns) of the present game, ready to be started; what is wrong with the request is said.
    pub fn prepare(&self, request: &Request, context: SearchContext) -> Job {
        let (messages, job) = with_session!(&self.sessions, s => s.go(request, context));
        self.say_all(&messages);
        job
    }

    /// What a search that begins now works with.
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

    /// Says messages for people.
    pub fn say_all(&self, messages: &[String]) {
        for message in messages {
            self.output.info(message);
        }
    }
}
