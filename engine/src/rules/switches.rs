/// The rule switches of all games. Each game reads those that concern it; the defaults are the rules as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Superchess, Cubes 4D: the start position is the prologue.
    pub prologue: bool,
    /// Superchess without prologue: which of the 432 arrays is the start position (0..432).
    pub array: u16,
    /// Superchess: a captured promoted man is available again (`Promotion Pool physical`).
    pub physical_pool: bool,
    /// DiceChess: castling ignores attacks.
    pub castle_through_check: bool,
    /// Cubes 4D: no limit on Queens and Grand Pawns.
    pub free_material: bool,
    /// Two-move chess, Cubes 4D: threefold repetition draws.
    pub repetition_draw: bool,
    /// Two-move chess, DiceChess, Cubes 4D: the counter of quiet turns draws.
    pub clock_draw: bool,
    /// Two-move chess: positions in which neither side can mate draw.
    pub dead_draw: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            prologue: true,
            array: 0,
            physical_pool: false,
            castle_through_check: false,
            free_material: false,
            repetition_draw: true,
            clock_draw: true,
            dead_draw: true,
        }
    }
}
