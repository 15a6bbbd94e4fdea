use std::fmt;

/// The games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Orthodox chess.
    #[default]
    Chess,
    /// Superchess, Belgian Open.
    Superchess,
    /// Two-move chess.
    TwoMove,
    /// DiceChess.
    DiceChess,
    /// Cubes 4D.
    Cubes4d,
}

impl Variant {
    /// All games, in the order of the protocol's combo.
    pub const ALL: [Self; 5] = [
        Self::Chess,
        Self::Superchess,
        Self::TwoMove,
        Self::DiceChess,
        Self::Cubes4d,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Superchess => "superchess",
            Self::TwoMove => "twomove",
            Self::DiceChess => "dicechess",
            Self::Cubes4d => "cubes4d",
        }
    }

    /// Reads a name or an alias, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "chess" | "normal" | "standard" => Self::Chess,
            "superchess" | "super" => Self::Superchess,
            "twomove" | "two-move" | "doublemove" => Self::TwoMove,
            "dicechess" | "dice" => Self::DiceChess,
            "cubes4d" | "cubes" => Self::Cubes4d,
            _ => return None,
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
