//! The Universal Chess Interface (Huber and Meyer-Kahlen, April 2006) and what people expect beyond it.

use crate::compiler;
use crate::variants::with_session;
use crate::wire::go::Request;
use crate::wire::listener::Flow;
use crate::wire::output::printable;
use crate::wire::report::{Best, Dialect, PvLine};
use crate::wire::session::Base;
use crate::wire::shell::Shell;
use crate::wire::ugi;
use fauve_engine::Variant;
use fauve_engine::search::{Bound, Score};
use std::fmt::Write;
use std::sync::Arc;

/// What a command does.
type Action = fn(&mut Uci, &mut Shell, &[&str]) -> Flow;

/// A command: one definition gives reading and help.
struct Command {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    /// Whether it is of the UCI specification; only those are looked for behind unknown words.
    standard: bool,
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
        standard: true,
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
        name,
        usage,
        help,
        standard: false,
        action,
    }
}

const COMMANDS: &[Command] = &[
    standard("uci", "", "who this is, and the options", Uci::uci),
    standard(
        "isready",
        "",
        "answers readyok, also during a search",
        |_, shell, _| {
            shell.output.say("readyok");
            Flow::Continue
        },
    ),
    standard(
        "setoption",
        "name NAME [value VALUE]",
        "sets an option",
        Uci::set_option,
    ),
    standard(
        "ucinewgame",
        "",
        "forgets what earlier searches found",
        |_, shell, _| {
            shell.new_game();
            Flow::Continue
        },
    ),
    extra(
        "ugi",
        "",
        "the same for the Universal Game Interface",
        Uci::ugi,
    ),
    extra(
        "uginewgame",
        "",
        "forgets what earlier searches found",
        |_, shell, _| {
            shell.new_game();
            Flow::Continue
        },
    ),
    standard(
        "position",
        "startpos|startpos-left|fen FEN [moves TURN ...]",
        "sets up a position; the moves of a turn are joined by commas",
        Uci::position,
    ),
    standard(
        "go",
        "[depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [mate N] \
         [infinite] [ponder] [searchmoves TURN ...] [dice ROLL] [perft N]",
        "searches; one that still runs is stopped and answers first",
        Uci::go,
    ),
    standard(
        "stop",
        "",
        "ends the search, which answers",
        |_, shell, _| {
            if let Some(control) = shell.worker.control() {
                control.stop();
            }
            Flow::Continue
        },
    ),
    standard(
        "ponderhit",
        "",
        "the expected turn was played",
        |_, shell, _| {
            if let Some(control) = shell.worker.control() {
                control.ponder_hit();
            }
            Flow::Continue
        },
    ),
    standard("quit", "", "ends the program", |_, _, _| Flow::Quit),
    standard("debug", "on|off", "accepted, changes nothing", |_, _, _| {
        Flow::Continue
    }),
    standard("register", "...", "accepted, changes nothing", |_, _, _| {
        Flow::Continue
    }),
    extra("d", "", "shows the board", |_, shell, _| {
        let text = with_session!(&shell.sessions, s => s.describe());
        shell.output.say(&text);
        Flow::Continue
    }),
    extra("eval", "", "shows the static evaluation", |_, shell, _| {
        let text = with_session!(&shell.sessions, s => s.evaluation());
        shell.output.say(&text);
        Flow::Continue
    }),
    extra("legal", "[PREFIX]", "lists the legal turns", Uci::legal),
    extra("play", "TURN ...", "plays turns", Uci::play),
    extra(
        "undo",
        "",
        "takes back the last turn or roll",
        |_, shell, _| {
            if let Err(error) = with_session!(&mut shell.sessions, s => s.undo()) {
                shell.output.error(&error);
            }
            Flow::Continue
        },
    ),
    extra(
        "roll",
        "[ROLL]",
        "rolls the dice: 136 or PBK, those of the seed, or random ones",
        Uci::roll,
    ),
    extra("flip", "", "exchanges the colours", |_, shell, _| {
        match with_session!(&mut shell.sessions, s => s.flip()) {
            Ok(messages) => shell.say_all(&messages),
            Err(error) => shell.output.error(&error),
        }
        Flow::Continue
    }),
    extra(
        "query",
        "p1turn|gameover|result|legal|fen|roll",
        "asks about the game, answered by response",
        Uci::query,
    ),
    extra(
        "bench",
        "[GAME]",
        "searches fixed positions and counts nodes",
        Uci::bench,
    ),
    extra(
        "compiler",
        "",
        "how the program was built",
        |_, shell, _| {
            shell.output.say(&compiler::describe());
            Flow::Continue
        },
    ),
    extra("help", "", "this list", Uci::help),
];

/// The state of the dialect.
#[derive(Clone)]
pub struct Uci {
    style: Arc<dyn Dialect>,
}

impl Default for Uci {
    fn default() -> Self {
        Self {
            style: Arc::new(Style),
        }
    }
}

