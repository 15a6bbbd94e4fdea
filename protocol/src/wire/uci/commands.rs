use super::actions;
use super::state::Uci;
use crate::compiler;
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::options::definitions;
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use std::fmt::Write;

/// The action of a command; functions get the words after its name.
#[derive(Clone, Copy)]
enum Action {
    /// Uses the engine session only.
    EngineSession(fn(&mut EngineSession, &[&str])),
    /// Also uses the state of the protocol.
    Uci(fn(&mut Uci, &mut EngineSession, &[&str])),
    /// Does not wait for a search.
    Urgent(fn(&mut EngineSession)),
    /// Accepted without effect.
    Ignore,
    /// Done by the protocol loop, since it affects waiting lines too.
    ProtocolLoop(Haste),
}

/// When a line that arrives during a bounded search is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Haste {
    /// After that search and the lines waiting for it.
    InOrder,
    /// At once.
    AtOnce,
    /// At once; stops the searches of all lines before it.
    Stop,
    /// At once; stops the searches of all lines before it and ends the program.
    Quit,
}

/// A command: one definition provides parsing and help.
struct Command {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    /// Whether it is part of the UCI specification; only such commands are recognised after unknown words.
    is_standard: bool,
    action: Action,
}

const fn standard(
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    action: Action,
) -> Command {
    Command {
        name,
        usage,
        help,
        is_standard: true,
        action,
    }
}

const fn extra(
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    action: Action,
) -> Command {
    Command {
        is_standard: false,
        ..standard(name, usage, help, action)
    }
}

const COMMANDS: &[Command] = &[
    standard(
        "uci",
        "",
        "identifies the engine and lists its options",
        Action::EngineSession(|session, _| actions::greet(session, "uciok")),
    ),
    standard(
        "isready",
        "",
        "replies readyok, even during a search",
        Action::Urgent(|session| {
            session.resize_table();
            session.output.say("readyok");
        }),
    ),
    standard(
        "setoption",
        "name NAME [value VALUE]",
        "sets an option",
        Action::EngineSession(actions::set_option),
    ),
    standard(
        "ucinewgame",
        "",
        "starts a new game: clears the results of earlier searches",
        Action::EngineSession(|session, _| session.new_game()),
    ),
    extra(
        "ugi",
        "",
        "switches to the Universal Game Interface",
        Action::Uci(|uci, session, _| uci.become_ugi(session)),
    ),
    extra(
        "uginewgame",
        "",
        "starts a new game: clears the results of earlier searches",
        Action::EngineSession(|session, _| session.new_game()),
    ),
    standard(
        "position",
        "startpos|startpos-left|fen FEN [moves TURN ...]",
        "sets up a position; commas join the moves of a turn",
        Action::EngineSession(actions::position),
    ),
    standard(
        "go",
        "[depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [mate N] \
         [infinite] [ponder] [searchmoves TURN ...] [dice ROLL] [perft N] [double|take [cube N [white|black]]]",
        "starts a search; waits for a running one that has a limit",
        Action::Uci(Uci::go),
    ),
    standard(
        "stop",
        "",
        "stops the search and those waiting; each prints bestmove",
        Action::ProtocolLoop(Haste::Stop),
    ),
    standard(
        "ponderhit",
        "",
        "the expected turn was played",
        Action::EngineSession(|session, _| session.search_thread.ponder_hit()),
    ),
    standard(
        "quit",
        "",
        "stops the search and ends the program",
        Action::ProtocolLoop(Haste::Quit),
    ),
    standard("debug", "on|off", "accepted, no effect", Action::Ignore),
    standard("register", "...", "accepted, no effect", Action::Ignore),
    extra(
        "d",
        "",
        "shows the board",
        Action::EngineSession(|session, _| {
            let text = with_session!(&session.sessions, s => s.describe());
            session.output.say(&text);
        }),
    ),
    extra(
        "eval",
        "",
        "shows the static evaluation",
        Action::EngineSession(|session, _| {
            let settings = session.options.settings();
            let network = settings.network.as_ref();
            let text = with_session!(&session.sessions, s => s.evaluation(network));
            session.output.say(&text);
        }),
    ),
    extra(
        "legal",
        "[PREFIX]",
        "lists the legal turns",
        Action::EngineSession(actions::legal),
    ),
    extra(
        "play",
        "TURN ...",
        "plays turns",
        Action::EngineSession(actions::play),
    ),
    extra(
        "undo",
        "",
        "takes back the last turn or roll",
        Action::EngineSession(actions::undo),
    ),
    extra(
        "roll",
        "[ROLL]",
        "rolls the dice: 136 or PBK, or by the seed, or at random",
        Action::EngineSession(actions::roll),
    ),
    extra(
        "flip",
        "",
        "exchanges the colours",
        Action::EngineSession(actions::flip),
    ),
    extra(
        "query",
        "p1turn|gameover|result|legal|fen|roll",
        "queries the state of the game; replies response",
        Action::EngineSession(actions::query),
    ),
    extra(
        "bench",
        "[GAME]",
        "searches fixed positions and counts nodes",
        Action::EngineSession(actions::bench),
    ),
    extra(
        "compiler",
        "",
        "shows how the program was built",
        Action::EngineSession(|session, _| session.output.say(&compiler::describe())),
    ),
    extra(
        "help",
        "[WORD]",
        "shows this list; `help go`, `help options`, `help Hash`: details",
        Action::EngineSession(|session, words| session.output.say(help(words).trim_end())),
    ),
];

