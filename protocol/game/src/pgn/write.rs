//! PGN writer.

use crate::cube::cube_text;
use crate::played::{Made, Played, Ply};
use crate::replay::leading_roll;
use crate::tags::Tags;
use crate::tree::{Line, Node};
use fauve_engine::core::Color;
use fauve_engine::rules::Notation;
use std::fmt::Write;

/// Columns at which lines of moves are wrapped.
const WIDTH: usize = 80;

/// A game as PGN, with an empty line behind it: its tags, completed by what a reader has to know (the result, the first position,
/// the seed of the dice, the cube), its turns with all that stands beside them, and the result.
pub fn text<G: Notation>(played: &Played<G>) -> String {
    let mut text = String::new();
    for (name, value) in tags(played).iter() {
        let value = value.replace(char::is_control, " ");
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut words = Words::default();
    words.line(played.line(), false);
    words.word(played.result_text());
    text.push_str(&words.text);
    text.push_str("\n\n");
    text
}

/// A turn as PGN can have it: SAN where that has no brackets and blanks, which mean something else there, and else the token.
pub fn turn_text<G: Notation>(made: &Made<G>) -> String {
    match &made.ply {
        Ply::Null => "--".to_owned(),
        Ply::Unread(text) => text.clone(),
        Ply::Turn(_) => {
            let san = made.san();
            if san.contains(['(', ' ', '{']) {
                made.token()
            } else {
                san
            }
        }
    }
}

fn tags<G: Notation>(played: &Played<G>) -> Tags {
    let mut tags = played.tags.clone();
    tags.set("Result", played.result_text());
    if tags.get("FEN").is_none() && *played.start() != G::start(played.game().options()) {
        tags.set("SetUp", "1");
        tags.set("FEN", &played.start().fen());
    }
    if let Some(seed) = played.seed
        && tags
            .get("DiceSeed")
            .is_none_or(|text| text.parse() != Ok(seed))
    {
        tags.set("DiceSeed", &seed.to_string());
    }
    if let Some(doubling) = &played.doubling {
        tags.set("Cube", &cube_text(doubling.cube()));
    }
    match played.end() {
        Some(end) => tags.set("EndReason", &end.reason),
        // The game was changed after it was read, so that the reason in the file no longer applies.
        None if played.stated.is_none() => tags.remove("EndReason"),
        None => {}
    }
    tags
}

/// The words of the moves, broken into lines.
#[derive(Default)]
struct Words {
    text: String,
    /// Columns used in the last line.
    used: usize,
    /// Text directly before the next word, without a blank.
    glued: String,
    /// Whether Black's turn needs its number.
    is_interrupted: bool,
}

impl Words {
    fn word(&mut self, word: &str) {
        let word = std::mem::take(&mut self.glued) + word;
        let length = word.chars().count();
        if self.used > 0 && self.used + 1 + length > WIDTH {
            self.text.push('\n');
            self.used = 0;
        } else if self.used > 0 {
            self.text.push(' ');
            self.used += 1;
        }
        self.text.push_str(&word);
        self.used += length;
    }

    /// Appends a bracket without a blank.
    fn close(&mut self, bracket: char) {
        if self.used == 0 {
            // The last comment extends to the end of its line.
            self.word(bracket.encode_utf8(&mut [0; 4]));
        } else {
            self.text.push(bracket);
            self.used += 1;
        }
    }

    /// `is_rolled`: whether the turn that the line replaces has dice that were rolled in the game, not those of the first position.
    fn line<G: Notation>(&mut self, line: &Line<Made<G>>, is_rolled: bool) {
        self.is_interrupted = true;
        for comment in &line.lead {
            self.comment(comment);
        }
        for (number, node) in line.turns.iter().enumerate() {
            self.node(node, is_rolled && number == 0);
        }
    }

    /// `is_rolled`: whether the turn has the dice of another one that were rolled in the game.
    fn node<G: Notation>(&mut self, node: &Node<Made<G>>, is_rolled: bool) {
        let made = &node.turn;
        if !matches!(made.ply, Ply::Unread(_)) {
            let number = made.number();
            match made.side() {
                Color::White => self.word(&format!("{number}.")),
                Color::Black if self.is_interrupted => self.word(&format!("{number}...")),
                Color::Black => {}
            }
        }
        self.is_interrupted = false;
        self.word(&turn_text(made));
        for nag in &node.nags {
            self.word(&format!("${nag}"));
        }
        let is_rolled = is_rolled || made.roll.is_some();
        // Words that look like a roll would be read as one: the roll that is meant stands before them.
        let is_mistaken =
            is_rolled && (node.comments.first()).is_some_and(|first| leading_roll(first).is_some());
        let mut comments = node.comments.iter();
        if let Some(roll) = made.roll.or_else(|| made.dice().filter(|_| is_mistaken)) {
            let first = comments.next().map_or("", String::as_str);
            self.comment(format!("{roll} {first}").trim_end());
        }
        for comment in comments {
            self.comment(comment);
        }
        for variation in &node.variations {
            self.glued.push('(');
            self.line(variation, is_rolled);
            self.close(')');
            self.is_interrupted = true;
        }
        for comment in &node.after {
            self.comment(comment);
        }
    }

    fn comment(&mut self, comment: &str) {
        self.is_interrupted = true;
        if comment.contains('}') {
            // A comment with a closing brace is written as one to the end of the line.
            self.word(&format!(";{comment}"));
            self.text.push('\n');
            self.used = 0;
            return;
        }
        self.glued.push('{');
        let mut words = comment.split(' ').peekable();
        while let Some(word) = words.next() {
            let mut word = word.to_owned();
            // At the beginning of a line this would be read as a tag.
            while let Some(next) = words.next_if(|next| next.starts_with("[Event")) {
                word = format!("{word} {next}");
            }
            self.word(&word);
        }
        self.close('}');
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::parse;
    use crate::replay::of_pgn;

    use fauve_engine::rules::chess::{Chess, Options};

    fn again(text: &str) -> String {
        super::text(&of_pgn::<Chess>(&parse(text)[0], &Options::default()).expect("a game"))
    }

    #[test]
    fn a_parsed_game_is_written_unchanged() {
        let game = "[Event \"a \\\"b\\\" \\\\\"]\n[Strange \"tag\"]\n[Result \"1-0\"]\n\n\
             {Before the first move} 1. e4 $1 {[%clk 0:05:00] [%cal Ge2e4] best} (1. d4 d5\n\
             (1... Nf6 {Indian} 2. c4) 2. c4) ({or} 1. c4) {behind} 1... e5 2. Nf3 Nc6 {x}\n\
             ;to } the end\n(2... -- {threatens} 3. Nxe5) 3. Bb5 1-0\n\n";
        assert_eq!(again(game), game);
    }

    #[test]
    fn words_that_look_like_dice_stay_words() {
        use fauve_engine::rules::dice::{DiceChess, Options};
        let read =
            |text: &str| of_pgn::<DiceChess>(&parse(text)[0], &Options::default()).expect("a game");
        let game = "1. d4,Nf3,Kd2 {PNK} (1. e4,Nf3,Ke2 (1. e4,Nc3,Ke2)) (1. e4,d3,Nf3 {PPN}) *";
        for place in ["1", "0.0.1", "0.0.0.0.1", "0.1.1"] {
            let mut played = read(game);
            let node = played.node_mut(&place.parse().expect("a path"));
            let node = node.expect("a turn");
            node.comments = vec!["BQQ would have been better".to_owned()];
            let written = super::text(&played);
            assert_eq!(read(&written).line(), played.line(), "{place}: {written}");
        }
        // The dice of the first position are not written, and not read.
        let given = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNK\"]\n\n";
        let game =
            format!("{given}1. d4,Nf3,Kd2 {{BQQ is worse}} (1. e4,Nf3,Ke2 {{BQQ is better}}) *");
        let played = read(&game);
        assert_eq!(read(&super::text(&played)).line(), played.line());
        assert_eq!(played.turns()[0].comments, ["BQQ is worse"]);
    }

    #[test]
    fn a_game_that_goes_on_has_no_reason_for_its_end() {
        let mated = "[EndReason \"Black mates\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let mut played = of_pgn::<Chess>(&parse(mated)[0], &Options::default()).expect("a game");
        assert!(super::text(&played).contains("[EndReason "));
        played.undo_turn();
        let text = super::text(&played);
        assert!(
            !text.contains("EndReason") && text.ends_with("*\n\n"),
            "{text}"
        );
    }

    #[test]
    fn lines_with_arbitrary_comments_read_back() {
        for comment in [
            "[Event \"x\"] 1-0",
            "a { b",
            "%",
            "; a",
            "()",
            "1. e4",
            "[%eval #-3]",
            "\u{2654}",
        ] {
            for before in 0..90 {
                let game = format!(
                    "[Result \"*\"]\n\n1. e4 {{{} {comment}}} e5 *",
                    "b".repeat(before)
                );
                let written = again(&game);
                let read = parse(&written);
                assert_eq!(read.len(), 1, "{written}");
                let comments = &read[0].line.turns[0].comments;
                let expected = format!("{} {comment}", "b".repeat(before));
                assert_eq!(comments[..], [expected.trim().to_owned()], "{written}");
                assert_eq!(again(&written), written);
            }
        }
    }
}
