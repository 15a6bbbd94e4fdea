//! The rules of a game as the page shows them: Markdown as a tree of elements, and the boards that the text draws with letters as
//! boards. The build script uses this file, too.
//!
//! A node is a text, or an array whose first part is the name of an element and whose others are nodes. Two elements are no HTML:
//! `["boards", DIAGRAM..., ["pre", TEXT]]`, a DIAGRAM being an object of `title`, `caption`, `ranks` (from the top; `""` where the text
//! gives none), `files` (the letters below the board, or `""`) and `cells` (a text for each rank); and `["position", FEN]`.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use serde_json::{Value, json};

/// What can stand on a square of a drawn board: nothing, marks of the text, pieces, cubes and a trench.
const SIGNS: &str = ".xm*12PNBRQKAESVGpnbrqkaesvgMT#";
/// The fewest squares of a rank that is taken for a part of a board.
const FEWEST: usize = 3;

/// The rules as a tree, in an element `article`.
pub(crate) fn tree(markdown: &str) -> Value {
    let mut open: Vec<Vec<Value>> = vec![vec!["article".into()]];
    let mut code: Option<String> = None;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code = Some(String::new()),
            Event::Start(tag) => open.push(vec![element(&tag).into()]),
            Event::End(_) => {
                let parts = match code.take() {
                    Some(text) => block(&text),
                    None => vec![Value::Array(open.pop().expect("what was begun"))],
                };
                open.last_mut().expect("the article").extend(parts);
            }
            Event::Text(text) => match &mut code {
                Some(code) => code.push_str(&text),
                None => put(&mut open, &text),
            },
            Event::Code(text) => {
                let parts = open.last_mut().expect("the article");
                parts.push(json!(["code", text.as_ref()]));
            }
            Event::SoftBreak | Event::HardBreak => put(&mut open, " "),
            // The texts have nothing else that can be seen.
            _ => {}
        }
    }
    Value::Array(open.pop().expect("the article"))
}

/// Adds text to what is open; it is one with text before it.
fn put(open: &mut [Vec<Value>], text: &str) {
    let parts = open.last_mut().expect("the article");
    match parts.as_mut_slice() {
        [_, .., Value::String(before)] => before.push_str(text),
        _ => parts.push(text.into()),
    }
}

/// The element of HTML for a tag of Markdown. The first heading of the page stands elsewhere, so that of the text is the second.
const fn element(tag: &Tag<'_>) -> &'static str {
    match tag {
        Tag::Heading {
            level: HeadingLevel::H1,
            ..
        } => "h2",
        Tag::Heading {
            level: HeadingLevel::H2,
            ..
        } => "h3",
        Tag::Heading { .. } => "h4",
        Tag::List(None) => "ul",
        Tag::List(Some(_)) => "ol",
        Tag::Item => "li",
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        Tag::Table(_) => "table",
        Tag::TableHead | Tag::TableRow => "tr",
        Tag::TableCell => "td",
        Tag::BlockQuote(_) => "blockquote",
        _ => "p",
    }
}

/// A drawn board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Diagram {
    /// The column of the text in which it begins.
    column: usize,
    title: String,
    caption: String,
    files: String,
    ranks: Vec<String>,
    cells: Vec<String>,
}

impl Diagram {
    fn node(&self) -> Value {
        let Self {
            title,
            caption,
            files,
            ranks,
            cells,
            ..
        } = self;
        json!({ "title": title, "caption": caption, "files": files, "ranks": ranks, "cells": cells })
    }
}

/// Drawn boards, and what the text says beside them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Boards {
    diagrams: Vec<Diagram>,
    aside: Vec<String>,
}

/// A part of a line without two blanks in succession: where it begins, and its text.
type Segment<'a> = (usize, &'a str);

/// A block of text: boards are taken out of it, and position strings are positions.
fn block(text: &str) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    let mut boards = Boards::default();
    let mut rest: Vec<&str> = Vec::new();
    for paragraph in text.split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().collect();
        if is_position(&lines) {
            flush(&mut parts, &mut boards, &mut rest);
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            parts.push(json!(["position", words.join(" ")]));
        } else if lines.iter().any(|line| rows(line).next().is_some()) {
            if !rest.is_empty() {
                flush(&mut parts, &mut boards, &mut rest);
            }
            draw(&lines, &mut boards);
        } else if !boards.diagrams.is_empty() && lines.iter().all(|line| belongs(line, &boards)) {
            for line in lines {
                beside(line, &mut boards, 0);
            }
        } else {
            if !boards.diagrams.is_empty() {
                flush(&mut parts, &mut boards, &mut rest);
            }
            rest.push(paragraph);
        }
    }
    flush(&mut parts, &mut boards, &mut rest);
    parts
}

