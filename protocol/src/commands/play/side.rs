use fauve_engine::core::Color;

/// The side or sides played from the keyboard.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    White,
    Black,
    Both,
}

impl Side {
    /// The name of the value on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Both => "both",
        }
    }

    /// Whether the turns of `color` come from the keyboard.
    pub(super) fn has(self, color: Color) -> bool {
        self == Self::Both || (self == Self::White) == (color == Color::White)
    }
}
