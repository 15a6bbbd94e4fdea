//! The option `--engine` and its words, as matches and the board have it.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// The words of each `--engine`, kept apart; whether there has to be one.
#[derive(Clone, Debug, Default)]
pub struct EngineWords<const REQUIRED: bool>(pub Vec<Vec<String>>);

const PLAYER_HELP: &str = "A player: cmd=PROGRAM (self: this program) name=NAME args=WORDS dir=DIRECTORY \
     proto=uci|ugi|cecp|internal|random|greedy variant=NAME restart=on|off ponder=on|off startup=SECONDS margin=MS option.NAME=VALUE network=FILE param.NAME=VALUE (in a program with the feature tune) and \
     limits; twice or more. internal: the engine in this process, the quickest way to compare settings";

const OPPONENT_HELP: &str = "Another engine to be played against, once or more: cmd=PROGRAM name=NAME args=WORDS dir=DIRECTORY proto=uci|ugi|cecp \
     variant=NAME startup=SECONDS option.NAME=VALUE and limits (movetime=MS, nodes=N, depth=N; a second a turn without limit and clock), as for `fauve match`. \
     Write a file or position before it";

impl<const REQUIRED: bool> FromArgMatches for EngineWords<REQUIRED> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut words = Self::default();
        words.update_from_arg_matches(matches)?;
        Ok(words)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        if let Some(occurrences) = matches.get_occurrences::<String>("engine") {
            self.0 = occurrences.map(|words| words.cloned().collect()).collect();
        }
        Ok(())
    }
}

impl<const REQUIRED: bool> Args for EngineWords<REQUIRED> {
    fn augment_args(command: Command) -> Command {
        let help = if REQUIRED { PLAYER_HELP } else { OPPONENT_HELP };
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .required(REQUIRED)
                .help(help),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
