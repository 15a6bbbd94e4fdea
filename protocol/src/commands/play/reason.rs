//! Why a turn that was typed is none.

use fauve_board::{Explain, explain};
use fauve_engine::rules::legal_steps;

/// Why what was typed is not legal here: what could be read of it is passed over, and the first step that is none is named.
pub(super) fn why_not<G: Explain>(position: &G, text: &str) -> String {
    let mut position = *position;
    let mut rest = Some(text);
    let mut done = 0;
    while let Some(text) = rest {
        if done > 0 && !position.is_mid_turn() {
            return one_turn_at_a_time(done);
        }
        let (part, behind) = position.split_step(text);
        let steps = legal_steps(&position);
        let Some(&step) = steps.iter().find(|&&step| position.accepts(step, part)) else {
            return why_not_step(&position, part, done);
        };
        position.play(step);
        rest = behind;
        done += 1;
    }
    "the turn could not be read".to_owned()
}

fn one_turn_at_a_time(steps: usize) -> String {
    if steps == 1 {
        "the turn ends after one move here, and the other side is next".to_owned()
    } else {
        format!("the turn ends after {steps} moves, and the other side is next")
    }
}

fn why_not_step<G: Explain>(position: &G, part: &str, done: usize) -> String {
    let prefix = match done {
        0 => String::new(),
        done => format!("move {}, {part}: ", done + 1),
    };
    let tokens: Vec<String> = legal_steps(position)
        .iter()
        .map(|&step| position.step_token(step))
        .collect();
    let promoted: Vec<&str> = tokens
        .iter()
        .filter(|token| {
            token
                .strip_prefix(part)
                .is_some_and(|letter| letter.len() == 1)
        })
        .map(String::as_str)
        .collect();
    if !promoted.is_empty() && !part.is_empty() {
        return format!(
            "{prefix}the letter of a promotion is missing: {}",
            promoted.join(", ")
        );
    }
    let reason = match squares(part) {
        Some((from, to)) => from_to(position, &tokens, from, to),
        None => format!(
            "it cannot be played here; `legal` lists what can, such as {}",
            some(&tokens)
        ),
    };
    prefix + &reason
}

/// The two squares that a token names, `e2e4` or `e8@f9`.
fn squares(token: &str) -> Option<(&str, &str)> {
    let begin = |text: &str| {
        let digits = text
            .get(1..)?
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let is_square = text.as_bytes()[0].is_ascii_lowercase() && digits > 0;
        is_square.then_some(1 + digits)
    };
    let (from, rest) = token.split_at(begin(token)?);
    let rest = rest.strip_prefix('@').unwrap_or(rest);
    let to = rest.get(..begin(rest)?)?;
    Some((from, to))
}

/// The rule against it, in the words of the game, and where the man could go.
fn from_to<G: Explain>(position: &G, tokens: &[String], from: &str, to: &str) -> String {
    let rule = explain(position, from, to);
    let goals: Vec<String> = tokens
        .iter()
        .filter(|token| squares(token).is_some_and(|(start, _)| start == from))
        .cloned()
        .collect();
    if goals.is_empty() {
        rule
    } else {
        format!("{rule} From {from} legal are {}.", some(&goals))
    }
}

/// The first of some turns.
fn some(tokens: &[String]) -> String {
    const MOST: usize = 6;
    let more = if tokens.len() > MOST { ", ..." } else { "" };
    let first: Vec<&str> = tokens.iter().take(MOST).map(String::as_str).collect();
    first.join(", ") + more
}
