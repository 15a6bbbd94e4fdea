//! Commands that need only the engine session.

use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::session::StartPosition;
use fauve_engine::Variant;
use fauve_engine::rules::printable;

/// Prints the identification and the options, then `end`, the line that ends the handshake.
pub(super) fn greet(session: &EngineSession, end: &str) {
    session.output.say(&format!(
        "id name Fauve {}\nid author the Fauve authors\n{}\n{end}",
        env!("CARGO_PKG_VERSION"),
        session.options.listing()
    ));
}

pub(super) fn set_option(session: &mut EngineSession, words: &[&str]) {
    let find = |keyword: &str| words.iter().position(|w| w.eq_ignore_ascii_case(keyword));
    let Some(start) = find("name") else {
        session
            .output
            .error("usage: setoption name NAME [value VALUE]");
        return;
    };
    let value = find("value").filter(|&value| value > start);
    let name = words[start + 1..value.unwrap_or(words.len())].join(" ");
    let value = value.map_or(String::new(), |value| words[value + 1..].join(" "));
    session.set_option(&name, &value);
}

pub(super) fn position(session: &mut EngineSession, words: &[&str]) {
    match StartPosition::parse(words) {
        Some((base, tokens)) => session.set_position(base, &tokens),
        None => session
            .output
            .error("usage: position startpos|fen FEN [moves TURN ...]"),
    }
}

pub(super) fn legal(session: &mut EngineSession, words: &[&str]) {
    let prefix = words.first().copied().unwrap_or_default();
    match with_session!(&session.sessions, s => s.legal(prefix)) {
        Ok(tokens) => {
            let noun = if tokens.len() == 1 { "turn" } else { "turns" };
            let text = format!("{}\n{} {noun}", tokens.join(" "), tokens.len());
            session.output.say(&text);
        }
        Err(error) => session.output.error(&error.to_string()),
    }
}

pub(super) fn play(session: &mut EngineSession, words: &[&str]) {
    if words.is_empty() {
        session
            .output
            .error("play needs a turn; `legal` lists the legal turns");
    }
    for word in words {
        if let Err(error) = with_session!(&mut session.sessions, s => s.apply(word)) {
            session.output.error(&error.to_string());
            break;
        }
    }
}

pub(super) fn undo(session: &mut EngineSession, _: &[&str]) {
    if let Err(error) = with_session!(&mut session.sessions, s => s.undo()) {
        session.output.error(&error.to_string());
    }
}

pub(super) fn flip(session: &mut EngineSession, _: &[&str]) {
    match with_session!(&mut session.sessions, s => s.flip()) {
        Ok(messages) => session.print_messages(&messages),
        Err(error) => session.output.error(&error.to_string()),
    }
}

pub(super) fn roll(session: &mut EngineSession, words: &[&str]) {
    match with_session!(&mut session.sessions, s => s.roll(words.first().copied())) {
        Ok(roll) => session.output.say(&format!("roll {roll}")),
        Err(error) => session.output.error(&error.to_string()),
    }
}

pub(super) fn query(session: &mut EngineSession, words: &[&str]) {
    let what = words.first().copied().unwrap_or_default();
    match with_session!(&session.sessions, s => s.query(what)) {
        Ok(answer) => session.output.say(format!("response {answer}").trim_end()),
        Err(error) => session.output.error(&error.to_string()),
    }
}

pub(super) fn bench(session: &mut EngineSession, words: &[&str]) {
    match words.first() {
        None => session.bench(Variant::ALL.to_vec()),
        Some(name) => {
            if let Some(variant) = Variant::from_name(name) {
                session.bench(vec![variant]);
            } else {
                let name = printable(name);
                session.output.error(&format!("bench: unknown game {name}"));
            }
        }
    }
}
