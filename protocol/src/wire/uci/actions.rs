//! Commands that need only the engine session.

use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::session::StartPosition;
use fauve_engine::Variant;
use fauve_engine::rules::printable;

/// Prints the identification and the options, then `end`, the line that ends the handshake.
pub(super) fn greet(shell: &EngineSession, end: &str) {
    shell.output.say(&format!(
        "id name Fauve {}\nid author the Fauve authors\n{}\n{end}",
        env!("CARGO_PKG_VERSION"),
        shell.options.listing()
    ));
}

pub(super) fn set_option(shell: &mut EngineSession, words: &[&str]) {
    let find = |keyword: &str| words.iter().position(|w| w.eq_ignore_ascii_case(keyword));
    let Some(start) = find("name") else {
        shell
            .output
            .error("usage: setoption name NAME [value VALUE]");
        return;
    };
    let value = find("value").filter(|&value| value > start);
    let name = words[start + 1..value.unwrap_or(words.len())].join(" ");
    let value = value.map_or(String::new(), |value| words[value + 1..].join(" "));
    shell.set_option(&name, &value);
}

pub(super) fn position(shell: &mut EngineSession, words: &[&str]) {
    match StartPosition::parse(words) {
        Some((base, tokens)) => shell.set_position(base, &tokens),
        None => shell
            .output
            .error("usage: position startpos|fen FEN [moves TURN ...]"),
    }
}

pub(super) fn legal(shell: &mut EngineSession, words: &[&str]) {
    let prefix = words.first().copied().unwrap_or_default();
    match with_session!(&shell.sessions, s => s.legal(prefix)) {
        Ok(tokens) => {
            let noun = if tokens.len() == 1 { "turn" } else { "turns" };
            let text = format!("{}\n{} {noun}", tokens.join(" "), tokens.len());
            shell.output.say(&text);
        }
        Err(error) => shell.output.error(&error.to_string()),
    }
}

pub(super) fn play(shell: &mut EngineSession, words: &[&str]) {
    if words.is_empty() {
        shell
            .output
            .error("play needs a turn; `legal` lists the legal turns");
    }
    for word in words {
        if let Err(error) = with_session!(&mut shell.sessions, s => s.apply(word)) {
            shell.output.error(&error.to_string());
            break;
        }
    }
}

pub(super) fn undo(shell: &mut EngineSession, _: &[&str]) {
    if let Err(error) = with_session!(&mut shell.sessions, s => s.undo()) {
        shell.output.error(&error.to_string());
    }
}

pub(super) fn flip(shell: &mut EngineSession, _: &[&str]) {
    match with_session!(&mut shell.sessions, s => s.flip()) {
        Ok(messages) => shell.print_messages(&messages),
        Err(error) => shell.output.error(&error.to_string()),
    }
}

pub(super) fn roll(shell: &mut EngineSession, words: &[&str]) {
    match with_session!(&mut shell.sessions, s => s.roll(words.first().copied())) {
        Ok(roll) => shell.output.say(&format!("roll {roll}")),
        Err(error) => shell.output.error(&error.to_string()),
    }
}

pub(super) fn query(shell: &mut EngineSession, words: &[&str]) {
    let what = words.first().copied().unwrap_or_default();
    match with_session!(&shell.sessions, s => s.query(what)) {
        Ok(answer) => shell.output.say(format!("response {answer}").trim_end()),
        Err(error) => shell.output.error(&error.to_string()),
    }
}

pub(super) fn bench(shell: &mut EngineSession, words: &[&str]) {
    match words.first() {
        None => shell.bench(Variant::ALL.to_vec()),
        Some(name) => {
            if let Some(variant) = Variant::from_name(name) {
                shell.bench(vec![variant]);
            } else {
                let name = printable(name);
                shell.output.error(&format!("bench: unknown game {name}"));
            }
        }
    }
}