impl Uci {
    /// Executes one line, except for commands of the protocol loop.
    pub fn handle(&mut self, session: &mut EngineSession, line: &str) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let Some((command, rest)) = read(line) else {
            let line = printable(line);
            let text = format!("unknown command '{line}'; try help");
            session.output.error(&text);
            return;
        };
        match command.action {
            Action::EngineSession(act) => act(session, &rest),
            Action::Uci(act) => act(self, session, &rest),
            Action::Urgent(act) => act(session),
            Action::Ignore | Action::ProtocolLoop(_) => {}
        }
    }
}

/// Completions of a word: commands at the start of a line, then the keywords of the command.
pub fn complete(before: &str, word: &str) -> Vec<String> {
    let mut typed = before.split_whitespace();
    let names: Vec<&str> = match typed.next() {
        None => COMMANDS.iter().map(|command| command.name).collect(),
        Some("setoption") => match typed.next_back() {
            Some("name") => definitions().iter().map(|option| option.name).collect(),
            Some("value") => Variant::ALL.iter().map(|game| game.name()).collect(),
            _ => vec!["name", "value"],
        },
        Some("bench") => Variant::ALL.iter().map(|game| game.name()).collect(),
        Some(command) => COMMANDS
            .iter()
            .filter(|known| known.name == command)
            .flat_map(|known| {
                known
                    .usage
                    .split(|letter: char| !letter.is_ascii_alphanumeric())
            })
            .filter(|word| word.bytes().any(|byte| byte.is_ascii_lowercase()))
            .collect(),
    };
    let fitting = names.into_iter().filter(|name| name.starts_with(word));
    fitting.map(str::to_owned).collect()
}

/// When a line is executed.
pub fn haste(line: &str) -> Haste {
    match read(line) {
        Some((command, _)) => match command.action {
            Action::ProtocolLoop(haste) => haste,
            Action::Urgent(_) => Haste::AtOnce,
            _ => Haste::InOrder,
        },
        None => Haste::InOrder,
    }
}

/// The command of a line and the words after it; unknown words before it are skipped.
fn read(line: &str) -> Option<(&'static Command, Vec<&str>)> {
    if line.starts_with('#') {
        return None;
    }
    let mut words = line.split_whitespace();
    let mut is_first = true;
    loop {
        let word = words.next()?;
        let known = COMMANDS
            .iter()
            .find(|command| command.name == word && (is_first || command.is_standard));
        if let Some(command) = known {
            return Some((command, words.collect()));
        }
        is_first = false;
    }
}

/// Help: the list of commands, or the help of a command, an option, or all options.
fn help(words: &[&str]) -> String {
    let wanted = words.join(" ").to_ascii_lowercase();
    let mut text = String::new();
    for command in COMMANDS {
        let Command {
            name, usage, help, ..
        } = command;
        let _ = match (wanted.as_str(), &command.action) {
            ("", Action::Ignore) => Ok(()),
            ("", _) => writeln!(text, "  {name:<12}{help}"),
            (word, _) if word == *name => {
                writeln!(text, "{}\n  {help}", format!("{name} {usage}").trim_end())
            }
            _ => Ok(()),
        };
    }
    for option in definitions() {
        if wanted == "options" || wanted == option.name.to_ascii_lowercase() {
            let _ = writeln!(text, "setoption name {}\n  {}", option.name, option.help);
        }
    }
    if text.is_empty() {
        text = format!("no command or option '{}'", printable(&words.join(" ")));
    }
    text
}
