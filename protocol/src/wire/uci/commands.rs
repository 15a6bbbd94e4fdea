use super::actions;
use super::state::Uci;
use crate::compiler;
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::options::definitions;
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use std::fmt::Write;

/// What a command does, with the words behind it.
#[derive(Clone, Copy)]
enum Action {
    /// Something with the game.
    EngineSession(fn(&mut EngineSession, &[&str])),
    /// Something that the format has a part in.
    Uci(fn(&mut Uci, &mut EngineSession, &[&str])),
    /// Something that does not wait for a search.
    Urgent(fn(&EngineSession)),
    /// Nothing: it is accepted for politeness.
    Ignore,
    /// What is not done here but by the listener, since it concerns the lines that wait, too.
    ProtocolLoop(Haste),
}

/// When a line is obeyed that comes during a search with an end of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Haste {
    /// Behind that search and the lines that wait for it.
    InOrder,
    /// At once.
    AtOnce,
    /// At once: the searches of all lines before it are stopped.
    Stop,
    /// At once: as by `stop`, and then the program ends.
    Quit,
}

/// A command: one definition gives reading and help.
struct Command {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    /// Whether it is of the UCI specification; only those are looked for behind unknown words.
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
        "who this is, and the options",
        Action::EngineSession(|shell, _| actions::greet(shell, "uciok")),
    ),
    standard(
        "isready",
        "",
        "answers readyok, also during a search",
        Action::Urgent(|shell| shell.output.say("readyok")),
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
        "forgets what earlier searches found",
        Action::EngineSession(|shell, _| shell.new_game()),
    ),
    extra(
        "ugi",
        "",
        "the same for the Universal Game Interface",
        Action::Uci(|uci, shell, _| uci.become_ugi(shell)),
    ),
    extra(
        "uginewgame",
        "",
        "forgets what earlier searches found",
        Action::EngineSession(|shell, _| shell.new_game()),
    ),
    standard(
        "position",
        "startpos|startpos-left|fen FEN [moves TURN ...]",
        "sets up a position; the moves of a turn are joined by commas",
        Action::EngineSession(actions::position),
    ),
    standard(
        "go",
        "[depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [mate N] \
         [infinite] [ponder] [searchmoves TURN ...] [dice ROLL] [perft N]",
        "searches, behind a search that has an end; any other is stopped",
        Action::Uci(Uci::go),
    ),
    standard(
        "stop",
        "",
        "ends the search, which answers, and those that wait behind it",
        Action::ProtocolLoop(Haste::Stop),
    ),
    standard(
        "ponderhit",
        "",
        "the expected turn was played",
        Action::EngineSession(|shell, _| shell.search_thread.ponder_hit()),
    ),
    standard(
        "quit",
        "",
        "ends the search, which answers, and the program",
        Action::ProtocolLoop(Haste::Quit),
    ),
    standard(
        "debug",
        "on|off",
        "accepted, changes nothing",
        Action::Ignore,
    ),
    standard(
        "register",
        "...",
        "accepted, changes nothing",
        Action::Ignore,
    ),
    extra(
        "d",
        "",
        "shows the board",
        Action::EngineSession(|shell, _| {
            let text = with_session!(&shell.sessions, s => s.describe());
            shell.output.say(&text);
        }),
    ),
    extra(
        "eval",
        "",
        "shows the static evaluation",
        Action::EngineSession(|shell, _| {
            let settings = shell.options.settings();
            let network = settings.network.as_ref();
            let text = with_session!(&shell.sessions, s => s.evaluation(network));
            shell.output.say(&text);
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
        "rolls the dice: 136 or PBK, those of the seed, or random ones",
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
        "asks about the game, answered by response",
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
        "how the program was built",
        Action::EngineSession(|shell, _| shell.output.say(&compiler::describe())),
    ),
    extra(
        "help",
        "[WORD]",
        "this list; `help go`, `help options`, `help Hash` tell more",
        Action::EngineSession(|shell, words| shell.output.say(help(words).trim_end())),
    ),
];

impl Uci {
    /// Obeys one line, but for what the listener does.
    pub fn handle(&mut self, shell: &mut EngineSession, line: &str) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let Some((command, rest)) = read(line) else {
            let line = printable(line);
            let text = format!("unknown command '{line}', try help");
            shell.output.error(&text);
            return;
        };
        match command.action {
            Action::EngineSession(act) => act(shell, &rest),
            Action::Uci(act) => act(self, shell, &rest),
            Action::Urgent(act) => act(shell),
            Action::Ignore | Action::ProtocolLoop(_) => {}
        }
    }
}

/// How a word on the wire can go on: commands first, then the words of the command.
pub fn complete(before: &str, word: &str) -> Vec<String> {
    let mut said = before.split_whitespace();
    let names: Vec<&str> = match said.next() {
        None => COMMANDS.iter().map(|command| command.name).collect(),
        Some("setoption") => match said.next_back() {
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

/// When a line is obeyed.
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

/// The command of a line and the words behind it; unknown words before it are skipped.
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

/// The commands in a screen, or what is to be said about one of them, about an option, or about all options.
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
        text = format!(
            "there is neither a command nor an option '{}'",
            printable(&words.join(" "))
        );
    }
    text
}