impl Uci {
    /// Obeys one line.
    pub fn handle(&mut self, shell: &mut Shell, line: &str) -> Flow {
        if line.is_empty() || line.starts_with('#') {
            return Flow::Continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        for (place, word) in words.iter().enumerate() {
            let found = COMMANDS
                .iter()
                .find(|command| command.name == *word && (place == 0 || command.standard));
            if let Some(command) = found {
                return (command.action)(self, shell, &words[place + 1..]);
            }
        }
        shell
            .output
            .error(&format!("unknown command '{}', try help", printable(line)));
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn uci(&mut self, shell: &mut Shell, _: &[&str]) -> Flow {
        Self::greet(shell, "uciok");
        Flow::Continue
    }

    fn ugi(&mut self, shell: &mut Shell, _: &[&str]) -> Flow {
        self.style = Arc::new(ugi::Style(Arc::new(Style)));
        Self::greet(shell, "ugiok");
        Flow::Continue
    }

    fn greet(shell: &Shell, end: &str) {
        shell.output.say(&format!(
            "id name Fauve {}\nid author the Fauve authors\n{}\n{end}",
            env!("CARGO_PKG_VERSION"),
            shell.options.listing()
        ));
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn set_option(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        let find = |keyword: &str| words.iter().position(|w| w.eq_ignore_ascii_case(keyword));
        let Some(start) = find("name") else {
            shell
                .output
                .error("setoption needs: name NAME [value VALUE]");
            return Flow::Continue;
        };
        let value = find("value").filter(|&value| value > start);
        let name = words[start + 1..value.unwrap_or(words.len())].join(" ");
        let value = value.map_or(String::new(), |value| words[value + 1..].join(" "));
        shell.set_option(&name, &value);
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn position(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        match Base::parse(words) {
            Some((base, tokens)) => shell.set_position(base, &tokens),
            None => shell.output.error("position needs: startpos or fen FEN"),
        }
        Flow::Continue
    }

    fn go(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        shell.go(&Request::parse(words), &self.style);
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn legal(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        let prefix = words.first().copied().unwrap_or_default();
        match with_session!(&shell.sessions, s => s.legal(prefix)) {
            Ok(tokens) => {
                let text = format!("{}\n{} turns", tokens.join(" "), tokens.len());
                shell.output.say(&text);
            }
            Err(error) => shell.output.error(&error),
        }
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn play(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        if words.is_empty() {
            shell.output.error("play needs a turn, try legal");
        }
        for word in words {
            if let Err(error) = with_session!(&mut shell.sessions, s => s.apply(word)) {
                shell.output.error(&error.to_string());
                break;
            }
        }
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn roll(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        match with_session!(&mut shell.sessions, s => s.roll(words.first().copied())) {
            Ok(roll) => shell.output.say(&format!("roll {roll}")),
            Err(error) => shell.output.error(&error),
        }
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn query(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        let what = words.first().copied().unwrap_or_default();
        match with_session!(&shell.sessions, s => s.query(what)) {
            Ok(answer) => shell.output.say(format!("response {answer}").trim_end()),
            Err(error) => shell.output.error(&error),
        }
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn bench(&mut self, shell: &mut Shell, words: &[&str]) -> Flow {
        match words.first() {
            None => shell.bench(Variant::ALL.to_vec()),
            Some(name) => {
                if let Some(variant) = Variant::from_name(name) {
                    shell.bench(vec![variant]);
                } else {
                    let name = printable(name);
                    shell.output.error(&format!("bench: no game {name}"));
                }
            }
        }
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn help(&mut self, shell: &mut Shell, _: &[&str]) -> Flow {
        let mut text = String::from("Commands:\n");
        for Command {
            name, usage, help, ..
        } in COMMANDS
        {
            let _ = writeln!(
                text,
                "  {}\n      {help}",
                format!("{name} {usage}").trim_end()
            );
        }
        text.push_str("Options (setoption name NAME value VALUE):\n");
        for option in crate::wire::options::definitions() {
            let _ = writeln!(text, "  {}\n      {}", option.name, option.help);
        }
        shell.output.say(text.trim_end());
        Flow::Continue
    }
}

/// How UCI writes reports.
struct Style;

impl Dialect for Style {
    fn pv(&self, line: &PvLine) -> String {
        let score = match line.score {
            Score::Cp(value) => format!("cp {value}"),
            Score::Mate(turns) => format!("mate {turns}"),
        };
        if line.depth == 0 && line.pv.is_empty() {
            return format!("info depth 0 score {score}");
        }
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = match line.wdl {
            Some([win, draw, loss]) => format!(" wdl {win} {draw} {loss}"),
            None => String::new(),
        };
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {score}{bound}{wdl} nodes {} nps {} hashfull {} time {}",
            line.depth,
            line.seldepth,
            line.multipv,
            line.nodes,
            line.nps(),
            line.hashfull,
            line.time.as_millis(),
        );
        if !line.pv.is_empty() {
            text.push_str(" pv ");
            text.push_str(&line.pv.join(" "));
        }
        text
    }

    fn current(&self, depth: u32, token: &str, number: usize) -> Option<String> {
        Some(format!(
            "info depth {depth} currmove {token} currmovenumber {number}"
        ))
    }

    fn message(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn best(&self, best: &Best) -> String {
        match (&best.turn, &best.ponder) {
            (None, _) => "bestmove (none)".to_owned(),
            (Some(turn), None) => format!("bestmove {turn}"),
            (Some(turn), Some(ponder)) => format!("bestmove {turn} ponder {ponder}"),
        }
    }
}
