//! The tree of a game's turns: the turns that were played, each with what annotators put beside it.

/// How deep variations may be nested in variations. Deeper ones are refused, so that a hostile file cannot exhaust the stack.
pub const DEEPEST: usize = 200;

/// A line of turns: those of the game, or those of a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<T> {
    /// The comments before its first turn.
    pub lead: Vec<String>,
    /// Its turns.
    pub turns: Vec<Node<T>>,
}

/// A turn with what stands beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<T> {
    /// The turn.
    pub turn: T,
    /// Its NAGs (numeric annotation glyphs): 1 is `!`, 2 is `?`.
    pub nags: Vec<u16>,
    /// The comments directly behind it.
    pub comments: Vec<String>,
    /// The variations: lines that could have been played in its place.
    pub variations: Vec<Line<T>>,
    /// The comments behind its variations.
    pub after: Vec<String>,
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
    /// Whether the line says nothing at all.
    pub const fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.lead.is_empty()
    }

    /// The comments at the end of the line, where another one is added.
    pub fn comments_at_end(&mut self) -> &mut Vec<String> {
        match self.turns.last_mut() {
            None => &mut self.lead,
            Some(last) if last.variations.is_empty() => &mut last.comments,
            Some(last) => &mut last.after,
        }
    }
}

impl<T> Node<T> {
    /// A turn with nothing beside it.
    pub const fn new(turn: T) -> Self {
        Self {
            turn,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
            after: Vec::new(),
        }
    }

    /// The same annotations at another turn; the variations are given anew.
    pub fn with<U>(self, turn: U, variations: Vec<Line<U>>) -> Node<U> {
        Node {
            turn,
            nags: self.nags,
            comments: self.comments,
            variations,
            after: self.after,
        }
    }
}
