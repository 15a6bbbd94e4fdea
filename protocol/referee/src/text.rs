//! Text of others, made fit to stand in our own.

/// The most of it that is shown, in letters.
const LONGEST: usize = 60;

/// Text that somebody else has written (a program, a file, a user) as part of a line of ours: control characters
/// escaped, and cut to a length that leaves the line readable.
///
/// ```
/// use fauve_referee::text::quote;
/// assert_eq!(quote("e2e4\n\x1b[2J"), "e2e4\\n\\u{1b}[2J");
/// assert_eq!(quote(&"é".repeat(100)), "é".repeat(60) + "...");
/// ```
pub fn quote(text: &str) -> String {
    let mut letters = text.chars();
    let mut quoted: String = letters
        .by_ref()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if letters.next().is_some() {
        quoted.push_str("...");
    }
    quoted
}