/// Puts what was gathered behind what is there.
fn flush(parts: &mut Vec<Value>, boards: &mut Boards, rest: &mut Vec<&str>) {
    let Boards { diagrams, aside } = std::mem::take(boards);
    if !diagrams.is_empty() {
        let mut node: Vec<Value> = vec!["boards".into()];
        node.extend(diagrams.iter().map(Diagram::node));
        if !aside.is_empty() {
            node.push(json!(["pre", aside.join("\n")]));
        }
        parts.push(node.into());
    }
    let text = std::mem::take(rest).join("\n\n");
    if !text.trim().is_empty() {
        parts.push(json!(["pre", text.trim_end()]));
    }
}

/// Whether lines are a position string and nothing else.
fn is_position(lines: &[&str]) -> bool {
    let words: Vec<&str> = lines
        .iter()
        .flat_map(|line| line.split_whitespace())
        .collect();
    matches!(words[..], [board, "w" | "b", _, ..] if board.matches('/').count() >= 4)
}

/// The parts of a line.
fn segments(line: &str) -> impl Iterator<Item = Segment<'_>> {
    let mut at = 0;
    line.split("  ").filter_map(move |part| {
        let begin = at + (part.len() - part.trim_start().len());
        at += part.len() + 2;
        let part = part.trim();
        (!part.is_empty()).then_some((begin, part))
    })
}

/// A rank of a board: its name, or nothing, and what stands on its squares.
fn rank(segment: &str) -> Option<(&str, String)> {
    let (name, squares) = match segment.split_once(' ') {
        Some((name, squares)) if name.len() == 1 && name.as_bytes()[0].is_ascii_digit() => {
            (name, squares.strip_prefix("| ").unwrap_or(squares))
        }
        _ => ("", segment),
    };
    let signs: Option<String> = squares
        .split(' ')
        .map(|square| {
            let mut signs = square.chars();
            let sign = signs.next().filter(|&sign| SIGNS.contains(sign))?;
            signs.next().is_none().then_some(sign)
        })
        .collect();
    let signs = signs.filter(|signs| signs.len() >= FEWEST && files(segment).is_none())?;
    Some((name, signs))
}

/// The letters of the files below a board.
fn files(segment: &str) -> Option<String> {
    let letters: String = segment.split(' ').collect();
    (letters.len() >= FEWEST && "abcdefghijklmno".starts_with(&letters)).then_some(letters)
}

/// The ranks of boards in a line. Words before them make a table of the line and no board.
fn rows(line: &str) -> impl Iterator<Item = (usize, &str, String)> {
    segments(line).map_while(|(column, text)| {
        let (name, signs) = rank(text)?;
        Some((column, name, signs))
    })
}

/// Takes the boards of some lines, and what stands above and beside them.
fn draw(lines: &[&str], boards: &mut Boards) {
    let first = boards.diagrams.len();
    let mut above: Vec<&str> = Vec::new();
    for line in lines {
        let ranks: Vec<_> = rows(line).collect();
        if ranks.is_empty() {
            if boards.diagrams.len() == first {
                above.push(line);
            } else {
                beside(line, boards, first);
            }
            continue;
        }
        for (column, name, signs) in &ranks {
            let mut known = boards.diagrams[first..].iter();
            let place = known.position(|board| board.column == *column);
            let place = place.map_or(boards.diagrams.len(), |place| first + place);
            if place == boards.diagrams.len() {
                boards.diagrams.push(Diagram {
                    column: *column,
                    ..Diagram::default()
                });
            }
            let board = &mut boards.diagrams[place];
            board.ranks.push((*name).to_owned());
            board.cells.push(signs.clone());
        }
        let more: Vec<Segment<'_>> = segments(line).skip(ranks.len()).collect();
        if let Some((begin, _)) = more.first() {
            boards.aside.push(line[*begin..].trim_end().to_owned());
        }
    }
    for (column, words) in above.iter().flat_map(|line| segments(line)) {
        let board = boards.diagrams[first..]
            .iter_mut()
            .find(|board| board.column == column);
        match board {
            Some(board) => words.clone_into(&mut board.title),
            None => boards.aside.push(words.to_owned()),
        }
    }
}

/// Whether all words of a line stand below boards.
fn belongs(line: &str, boards: &Boards) -> bool {
    let mut all = segments(line);
    all.all(|(column, _)| boards.diagrams.iter().any(|board| board.column == column))
}

