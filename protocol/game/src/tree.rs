//! The game tree: the turns played, with comments, NAGs and variations, and paths to its nodes.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Maximum nesting depth of variations. Deeper ones are refused, so that a hostile file cannot exhaust the stack.
pub const DEEPEST: usize = 200;

/// A line of turns: the main line or a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<T> {
    /// The comments before its first turn.
    pub lead: Vec<String>,
    /// Its turns.
    pub turns: Vec<Node<T>>,
}

/// A turn with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<T> {
    /// The turn.
    pub turn: T,
    /// Its NAGs (numeric annotation glyphs): 1 is `!`, 2 is `?`.
    pub nags: Vec<u16>,
    /// The comments directly after it.
    pub comments: Vec<String>,
    /// The variations: alternatives to this turn.
    pub variations: Vec<Line<T>>,
    /// The comments after its variations.
    pub after: Vec<String>,
}

/// Where a variation leaves its line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// The turn of the line that the variation replaces, from 0.
    pub turn: usize,
    /// The number of the variation among those of this turn, from 0.
    pub variation: usize,
}

/// A place in a tree of turns: the position after some turns of the game, or of a variation.
///
/// As text: the turns made, `5`; for a variation the turn of its line that it replaces and its number before that, `5.0.2` for
/// the place after two turns of the first variation to the sixth turn.
///
/// ```
/// use fauve_game::tree::Path;
/// let path: Path = "5.0.2".parse()?;
/// assert_eq!(path.branches[0].turn, 5);
/// assert_eq!(path.turns, 2);
/// assert_eq!(path.to_string(), "5.0.2");
/// assert!("5.0".parse::<Path>().is_err());
/// # Ok::<(), fauve_game::tree::NotAPath>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Path {
    /// Where variations are entered, the outermost first.
    pub branches: Vec<Branch>,
    /// The turns made on the innermost line.
    pub turns: usize,
}

/// A text that is no place in a tree of turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a place in a game")]
pub struct NotAPath;

impl FromStr for Path {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, NotAPath> {
        let numbers: Vec<usize> = text
            .split('.')
            .take(2 * DEEPEST + 2)
            .map(|part| match part.as_bytes() {
                [b'0'..=b'9', ..] => part.parse().map_err(|_| NotAPath),
                _ => Err(NotAPath),
            })
            .collect::<Result<_, _>>()?;
        let (&turns, branches) = numbers.split_last().ok_or(NotAPath)?;
        if branches.len() % 2 != 0 || branches.len() > 2 * DEEPEST {
            return Err(NotAPath);
        }
        let branches = branches.chunks_exact(2).map(|pair| Branch {
            turn: pair[0],
            variation: pair[1],
        });
        Ok(Self {
            branches: branches.collect(),
            turns,
        })
    }
}

impl TryFrom<String> for Path {
    type Error = NotAPath;

    fn try_from(text: String) -> Result<Self, NotAPath> {
        text.parse()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for branch in &self.branches {
            write!(out, "{}.{}.", branch.turn, branch.variation)?;
        }
        write!(out, "{}", self.turns)
    }
}

impl From<Path> for String {
    fn from(path: Path) -> Self {
        path.to_string()
    }
}

impl Path {
    /// The place after some turns of the game itself.
    pub const fn main(turns: usize) -> Self {
        Self {
            branches: Vec::new(),
            turns,
        }
    }

    /// Whether exchanging the variation of this place with the rest of the line that it leaves changes the game itself.
    pub const fn leaves_the_game(&self) -> bool {
        self.branches.len() == 1
    }

    /// Whether the place is in the game itself, outside of all variations.
    pub const fn is_main(&self) -> bool {
        self.branches.is_empty()
    }
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self {
            lead: Vec::new(),
            turns: Vec::new(),
        }
    }
}

impl<T> Line<T> {
    /// A line of one turn.
    pub fn of(turn: T) -> Self {
        Self {
            lead: Vec::new(),
            turns: vec![Node::new(turn)],
        }
    }

