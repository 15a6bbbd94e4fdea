//! PGN parser; turns stay text and are not checked here.

use crate::end::GameResult;
use crate::tags::Tags;
use crate::tree::{DEEPEST, Line, Node};
use std::collections::VecDeque;
use std::ops::Range;

/// The ends of lines; older files have a carriage return alone.
const LINE_ENDS: [char; 2] = ['\n', '\r'];
/// The result of an unfinished game.
pub(crate) const UNFINISHED: &str = "*";

/// A game read from PGN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// The tags, in order.
    pub tags: Tags,
    /// The turns as text, with their annotations.
    pub line: Line<String>,
    /// The result after the moves; empty if there is none.
    pub result: String,
    /// Whether variations nested deeper than [`DEEPEST`] were skipped.
    pub is_too_deep: bool,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// The result in PGN: behind the moves, or where nothing stands there, in the Result tag; `*` if there is none.
    pub fn result_text(&self) -> &str {
        if !self.result.is_empty() {
            return &self.result;
        }
        let tag = self.tag("Result").and_then(GameResult::parse);
        tag.map_or(UNFINISHED, GameResult::text)
    }
}

/// Parses the games of a PGN text. Text that cannot be read becomes a turn that no game accepts.
pub fn parse(text: &str) -> Vec<PgnGame> {
    games(text).map(|(_, game)| game).collect()
}

/// The games of a PGN text one after the other, each with the bytes of the text that hold it: what is not kept needs no memory,
/// and [`parse`] of those bytes gives the game again.
pub fn games(text: &str) -> Games<'_> {
    let reader = Reader {
        text,
        rest: text.trim_start_matches('\u{feff}'),
        game: PgnGame::default(),
        open: Vec::new(),
        skipped: 0,
        games: VecDeque::new(),
        begin: 0,
    };
    Games { reader }
}

/// The games of a PGN text; see [`games`].
pub struct Games<'a> {
    reader: Reader<'a>,
}

impl Iterator for Games<'_> {
    type Item = (Range<usize>, PgnGame);

    fn next(&mut self) -> Option<Self::Item> {
        let reader = &mut self.reader;
        // Comments behind the last game belong to it: a game is whole once the next one is, or the text ends.
        while reader.games.len() < 2
            && let Some(letter) = reader.rest.chars().next()
        {
            reader.read(letter);
            if reader.rest.is_empty() {
                reader.finish_game(reader.text.len());
            }
        }
        reader.games.pop_front()
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    game: PgnGame,
    /// Stack of open variations, outermost first.
    open: Vec<Line<String>>,
    /// Number of open variations that are skipped because they are nested too deeply.
    skipped: usize,
    /// The games that are read, with the bytes that hold them.
    games: VecDeque<(Range<usize>, PgnGame)>,
    /// Where the game begins that is being read.
    begin: usize,
}

