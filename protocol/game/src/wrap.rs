//! Line wrapping.

/// Joins words by blanks and line breaks so that no line is wider than `columns`, unless a single word is; `width`
/// returns the columns of a word.
pub fn wrap<'a>(
    words: impl Iterator<Item = &'a str>,
    columns: usize,
    width: impl Fn(&str) -> usize,
) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in words {
        let length = width(word);
        if used > 0 && used + 1 + length > columns {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let lines = |text: &'static str, columns| wrap(text.split(' '), columns, str::len);
        assert_eq!(lines("a bc def ghi", 6), "a bc\ndef\nghi");
        assert_eq!(lines("a longer b", 3), "a\nlonger\nb");
        assert_eq!(lines("a bc", 4), "a bc");
    }
}
