//! Reading of command lines from a stream of arbitrary bytes.

use std::io::{self, BufRead};

/// Longest accepted line, in bytes: a hundred times a game of ten thousand turns.
const LONGEST: usize = 64 << 20;

/// Whether to continue reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Read the next line.
    Continue,
    /// End the loop.
    Quit,
}

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its line break; invalid UTF-8 is replaced.
    Text(String),
    /// A line that was too long, and was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end of input or on a read error.
pub fn read_line(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if line.len() + part.len() > LONGEST {
            too_long = true;
            line = Vec::new();
        }
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    match (any, too_long) {
        (false, _) => None,
        (true, true) => Some(Line::TooLong),
        (true, false) => Some(Line::Text(String::from_utf8_lossy(&line).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut input = io::BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input)).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn splits_at_newlines_and_keeps_an_unfinished_last_line() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"uci"), [text("uci")]);
        assert_eq!(
            lines(b"uci\n\nisready\n"),
            [text("uci"), text(""), text("isready")]
        );
    }

    #[test]
    fn replaces_what_is_not_utf8() {
        assert_eq!(lines(b"a\xffb\n"), [text("a\u{fffd}b")]);
    }

    #[test]
    fn skips_a_line_that_is_too_long_and_reads_the_next() {
        let mut bytes = vec![b'x'; LONGEST + 1];
        bytes.extend_from_slice(b"\nisready\n");
        let mut input = io::BufReader::new(bytes.as_slice());
        assert_eq!(read_line(&mut input), Some(Line::TooLong));
        assert_eq!(read_line(&mut input), Some(text("isready")));
        assert_eq!(read_line(&mut input), None);
    }
}