impl Reader<'_> {
    fn read(&mut self, letter: char) {
        match letter {
            letter if letter.is_whitespace() => self.skip(letter.len_utf8()),
            '(' => self.open_variation(),
            ')' => {
                self.skip(1);
                self.close_variation();
            }
            '[' => self.read_tag(),
            '{' => self.read_comment(),
            ';' => {
                let (comment, after) = split_line(self.rest);
                self.rest = after;
                self.comment(&comment[1..]);
            }
            '%' if self.is_at_line_start() => self.rest = split_line(self.rest).1,
            '$' => {
                let digits = self.rest[1..]
                    .bytes()
                    .take_while(u8::is_ascii_digit)
                    .count();
                if let Ok(nag) = self.rest[1..=digits].parse() {
                    self.nag(nag);
                }
                self.skip(1 + digits);
            }
            _ => {
                let end = match length_of_word(self.rest) {
                    0 => 1,
                    length => length,
                };
                let word = &self.rest[..end];
                self.skip(end);
                self.word(word);
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// How many bytes of the text are read.
    fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    fn is_at_line_start(&self) -> bool {
        let at = self.at();
        at == 0 || self.text[..at].ends_with(['\n', '\r', '\u{feff}'])
    }

    /// The current line.
    fn line(&mut self) -> &mut Line<String> {
        self.open.last_mut().unwrap_or(&mut self.game.line)
    }

    fn open_variation(&mut self) {
        self.skip(1);
        if self.open.len() < DEEPEST && self.skipped == 0 {
            self.open.push(Line::default());
        } else {
            self.skipped += 1;
            self.game.is_too_deep = true;
        }
    }

    fn close_variation(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(variation) = self.open.pop() else {
            return;
        };
        if variation.is_empty() {
            return;
        }
        let line = self.line();
        if let Some(last) = line.turns.last_mut() {
            last.variations.push(variation);
        } else {
            // A variation without a turn before it: its text is kept as a comment.
            let words: Vec<String> = variation
                .lead
                .into_iter()
                .chain(variation.turns.into_iter().map(|node| node.turn))
                .collect();
            line.lead.push(words.join(" "));
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() && self.skipped == 0 {
            self.line().comments_at_end().push(text);
        }
    }

    fn read_comment(&mut self) {
        let inner = &self.rest[1..];
        // An unclosed comment must not swallow the next game. The text is scanned once, not once per comment.
        let is_end = |&(at, sign): &(usize, &str)| {
            sign == "}" || inner[at + sign.len()..].starts_with("[Event \"")
        };
        let mut ends = inner.match_indices(['}', '\n', '\r']);
        let end = ends.find(is_end).map_or(inner.len(), |(at, _)| at);
        let (comment, rest) = inner.split_at(end);
        self.rest = rest.strip_prefix('}').unwrap_or(rest);
        self.comment(comment);
    }

    fn nag(&mut self, nag: u16) {
        if self.skipped == 0
            && let Some(last) = self.line().turns.last_mut()
        {
            last.nags.push(nag);
        }
    }

    fn word(&mut self, word: &str) {
        if self.skipped > 0 {
            return;
        }
        let is_result = word == UNFINISHED || GameResult::parse(word).is_some();
        if is_result && self.open.is_empty() {
            GameResult::parse(word)
                .map_or(UNFINISHED, GameResult::text)
                .clone_into(&mut self.game.result);
            self.finish_game(self.at());
            return;
        }
        if is_result {
            // The result of a game quoted as a variation.
            self.comment(word);
            return;
        }
        // `12.e4`, `12...`, `12`
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let bare = match word.split_once(['.', '\u{2026}']) {
            Some((number, rest)) if is_number(number) => rest.trim_start_matches(['.', '\u{2026}']),
            _ if is_number(word) && word != "0000" => "",
            _ => word,
        };
        let (turn, nags) = split_signs(bare);
        if !turn.is_empty() && !is_remark(turn) {
            self.line().turns.push(Node::new(turn.to_owned()));
        }
        for nag in nags {
            self.nag(nag);
        }
    }

    /// Parses `[Name "value"]`, and starts the next game if the tag cannot belong to this one.
    fn read_tag(&mut self) {
        let begin = self.at();
        let (tag, rest) = read_tag(self.rest);
        self.rest = rest;
        let Some((name, value)) = tag else {
            return;
        };
        let game = &self.game;
        let has_moves = !game.line.turns.is_empty() || !self.open.is_empty();
        let is_next = name.eq_ignore_ascii_case("Event") && game.tag("Event").is_some();
        if has_moves || is_next {
            self.finish_game(begin);
        }
        self.game.tags.add(&name, &value);
    }

    /// The game ends before this byte of the text.
    fn finish_game(&mut self, end: usize) {
        self.skipped = 0;
        while !self.open.is_empty() {
            self.close_variation();
        }
        let game = std::mem::take(&mut self.game);
        if !game.tags.is_empty() || !game.line.turns.is_empty() || !game.result.is_empty() {
            self.games.push_back((self.begin..end, game));
            self.begin = end;
        } else if let Some((bytes, last)) = self.games.back_mut() {
            // Comments after the last result.
            last.line.comments_at_end().extend(game.line.lead);
            bytes.end = end;
        }
    }
}

/// The signs that annotators put behind a move, with their NAGs: how good the move is,
const MOVE_SIGNS: [(&str, u16); 6] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
];
/// and who stands better after it, those of which another one is the end behind it.
const POSITION_SIGNS: [(&str, u16); 18] = [
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+/\u{2212}", 16),
    ("\u{2212}/+", 17),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+\u{2212}", 18),
    ("\u{2212}+", 19),
    ("\u{2a72}", 14),
    ("\u{2a71}", 15),
    ("\u{b1}", 16),
    ("\u{2213}", 17),
    ("\u{221e}", 13),
    ("=", 10),
];

/// Splits the signs off the end of a move, with or without a move before them, and gives their NAGs in order.
fn split_signs(word: &str) -> (&str, Vec<u16>) {
    let mut turn = word;
    let mut nags = Vec::new();
    loop {
        let signs = MOVE_SIGNS.iter().chain(&POSITION_SIGNS);
        let Some((rest, nag)) = signs
            .filter_map(|(sign, nag)| Some((turn.strip_suffix(sign)?, *nag)))
            .find(|(rest, _)| rest.is_empty() || ends_a_move(rest))
        else {
            nags.reverse();
            // More signs than there are in the table say nothing.
            return (turn.trim_end_matches(['!', '?']), nags);
        };
        turn = rest;
        nags.push(nag);
    }
}

/// Whether a text can be a move to its end, with or without signs behind it: it ends with a square, a promotion, castling, check or a
/// place of Cubes 4D.
fn ends_a_move(text: &str) -> bool {
    let is_end = |last: char| last.is_ascii_alphanumeric() || "+#!?)".contains(last);
    text.ends_with(is_end) || POSITION_SIGNS.iter().any(|(sign, _)| text.ends_with(sign))
}

/// Words behind a move that say what the move shows: en passant, check, mate.
fn is_remark(word: &str) -> bool {
    const REMARKS: [&str; 12] = [
        "e.p.",
        "ep",
        "e.p",
        "mate",
        "mate.",
        "checkmate",
        "check",
        "ch",
        "ch.",
        "+",
        "++",
        "#",
    ];
    REMARKS.contains(&word)
}

/// Splits a text behind its first line.
fn split_line(text: &str) -> (&str, &str) {
    text.split_at(text.find(LINE_ENDS).unwrap_or(text.len()))
}

/// How many bytes of a text are its first word. In the notation of Cubes 4D a word has places in it, `N(-2,-2,1)-(-1,0,1)`, whose
/// parentheses begin no variations.
fn length_of_word(text: &str) -> usize {
    let ends = |letter: char| letter.is_whitespace() || "{}()[];$".contains(letter);
    let mut length = 0;
    loop {
        let rest = &text[length..];
        length += rest.find(ends).unwrap_or(rest.len());
        match length_of_place(&text[length..]) {
            Some(place) if length > 0 => length += place,
            _ => return length,
        }
    }
}

/// How many bytes of a text are a place of Cubes 4D in parentheses, as numbers with commas between them.
fn length_of_place(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(')?;
    let is_inside = |byte: &u8| byte.is_ascii_digit() || b"-,".contains(byte);
    let length = inner.bytes().take_while(|byte| is_inside(byte)).count();
    let is_place = inner[..length].contains(',') && inner[length..].starts_with(')');
    is_place.then_some(length + 2)
}

/// Parses `[Name "value"]`. A tag ends with its line, even if unclosed, so that one error does not swallow the file. Quotation marks
/// inside the value need no backslash unless a bracket follows; a backslash that stands before another letter is one.
fn read_tag(text: &str) -> (Option<(String, String)>, &str) {
    let inner = &text[1..];
    let end = inner.find(['"', ']', '\n', '\r']).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(end);
    let Some(after) = rest.strip_prefix('"') else {
        return (None, rest.strip_prefix(']').unwrap_or(rest));
    };
    let tag = |value: String| Some((name.trim().to_owned(), value));
    let mut value = String::new();
    let mut rest = "";
    let mut letters = after.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\n' | '\r' => {
                rest = &after[place..];
                break;
            }
            '\\' => {
                let escaped = letters.next_if(|&(_, next)| matches!(next, '"' | '\\'));
                value.push(escaped.map_or(letter, |(_, next)| next));
            }
            '"' => {
                let rest = after[place + 1..].trim_start_matches([' ', '\t']);
                if rest.is_empty() || rest.starts_with([']', '\n', '\r']) {
                    return (tag(value), rest.strip_prefix(']').unwrap_or(rest));
                }
                value.push(letter);
            }
            _ => value.push(letter),
        }
    }
    let value = value.trim_end().trim_end_matches(']').to_owned();
    (tag(value), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(game: &PgnGame) -> Vec<&str> {
        game.line
            .turns
            .iter()
            .map(|node| node.turn.as_str())
            .collect()
    }

    #[test]
    fn comments_nags_and_variations_keep_their_places() {
        let games = parse(
            "[Event \"a \\\"b\\\" \\\\\"]\n[Variant \"dicechess\"]\n\n{before} 1. e4,Nf3 {PPN +0.10/3 0.1s} 1... 0000! {KKQ} \
             2.d4 $1$14 {first} (2. d5?? {no} d6 (2... e6) {end}) {behind} Nc6 {just\n words} ; e5\n1-0\n\n[Event \"c\"]\n\n1. e4 *\n[Event \"d\"]",
        );
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].tag("event"), Some("a \"b\" \\"));
        assert_eq!(turns(&games[0]), ["e4,Nf3", "0000", "d4", "Nc6"]);
        let [first, pass, third, last] = &games[0].line.turns[..] else {
            panic!("four turns");
        };
        assert_eq!(games[0].line.lead, ["before"]);
        assert_eq!(first.comments, ["PPN +0.10/3 0.1s"]);
        assert_eq!(pass.nags, [1]);
        assert_eq!(
            (&third.nags[..], &third.after[..]),
            (&[1, 14][..], &["behind".to_owned()][..])
        );
        let variation = &third.variations[0];
        assert_eq!(variation.turns[0].nags, [4]);
        assert_eq!(variation.turns[0].comments, ["no"]);
        assert_eq!(variation.turns[1].variations[0].turns[0].turn, "e6");
        assert_eq!(variation.turns[1].after, ["end"]);
        assert_eq!(last.comments, ["just words", "e5"]);
        assert_eq!(games[0].result, "1-0");
        assert_eq!(
            (games[1].result.as_str(), games[2].result_text()),
            ("*", "*")
        );
    }

    #[test]
    fn signs_of_annotators_are_nags_and_not_turns() {
        let game = &parse(
            "1. e4! e5 = 2. Nf3+/= Nc6 -/+ 3. Bc4 !? +- Nf6?! 4. Qxf7 mate 4... a8=Q+ 5. e8=Q+- O-O-O\u{b1} \
             6. exd6 e.p. ! Kd8 ch 7. b4!=+ Qh4 \u{221e} 8. e2-e4 -- *",
        )[0];
        let expected: &[(&str, &[u16])] = &[
            ("e4", &[1]),
            ("e5", &[10]),
            ("Nf3", &[14]),
            ("Nc6", &[17]),
            ("Bc4", &[5, 18]),
            ("Nf6", &[6]),
            ("Qxf7", &[]),
            ("a8=Q+", &[]),
            ("e8=Q", &[18]),
            ("O-O-O", &[16]),
            ("exd6", &[1]),
            ("Kd8", &[]),
            ("b4", &[1, 15]),
            ("Qh4", &[13]),
            ("e2-e4", &[]),
            ("--", &[]),
        ];
        let read: Vec<_> = game
            .line
            .turns
            .iter()
            .map(|node| (node.turn.as_str(), &node.nags[..]))
            .collect();
        assert_eq!(read, expected);
        // Older files end games so.
        assert_eq!(parse("1. e4 1/2")[0].result, "1/2-1/2");
    }

    #[test]
    fn games_without_results_or_moves_end_where_the_next_begins() {
        let games = parse(
            "[Event \"a\"]\n\n[Event \"b\"]\n\n1. e4 (1. d4\n\n[Event \"c\"]\n\n1. c4 {not closed\n[Event \"d\"]\n\n1/2\n",
        );
        let events: Vec<_> = games
            .iter()
            .map(|game| game.tag("Event").unwrap_or(""))
            .collect();
        assert_eq!(events, ["a", "b", "c", "d"]);
        assert_eq!(games[1].line.turns[0].variations[0].turns[0].turn, "d4");
        assert_eq!(games[2].line.turns[0].comments, ["not closed"]);
        assert_eq!(games[3].result, "1/2-1/2");
        let remark = parse("{about the file} [Event \"a\"]\n\n1. e4 * {the end}");
        assert_eq!(remark.len(), 1);
        assert_eq!(remark[0].line.lead, ["about the file"]);
        assert_eq!(remark[0].line.turns[0].comments, ["the end"]);
    }

    #[test]
    fn long_files_without_ends_are_read_in_linear_time() {
        const MANY: usize = 200_000;
        for (part, games) in [
            ("{\n[Event \"a\"]\n", MANY),
            ("{ a } ", 0),
            ("1. e4 ( ", 1),
            ("; a\n", 0),
            ("; a\r", 0),
            ("[Event \"a\n", MANY),
            ("[Event \"a\"]\r1. e4 *\r", MANY),
            ("[Event \"a\"]", MANY),
            ("[Event \"", 1),
            ("e4(1,", 1),
        ] {
            assert_eq!(parse(&part.repeat(MANY)).len(), games, "{part}");
        }
    }

    #[test]
    fn each_game_is_read_again_from_its_bytes() {
        for text in [
            "\u{feff}% first\n[Event \"a\"]\n\n1. e4 {x} (1. d4) e5 1-0 {behind}\n[Event \"b\"]\n[White \"\u{fc}\"]\n1. c4 * {the end}",
            "1. e4 * 1. d4 0-1",
            "[Event \"a\"]\n\n[Event \"b\"]\n\n1. e4 (1. d4\n\n[Event \"c\"]\n1. c4 {not closed\n[Event \"d\"]\n1/2\n",
            "",
            "{only a comment}",
        ] {
            let mut end = 0;
            for (bytes, game) in super::games(text) {
                assert_eq!(bytes.start, end, "{text}");
                assert_eq!(parse(&text[bytes.clone()]), [game], "{text}");
                end = bytes.end;
            }
            assert!(end == text.len() || parse(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_tag_that_is_not_closed_ends_with_its_line() {
        for broken in [
            "[Event \"a]",
            "[Event \"a",
            "[Event",
            "[Event]",
            "[Event \"a\\",
            "[",
        ] {
            let text =
                format!("{broken}\r\n[White \"w\"]\n\n1. e4 e5 *\n[Event \"b\"]\n\n1. d4 *\n");
            let games = parse(&text);
            assert_eq!(games.len(), 2, "{broken}");
            assert_eq!(games[0].tag("White"), Some("w"), "{broken}");
            assert_eq!(turns(&games[0]).len(), 2, "{broken}");
        }
        let games = parse("[A \"1\"][B \"2\"] 1. e4 *");
        assert_eq!(games[0].tags.iter().count(), 2);
        assert_eq!(turns(&games[0]), ["e4"]);
    }

    #[test]
    fn lines_that_end_with_carriage_returns_are_lines() {
        let text = "[Event \"a\"]\n[White \"w\n\n% remark\n1. e4 ; comment\n1... e5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
        let games = parse(text);
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].line.turns[0].comments, ["comment"]);
        assert_eq!(turns(&games[0]), ["e4", "e5"]);
        assert_eq!(parse(&text.replace('\n', "\r")), games);
        assert_eq!(parse(&text.replace('\n', "\r\n")), games);
    }

    #[test]
    fn quotation_marks_and_backslashes_in_tags_need_no_others() {
        let value = |tag: &str| {
            let games = parse(&format!("[Event \"a\"]\n{tag}\n[Black \"b\"]\n\n1. e4 *\n"));
            assert_eq!(games.len(), 1, "{tag}");
            assert_eq!(games[0].tag("Black"), Some("b"), "{tag}");
            games[0].tag("White").map(str::to_owned)
        };
        for (tag, expected) in [
            (r#"[White "The "Big" Open"]"#, r#"The "Big" Open"#),
            (r#"[White "The \"Big\" Open"]"#, r#"The "Big" Open"#),
            (r#"[White "The "Big""]"#, r#"The "Big""#),
            (r#"[White "closed" ]"#, "closed"),
            (r#"[White "no bracket""#, "no bracket"),
            (r#"[White "C:\dir"]"#, r"C:\dir"),
            (r#"[White "C:\\dir\\"]"#, r"C:\dir\"),
        ] {
            assert_eq!(value(tag).as_deref(), Some(expected), "{tag}");
        }
    }

    #[test]
    fn places_of_cubes_4d_are_no_variations() {
        let game = &parse(
            "1... left 1. N(-2,-2,1)-(-1,0,1)! \u{25a1}(0,-1,2)-(1,-1,1)+ (1. N(-2,-2)x(-1,0)=Q) 2. Kf1(2. 0-0) Kd2(0-0) *",
        )[0];
        assert_eq!(
            turns(game),
            [
                "left",
                "N(-2,-2,1)-(-1,0,1)",
                "\u{25a1}(0,-1,2)-(1,-1,1)+",
                "Kf1",
                "Kd2"
            ]
        );
        let [_, first, second, third, last] = &game.line.turns[..] else {
            panic!("five turns");
        };
        assert_eq!(first.nags, [1]);
        assert_eq!(second.variations[0].turns[0].turn, "N(-2,-2)x(-1,0)=Q");
        assert_eq!(third.variations[0].turns[0].turn, "0-0");
        assert_eq!(last.variations[0].turns[0].turn, "0-0");
    }

    #[test]
    fn variations_nested_too_deeply_are_reported() {
        let text = |depth: usize| {
            format!(
                "1. e4 {}1. d4{} e5 *",
                "(1. d4 ".repeat(depth),
                ")".repeat(depth)
            )
        };
        assert!(!parse(&text(DEEPEST))[0].is_too_deep);
        let deep = parse(&text(1_000_000));
        assert!(deep[0].is_too_deep);
        assert_eq!(turns(&deep[0]), ["e4", "e5"]);
    }

    #[test]
    fn arbitrary_text_does_not_panic() {
        for text in [
            "[",
            "[\"",
            "{",
            "}",
            "]",
            "(",
            ")",
            "[a \"\\",
            ";",
            "1.",
            "...",
            "$",
            "$é",
            "$99999",
            "%",
            "!?",
            "e4!?!",
            "\u{feff}é{é}é",
            "((((",
            "))))",
            "[x]",
            "\u{bd}-\u{bd}",
            "(1-0)",
        ] {
            let _ = parse(text);
        }
    }
}