/// Words below boards: the letters of files, and what is said of each; `first` is the first board that can be meant.
fn beside(line: &str, boards: &mut Boards, first: usize) {
    for (column, words) in segments(line) {
        if words.starts_with("+-") {
            continue;
        }
        if let Some(letters) = files(words) {
            // They stand below the squares, behind the name of the rank.
            let near = boards.diagrams[first..]
                .iter_mut()
                .rev()
                .find(|board| board.column <= column);
            if let Some(board) = near {
                board.files = letters;
            }
            continue;
        }
        let own = boards
            .diagrams
            .iter_mut()
            .rev()
            .find(|board| board.column == column);
        match own {
            Some(board) if board.caption.is_empty() => words.clone_into(&mut board.caption),
            Some(board) => board.caption = format!("{} {words}", board.caption),
            None => boards.aside.push(words.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::{Variant, with_game};

    /// All nodes of a tree whose element is called so.
    fn all<'a>(node: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
        if let Some([first, rest @ ..]) = node.as_array().map(Vec::as_slice) {
            if first == name {
                found.push(node);
            }
            for child in rest {
                all(child, name, found);
            }
        }
    }

    fn named<'a>(node: &'a Value, name: &str) -> Vec<&'a Value> {
        let mut found = Vec::new();
        all(node, name, &mut found);
        found
    }

    fn diagrams(node: &Value) -> Vec<&Value> {
        let boards = named(node, "boards");
        let parts = boards.iter().flat_map(|boards| boards.as_array().unwrap());
        parts.filter(|part| part.is_object()).collect()
    }

    /// The letters that a tree shows, but for blanks and what only draws a board.
    fn letters(node: &Value) -> String {
        match node {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts[1..].iter().map(letters).collect(),
            Value::Object(board) => board.values().map(letters_of_all).collect(),
            _ => String::new(),
        }
    }

    fn letters_of_all(value: &Value) -> String {
        match value {
            Value::Array(all) => all.iter().map(letters).collect(),
            other => letters(other),
        }
    }

    #[test]
    fn nothing_of_the_rules_is_lost() {
        for &variant in Variant::ALL {
            let text = with_game!(variant, G => <G as fauve_engine::rules::Notation>::RULES);
            let shown = letters(&tree(text));
            let mut seen = [0_i32; 128];
            let mut count = |text: &str, sign: i32| {
                for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
                    seen[usize::from(letter)] += sign;
                }
            };
            count(text, 1);
            count(&shown, -1);
            // The word behind three backticks is no part of the text.
            count("text", -(text.matches("```text").count() as i32));
            let others: Vec<_> = (b'A'..=b'z')
                .filter(|&letter| seen[usize::from(letter)] != 0)
                .map(|letter| (letter as char, seen[usize::from(letter)]))
                .collect();
            assert!(others.is_empty(), "{variant}: {others:?}");
        }
    }

    #[test]
    fn the_boards_of_the_texts_are_boards() {
        let boards = |variant: Variant| {
            let text = with_game!(variant, G => <G as fauve_engine::rules::Notation>::RULES);
            let tree = tree(text);
            let boards = diagrams(&tree);
            let of = |name: &str| {
                let texts = boards.iter().map(|board| board[name].as_str().unwrap());
                texts.map(str::to_owned).collect::<Vec<_>>()
            };
            (of("title"), of("caption"), named(&tree, "position").len())
        };
        let (titles, captions, _) = boards(Variant::Chess);
        assert_eq!(
            titles,
            [
                "", "Rook", "Bishop", "Queen", "Knight", "King", "", "", "", ""
            ]
        );
        assert_eq!(
            captions[7..],
            [
                "Black is to move",
                "Black plays b7b5, past *",
                "White takes it: a5b6"
            ]
        );
        let (titles, _, positions) = boards(Variant::Superchess);
        assert_eq!(titles, ["Amazon", "Empress", "Princess", "Veteran"]);
        assert_eq!(positions, 1);
        assert_eq!(boards(Variant::TwoMove).0.len(), 6);
        assert_eq!(boards(Variant::DiceChess).0.len(), 2);
        let (titles, captions, positions) = boards(Variant::Cubes4d);
        assert_eq!(titles, ["", "", "", "Cross", "X"]);
        assert_eq!(captions[..2], ["four corners", "three corners"]);
        assert_eq!(positions, 1);
    }

    #[test]
    fn squares_ranks_and_files_are_those_of_the_text() {
        let text = "```text\n  3 . x N        words of it\n  2 . . .\n    a b c\n```\n";
        let tree = tree(text);
        let board = diagrams(&tree)[0];
        assert_eq!(board["cells"], json!([".xN", "..."]));
        assert_eq!(board["ranks"], json!(["3", "2"]));
        assert_eq!(board["files"], "abc");
        assert_eq!(tree[1][2], json!(["pre", "words of it"]));
    }

    #[test]
    fn other_blocks_stay_as_they_are() {
        for block in [
            "  before           R . . . K . . R\n  towards h        R . . . . R K .       e1g1",
            "  1 P pawn      2 N knight    3 B bishop\n  4 R rook      5 Q queen     6 K king",
            "      M  ###                               M\n  +  ### ###           M   +   +",
        ] {
            let tree = tree(&format!("```text\n{block}\n```\n"));
            assert_eq!(tree, json!(["article", ["pre", block]]), "{block}");
        }
    }
}