    /// Whether the line says nothing at all.
    pub const fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.lead.is_empty()
    }

    /// The comments at the end of the line, for appending one.
    pub fn comments_at_end(&mut self) -> &mut Vec<String> {
        match self.turns.last_mut() {
            None => &mut self.lead,
            Some(last) if last.variations.is_empty() => &mut last.comments,
            Some(last) => &mut last.after,
        }
    }

    /// The turns of the line and of all its variations.
    pub fn count(&self) -> usize {
        let variations = |node: &Node<T>| node.variations.iter().map(Self::count).sum::<usize>();
        self.turns.iter().map(|node| 1 + variations(node)).sum()
    }

    /// The variation that is reached over some branches.
    pub fn line(&self, branches: &[Branch]) -> Option<&Self> {
        branches.iter().try_fold(self, |line, branch| {
            line.turns
                .get(branch.turn)?
                .variations
                .get(branch.variation)
        })
    }

    /// The variation that is reached over some branches, to be changed.
    pub fn line_mut(&mut self, branches: &[Branch]) -> Option<&mut Self> {
        branches.iter().try_fold(self, |line, branch| {
            let node = line.turns.get_mut(branch.turn)?;
            node.variations.get_mut(branch.variation)
        })
    }

    /// The turn that leads to a place; `None` for the first position and where there is no such place.
    pub fn node(&self, path: &Path) -> Option<&Node<T>> {
        let line = self.line(&path.branches)?;
        line.turns.get(path.turns.checked_sub(1)?)
    }

    /// The turn that leads to a place, to be annotated.
    pub fn node_mut(&mut self, path: &Path) -> Option<&mut Node<T>> {
        let line = self.line_mut(&path.branches)?;
        line.turns.get_mut(path.turns.checked_sub(1)?)
    }

    /// All turns from the first position to a place; `None` where there is no such place.
    pub fn turns_to(&self, path: &Path) -> Option<Vec<&Node<T>>> {
        let mut turns = Vec::new();
        let mut line = self;
        for branch in &path.branches {
            turns.extend(line.turns.get(..branch.turn)?);
            line = line.line(std::slice::from_ref(branch))?;
        }
        turns.extend(line.turns.get(..path.turns)?);
        Some(turns)
    }

    /// Makes a turn at a place: follows it where the line or a variation says the same, and else adds it, at the end of the line
    /// or as a new variation. The answer is the place behind it; `None` where there is no such place.
    pub fn add(&mut self, path: &Path, turn: T) -> Option<Path>
    where
        T: PartialEq,
    {
        let line = self.line_mut(&path.branches)?;
        let mut next = path.clone();
        if path.turns == line.turns.len() {
            line.turns.push(Node::new(turn));
            next.turns += 1;
            return Some(next);
        }
        let node = line.turns.get_mut(path.turns)?;
        if node.turn == turn {
            next.turns += 1;
            return Some(next);
        }
        next.branches.push(Branch {
            turn: path.turns,
            variation: node.variation(turn),
        });
        next.turns = 1;
        Some(next)
    }

    /// Whether variations are nested more than this many levels deep.
    pub fn is_nested_beyond(&self, levels: usize) -> bool {
        let mut variations = self.turns.iter().flat_map(|node| &node.variations);
        variations.any(|inner| levels == 0 || inner.is_nested_beyond(levels - 1))
    }

    /// Exchanges a variation with the rest of the line that it leaves. The answer is where the place lies after that; `None` where
    /// it is in no variation.
    pub fn promote(&mut self, path: &Path) -> Option<Path> {
        let (branch, outer) = path.branches.split_last()?;
        let line = self.line_mut(outer)?;
        let node = line.turns.get_mut(branch.turn)?;
        let is_there = |inner: &Self| !inner.turns.is_empty();
        node.variations
            .get(branch.variation)
            .filter(|&inner| is_there(inner))?;
        let mut inner = node.variations.remove(branch.variation);
        let siblings = std::mem::take(&mut node.variations);
        let after = std::mem::take(&mut node.after);
        let demoted = Self {
            lead: Vec::new(),
            turns: line.turns.split_off(branch.turn),
        };
        // What stood before the variation now stands behind the turn before it.
        line.comments_at_end().append(&mut inner.lead);
        let first = &mut inner.turns[0];
        let own = std::mem::take(&mut first.variations);
        first.variations = std::iter::once(demoted)
            .chain(siblings)
            .chain(own)
            .collect();
        first.after.splice(0..0, after);
        line.turns.append(&mut inner.turns);
        Some(Path {
            branches: outer.to_vec(),
            turns: branch.turn + path.turns,
        })
    }

    /// Takes the turn that leads to a place away, with all that follows it; the first of its variations takes its place. The answer
    /// is the place before it; `None` where there is no such turn.
    pub fn delete(&mut self, path: &Path) -> Option<Path> {
        let line = self.line_mut(&path.branches)?;
        let at = path
            .turns
            .checked_sub(1)
            .filter(|&at| at < line.turns.len())?;
        let node = line.turns.drain(at..).next()?;
        let mut variations = node
            .variations
            .into_iter()
            .filter(|line| !line.turns.is_empty());
        if let Some(mut next) = variations.next() {
            line.comments_at_end().append(&mut next.lead);
            next.turns[0].variations.extend(variations);
            line.turns.append(&mut next.turns);
        }
        let before = Path {
            branches: path.branches.clone(),
            turns: at,
        };
        match path.branches.split_last() {
            Some((branch, outer)) if at == 0 => {
                if line.turns.is_empty() {
                    let parent = self.line_mut(outer)?.turns.get_mut(branch.turn)?;
                    parent.variations.remove(branch.variation);
                }
                Some(Path {
                    branches: outer.to_vec(),
                    turns: branch.turn,
                })
            }
            _ => Some(before),
        }
    }
}

