//! A game as PGN, also one that is not finished, which the referee's records do not have.

use std::fmt::Write;

/// The width that lines of moves are broken at.
const WIDTH: usize = 80;

/// The text of a game: its tags, then its turns (number, whether White's, text, roll), then the result.
pub(crate) fn text<'a>(
    tags: &[(&str, String)],
    turns: impl Iterator<Item = (u64, bool, &'a str, Option<&'a str>)>,
    result: &str,
) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(
            text,
            "[{name} \"{}\"]",
            value.replace(char::is_control, " ")
        );
    }
    text.push('\n');
    let mut words: Vec<String> = Vec::new();
    let mut announce = true;
    for (number, is_white, turn, roll) in turns {
        if is_white {
            words.push(format!("{number}."));
        } else if announce {
            words.push(format!("{number}..."));
        }
        words.push(turn.to_owned());
        announce = roll.is_some();
        words.extend(roll.map(|roll| format!("{{{roll}}}")));
    }
    words.push(result.to_owned());
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            let breaks = width + 1 + length > WIDTH;
            text.push(if breaks { '\n' } else { ' ' });
            width = if breaks { 0 } else { width + 1 };
        }
        text.push_str(&word);
        width += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let turns = [
            (1, true, "e4,Nf3", Some("PNN")),
            (1, false, "--", Some("KKQ")),
            (2, true, "O-O", None),
        ];
        let tags = [("Variant", "dice\"chess".to_owned())];
        let written = text(&tags, turns.into_iter(), "*");
        let games = fauve_referee::record::pgn::parse(&written);
        assert_eq!(games.len(), 1, "{written}");
        assert_eq!(games[0].tag("Variant"), Some("dice\"chess"));
        assert_eq!(games[0].result, "*");
        let read: Vec<(Option<&str>, &str)> = games[0]
            .turns
            .iter()
            .map(|(roll, turn)| (roll.as_deref(), turn.as_str()))
            .collect();
        assert_eq!(read.len(), 3);
        assert_eq!(read[0], (Some("PNN"), "e4,Nf3"));
    }
}
