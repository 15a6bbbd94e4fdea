/// The first position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    /// The start position of the game.
    Start,
    /// A named start position, `startpos-left`.
    Named(String),
    /// A position string.
    Fen(String),
}

impl StartPosition {
    /// Parses the words after `position`: the start position and the tokens after `moves`. Unknown words before them are skipped;
    /// between a start position with a name and `moves` there may be none, since they can be turns without that word.
    pub fn parse<'a>(words: &[&'a str]) -> Option<(Self, Vec<&'a str>)> {
        let place = words.iter().position(|word| {
            word.eq_ignore_ascii_case("fen") || word.to_ascii_lowercase().starts_with("startpos")
        })?;
        let rest = &words[place + 1..];
        let moves = rest
            .iter()
            .position(|word| word.eq_ignore_ascii_case("moves"))
            .unwrap_or(rest.len());
        let tokens = rest.get(moves + 1..).unwrap_or_default().to_vec();
        let base = match words[place].to_ascii_lowercase().as_str() {
            "fen" => Self::Fen(rest[..moves].join(" ")),
            _ if moves > 0 => return None,
            "startpos" => Self::Start,
            named => Self::Named(named.to_owned()),
        };
        Some((base, tokens))
    }
}