impl<T> Node<T> {
    /// Creates a turn without annotations.
    pub const fn new(turn: T) -> Self {
        Self {
            turn,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Moves the annotations to another turn, with new variations.
    pub fn with<U>(self, turn: U, variations: Vec<Line<U>>) -> Node<U> {
        Node {
            turn,
            nags: self.nags,
            comments: self.comments,
            variations,
            after: self.after,
        }
    }

    /// The number of the variation that begins with a turn, which is added where there is none.
    pub fn variation(&mut self, turn: T) -> usize
    where
        T: PartialEq,
    {
        let begins = |line: &Line<T>| line.turns.first().is_some_and(|node| node.turn == turn);
        if let Some(known) = self.variations.iter().position(begins) {
            return known;
        }
        self.variations.push(Line::of(turn));
        self.variations.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line as text, `a b (c d) e`.
    fn text(line: &Line<char>) -> String {
        let mut words: Vec<String> = line.lead.iter().map(|lead| format!("{{{lead}}}")).collect();
        for node in &line.turns {
            words.push(node.turn.to_string());
            words.extend(node.comments.iter().map(|comment| format!("{{{comment}}}")));
            words.extend(
                node.variations
                    .iter()
                    .map(|line| format!("({})", text(line))),
            );
            words.extend(node.after.iter().map(|comment| format!("{{{comment}}}")));
        }
        words.join(" ")
    }

    fn path(text: &str) -> Path {
        text.parse().expect(text)
    }

    /// Plays letters at places: `5.0.2` and a letter each.
    fn tree(turns: &[(&str, char)]) -> Line<char> {
        let mut line = Line::default();
        for (at, turn) in turns {
            line.add(&path(at), *turn).expect(at);
        }
        line
    }

    #[test]
    fn texts_of_places_read_back_and_others_are_refused() {
        for text in ["0", "17", "5.0.2", "5.0.2.1.3"] {
            assert_eq!(path(text).to_string(), text);
        }
        for text in [
            "",
            "-1",
            "x",
            "1.2",
            "1..2",
            "1.0.",
            "+1",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<Path>(), Err(NotAPath), "{text}");
        }
        let deep = "0.0.".repeat(DEEPEST + 1) + "1";
        assert_eq!(deep.parse::<Path>(), Err(NotAPath));
    }

    #[test]
    fn turns_are_followed_where_they_are_and_added_where_not() {
        let mut line = tree(&[
            ("0", 'a'),
            ("1", 'b'),
            ("2", 'c'),
            ("1", 'x'),
            ("1.0.1", 'y'),
            ("1.0.1", 'z'),
        ]);
        assert_eq!(text(&line), "a b (x y (z)) c");
        assert_eq!(line.add(&path("1"), 'b'), Some(path("2")));
        assert_eq!(line.add(&path("1"), 'x'), Some(path("1.0.1")));
        assert_eq!(line.add(&path("1.0.1"), 'z'), Some(path("1.0.1.0.1")));
        assert_eq!(text(&line), "a b (x y (z)) c");
        assert_eq!(line.add(&path("4"), 'q'), None);
        assert_eq!(line.add(&path("1.1.1"), 'q'), None);
        assert_eq!(line.count(), 6);
        let turns = line.turns_to(&path("1.0.1.0.1")).expect("a place");
        assert_eq!(
            turns.iter().map(|node| node.turn).collect::<String>(),
            "axz"
        );
        assert_eq!(line.node(&path("1.0.2")).map(|node| node.turn), Some('y'));
    }

    #[test]
    fn a_promoted_variation_changes_places_with_its_line() {
        let mut line = tree(&[
            ("0", 'a'),
            ("1", 'b'),
            ("2", 'c'),
            ("1", 'w'),
            ("1", 'x'),
            ("1.1.1", 'y'),
        ]);
        line.turns[1].variations[1].lead.push("better".to_owned());
        line.turns[1].after.push("end".to_owned());
        assert_eq!(text(&line), "a b (w) ({better} x y) {end} c");
        assert_eq!(line.promote(&path("1.1.2")), Some(path("3")));
        assert_eq!(text(&line), "a {better} x (b c) (w) {end} y");
        assert_eq!(line.promote(&path("1.0.2")), Some(path("3")));
        assert_eq!(text(&line), "a {better} b (x y) (w) {end} c");
        assert_eq!(line.promote(&path("2")), None);
        assert_eq!(line.promote(&path("1.7.1")), None);
    }

    #[test]
    fn what_is_deleted_takes_with_it_what_follows_and_leaves_its_alternatives() {
        let grown = [
            ("0", 'a'),
            ("1", 'b'),
            ("2", 'c'),
            ("1", 'x'),
            ("1.0.1", 'y'),
            ("1", 'z'),
        ];
        let mut line = tree(&grown);
        assert_eq!(text(&line), "a b (x y) (z) c");
        assert_eq!(line.delete(&path("1.0.2")), Some(path("1.0.1")));
        assert_eq!(line.delete(&path("1.0.1")), Some(path("1")));
        assert_eq!(text(&line), "a b (z) c");
        let mut line = tree(&grown);
        assert_eq!(line.delete(&path("2")), Some(path("1")));
        assert_eq!(text(&line), "a x (z) y");
        assert_eq!(line.delete(&path("0")), None);
        assert_eq!(line.delete(&path("9")), None);
    }
}
