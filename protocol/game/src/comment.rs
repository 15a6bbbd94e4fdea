//! Commands in PGN comments, `[%clk 0:05:00]`, `[%eval 0.35]`, `[%cal Gd2d4]`: they stay part of the comment's text, so that
//! unknown ones are kept like known ones.

use std::time::Duration;

/// The value of the first command of this name in some comments, `0:05:00` for `clk`.
///
/// ```
/// let comments = ["[%clk 0:05:00] well played".to_owned()];
/// assert_eq!(fauve_game::comment::command(&comments, "clk"), Some("0:05:00"));
/// ```
pub fn command<'a>(comments: &'a [String], name: &str) -> Option<&'a str> {
    comments.iter().find_map(|comment| {
        let (begin, end) = place(comment, name)?;
        let inner = &comment[begin + 2..end - 1];
        Some(inner[name.len()..].trim())
    })
}

/// Sets the value of a command: in place if it exists, else at the beginning of the first comment.
pub fn set_command(comments: &mut Vec<String>, name: &str, value: &str) {
    let text = format!("[%{name} {value}]");
    for comment in comments.iter_mut() {
        if let Some((begin, end)) = place(comment, name) {
            comment.replace_range(begin..end, &text);
            return;
        }
    }
    match comments.first_mut() {
        Some(first) => *first = format!("{text} {first}"),
        None => comments.push(text),
    }
}

/// Removes all commands of this name, and comments that become empty.
pub fn remove_command(comments: &mut Vec<String>, name: &str) {
    for comment in comments.iter_mut() {
        while let Some((begin, end)) = place(comment, name) {
            comment.replace_range(begin..end, "");
            *comment = comment.trim().replace("  ", " ");
        }
    }
    comments.retain(|comment| !comment.is_empty());
}

/// The text of comments without their commands.
///
/// ```
/// let comments = ["[%clk 0:05:00] well [%cal Gd2d4] played".to_owned()];
/// assert_eq!(fauve_game::comment::words(&comments), "well played");
/// ```
pub fn words(comments: &[String]) -> String {
    let mut words = Vec::new();
    for comment in comments {
        let mut rest = comment.as_str();
        while let Some((begin, end)) = any_command(rest) {
            words.extend(rest[..begin].split_whitespace());
            rest = &rest[end..];
        }
        words.extend(rest.split_whitespace());
    }
    words.join(" ")
}

/// Replaces the text of comments; their commands stay, before it. Line breaks and runs of blanks become one blank.
pub fn set_words(comments: &mut Vec<String>, text: &str) {
    let mut words = Vec::new();
    for comment in &*comments {
        let mut rest = comment.as_str();
        while let Some((begin, end)) = any_command(rest) {
            words.push(&rest[begin..end]);
            rest = &rest[end..];
        }
    }
    words.extend(
        text.split(|letter: char| letter.is_whitespace() || letter.is_control())
            .filter(|word| !word.is_empty()),
    );
    let text = words.join(" ");
    comments.clear();
    if !text.is_empty() {
        comments.push(text);
    }
}

/// The byte range of the first command, brackets included.
fn any_command(text: &str) -> Option<(usize, usize)> {
    let begin = text.find("[%")?;
    let end = begin + text[begin..].find(']')? + 1;
    Some((begin, end))
}

/// The byte range of a command in a comment, brackets included.
fn place(comment: &str, name: &str) -> Option<(usize, usize)> {
    comment.match_indices("[%").find_map(|(begin, _)| {
        let inner = &comment[begin + 2..];
        let end = inner.find(']')?;
        let rest = inner[..end].strip_prefix(name)?;
        let is_it = rest.is_empty() || rest.starts_with(char::is_whitespace);
        is_it.then_some((begin, begin + 2 + end + 1))
    })
}

/// Formats a time for `[%clk]`: hours, minutes, seconds, and milliseconds if not zero, `0:02:57.5`.
pub fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let text = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    match time.subsec_millis() {
        0 => text,
        millis => format!("{text}.{millis:03}")
            .trim_end_matches('0')
            .to_owned(),
    }
}

/// Parses the time of a `[%clk]`: `1:05:00`, `0:02:57.5`, `5:00`, `57`.
pub fn read_clock(text: &str) -> Option<Duration> {
    const MOST_HOURS: f64 = 100_000.0;
    let mut total = 0.0;
    for part in text.split(':') {
        let is_number = !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value: f64 = part.parse().ok().filter(|_| is_number)?;
        total = total * 60.0 + value;
    }
    (total <= MOST_HOURS * 3600.0).then(|| Duration::from_millis((total * 1000.0).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_set_and_leave_the_rest_alone() {
        let mut comments = vec![
            "a [%cal Gd2d4,Re1e8] b".to_owned(),
            "[%evaluation 1]".to_owned(),
        ];
        assert_eq!(command(&comments, "cal"), Some("Gd2d4,Re1e8"));
        assert_eq!(command(&comments, "eval"), None);
        set_command(&mut comments, "eval", "0.35");
        assert_eq!(comments[0], "[%eval 0.35] a [%cal Gd2d4,Re1e8] b");
        set_command(&mut comments, "eval", "#-3");
        assert_eq!(comments[0], "[%eval #-3] a [%cal Gd2d4,Re1e8] b");
        assert_eq!(comments[1], "[%evaluation 1]");
        assert_eq!(command(&["[%clk 1".to_owned()], "clk"), None, "not closed");
    }

    #[test]
    fn words_are_changed_beside_commands() {
        let mut comments = vec!["[%clk 0:05:00] a".to_owned(), "b [%cal Gd2d4] c".to_owned()];
        assert_eq!(words(&comments), "a b c");
        set_words(&mut comments, "  new\n\u{1}words ");
        assert_eq!(comments, ["[%clk 0:05:00] [%cal Gd2d4] new words"]);
        remove_command(&mut comments, "clk");
        assert_eq!(comments, ["[%cal Gd2d4] new words"]);
        set_words(&mut comments, "");
        remove_command(&mut comments, "cal");
        assert!(comments.is_empty());
        assert_eq!(words(&["[%open".to_owned()]), "[%open");
    }

    #[test]
    fn times_read_back() {
        for text in [
            "0:05:00",
            "1:00:00",
            "0:02:57.5",
            "0:00:00.001",
            "120:00:01",
        ] {
            assert_eq!(read_clock(text).map(clock_text).as_deref(), Some(text));
        }
        assert_eq!(read_clock("5:00"), Some(Duration::from_mins(5)));
        for text in ["", "x", "1:-1", "inf", "1e9", "1:nan", "::"] {
            assert_eq!(read_clock(text), None, "{text}");
        }
    }
}
