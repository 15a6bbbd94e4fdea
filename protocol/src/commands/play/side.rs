use fauve_engine::core::Color;

/// Who sits at the keyboard.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    White,
    Black,
    Both,
}

impl Side {
    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Both => "both",
        }
    }

    /// Whether this side's turns come from the keyboard.
    pub(super) fn has(self, color: Color) -> bool {
        self == Self::Both || (self == Self::White) == (color == Color::White)
    }
}
