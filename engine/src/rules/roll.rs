use std::fmt;

/// A roll of three dice, faces 1 (pawn), 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, sorted.
///
/// ```
/// use fauve_engine::rules::{Chance, Roll, dice::DiceChess};
///
/// assert_eq!(Roll::new([6, 1, 3]), Roll::parse("PBK"));
/// assert_eq!(Roll::parse("kbp").map(|roll| roll.to_string()), Some("PBK".to_owned()));
/// assert_eq!(Roll::new([0, 1, 2]), None);
///
/// // 56 rolls, 216 throws.
/// let weights: u32 = DiceChess::rolls().iter().map(|(_, weight)| weight).sum();
/// assert_eq!((DiceChess::rolls().len(), weights), (56, 216));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Roll([u8; 3]);

impl Roll {
    /// A roll from three faces 1..=6 in any order; `None` if a face is out of range.
    pub fn new(mut faces: [u8; 3]) -> Option<Self> {
        faces.sort_unstable();
        faces
            .iter()
            .all(|face| (1..=6).contains(face))
            .then_some(Self(faces))
    }

    /// The faces, sorted.
    pub const fn faces(self) -> [u8; 3] {
        self.0
    }

    /// How many of the 216 throws give this roll: 1 for a triple, 3 for a pair, 6 otherwise.
    ///
    /// ```
    /// use fauve_engine::rules::Roll;
    /// let weights = ["NNN", "NNK", "PNK"].map(|text| Roll::parse(text).map(Roll::weight));
    /// assert_eq!(weights, [Some(1), Some(3), Some(6)]);
    /// ```
    pub fn weight(self) -> u32 {
        match self.0 {
            [a, b, c] if a == b && b == c => 1,
            [a, b, c] if a == b || b == c => 3,
            _ => 6,
        }
    }

    /// Reads `136` or `PBK` (letters in any case and order).
    pub fn parse(text: &str) -> Option<Self> {
        let mut faces = [0; 3];
        let mut letters = text.chars();
        for face in &mut faces {
            let letter = letters.next()?.to_ascii_uppercase();
            *face = match letter.to_digit(10) {
                Some(digit) => digit as u8,
                None => "PNBRQK".find(letter)? as u8 + 1,
            };
        }
        if letters.next().is_some() {
            None
        } else {
            Self::new(faces)
        }
    }
}

impl fmt::Display for Roll {
    /// Letters, `PBK`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|&face| write!(f, "{}", b"PNBRQK"[usize::from(face - 1)] as char))
    }
}
