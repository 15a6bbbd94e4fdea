use crate::core::Kind;
use crate::rules::Roll;
use std::fmt;
use std::sync::LazyLock;

/// The number of multisets of up to three dice: 1 + 6 + 21 + 56.
const POOLS: usize = 84;
const FIRST_ROLL: usize = 28;
const NONE: u8 = u8::MAX;

/// The dice still to be played: one of the 84 multisets of up to three dice, or [`Pool::UNROLLED`].
///
/// Multisets are numbered by size, and within a size in the order of their sorted faces, so that each is larger
/// than all its parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pool(u8);

/// The multisets as sorted faces 1..=6; 0 stands for "no die" and comes last.
static FACES: [[u8; 3]; POOLS] = FACES_TABLE;
const FACES_TABLE: [[u8; 3]; POOLS] = {
    let mut table = [[0; 3]; POOLS];
    let (mut at, mut size) = (1, 1);
    while size <= 3 {
        let mut code = 0;
        while code < 216 {
            let faces = [code / 36 + 1, code / 6 % 6 + 1, code % 6 + 1];
            // The faces beyond the size must be 1 (and are then dropped), so that each multiset comes once.
            let fits = (size > 1 || faces[1] == 1)
                && (size > 2 || faces[2] == 1)
                && (size < 2 || faces[0] <= faces[1])
                && (size < 3 || faces[1] <= faces[2]);
            if fits {
                let mut i = 0;
                while i < size {
                    table[at][i] = faces[i] as u8;
                    i += 1;
                }
                at += 1;
            }
            code += 1;
        }
        size += 1;
    }
    assert!(at == POOLS);
    table
};

/// The multiset left when a die of a kind is taken out, by kind; `NONE` if there is no such die.
static WITHOUT: [[u8; 6]; POOLS] = WITHOUT_TABLE;
const WITHOUT_TABLE: [[u8; 6]; POOLS] = {
    let mut table = [[NONE; 6]; POOLS];
    let mut at = 0;
    while at < POOLS {
        let mut i = 0;
        while i < 3 && FACES_TABLE[at][i] != 0 {
            let mut left = [0; 3];
            let (mut from, mut to) = (0, 0);
            while from < 3 {
                if from != i {
                    left[to] = FACES_TABLE[at][from];
                    to += 1;
                }
                from += 1;
            }
            let mut other = 0;
            while FACES_TABLE[other][0] != left[0]
                || FACES_TABLE[other][1] != left[1]
                || FACES_TABLE[other][2] != left[2]
            {
                other += 1;
            }
            table[at][FACES_TABLE[at][i] as usize - 1] = other as u8;
            i += 1;
        }
        at += 1;
    }
    table
};

/// The multiset with a die of a kind more, by kind; `NONE` for full ones.
static WITH: [[u8; 6]; POOLS] = {
    let mut table = [[NONE; 6]; POOLS];
    let mut at = 0;
    while at < POOLS {
        let mut kind = 0;
        while kind < 6 {
            let part = WITHOUT_TABLE[at][kind];
            if part != NONE {
                table[part as usize][kind] = at as u8;
            }
            kind += 1;
        }
        at += 1;
    }
    table
};

/// The rolls that contain each multiset, bit i for the i-th of the 56 rolls.
static ROLLS_WITH: [u64; POOLS] = {
    let mut table = [0; POOLS];
    let mut roll = FIRST_ROLL;
    while roll < POOLS {
        let bit = 1 << (roll - FIRST_ROLL);
        table[roll] |= bit;
        let mut a = 0;
        while a < 6 {
            let pair = WITHOUT_TABLE[roll][a];
            if pair != NONE {
                table[pair as usize] |= bit;
                let mut b = 0;
                while b < 6 {
                    let single = WITHOUT_TABLE[pair as usize][b];
                    if single != NONE {
                        table[single as usize] |= bit;
                    }
                    b += 1;
                }
            }
            a += 1;
        }
        table[0] |= bit;
        roll += 1;
    }
    table
};

/// The sets of rolls that weigh 1, 3 and 6 of 216.
const BY_WEIGHT: [(u64, u32); 3] = {
    let mut sets = [(0, 1), (0, 3), (0, 6)];
    let mut at = FIRST_ROLL;
    while at < POOLS {
        let [a, b, c] = FACES_TABLE[at];
        let class = if a == b && b == c {
            0
        } else if a == b || b == c {
            1
        } else {
            2
        };
        sets[class].0 |= 1u64 << (at - FIRST_ROLL);
        at += 1;
    }
    sets
};

/// Rolls that differ only in dice that nobody can use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RollGroup {
    /// The dice that can be used.
    pub(crate) pool: Pool,
    /// How many of the 216 throws are among them.
    pub(crate) weight: i64,
    /// One of them, 0..56.
    pub(crate) roll: usize,
}

/// The rolls grouped by the dice of some kinds, bit `i` of the index for [`Kind::CHESS`]`[i]`.
static GROUPS: LazyLock<Vec<Vec<RollGroup>>> = LazyLock::new(|| {
    (0..64)
        .map(|kinds| {
            let mut groups: Vec<RollGroup> = Vec::new();
            for n in 0..POOLS - FIRST_ROLL {
                let roll = Pool::nth_roll(n);
                let used: Vec<u8> = roll
                    .faces()
                    .iter()
                    .copied()
                    .filter(|face| kinds >> (face - 1) & 1 != 0)
                    .collect();
                let pool = Pool::of_faces(&used).unwrap_or(roll);
                let weight = i64::from(weight_of(1 << n));
                match groups.iter_mut().find(|group| group.pool == pool) {
                    Some(group) => group.weight += weight,
                    None => groups.push(RollGroup {
                        pool,
                        weight,
                        roll: n,
                    }),
                }
            }
            groups.sort_by_key(|group| (-group.weight, group.roll));
            groups
        })
        .collect()
});

/// The 56 rolls grouped by the dice of these kinds, bit `i` for [`Kind::CHESS`]`[i]`, the greatest weight first.
#[inline]
pub(crate) fn groups(kinds: u8) -> &'static [RollGroup] {
    &GROUPS[usize::from(kinds & 63)]
}

impl Pool {
    /// No dice left.
    pub const EMPTY: Self = Self(0);
    /// The dice of this turn are not rolled yet.
    pub const UNROLLED: Self = Self(POOLS as u8);
    /// The number of different values, for key tables.
    pub const COUNT: usize = POOLS + 1;

    /// The three dice of a roll.
    pub fn of_roll(roll: Roll) -> Self {
        Self::of_faces(&roll.faces()).expect("a roll is three faces of 1 to 6")
    }

    /// Up to three faces 1..=6 in any order; `None` for more dice or other faces.
    pub fn of_faces(faces: &[u8]) -> Option<Self> {
        let mut pool = 0;
        for &face in faces {
            let index = usize::from(face.checked_sub(1)?);
            pool = *WITH[usize::from(pool)].get(index)?;
            if pool == NONE {
                return None;
            }
        }
        Some(Self(pool))
    }

    /// The pool of the n-th roll, 0..56, in the order of `Chance::rolls`.
    #[inline(always)]
    pub(super) const fn nth_roll(n: usize) -> Self {
        Self((FIRST_ROLL + n) as u8)
    }

    /// The pool with an index below 84.
    #[inline(always)]
    pub(super) const fn from_index(index: usize) -> Self {
        Self(index as u8)
    }

    /// 0..84 in the order of size; 84 for [`Pool::UNROLLED`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of dice, 0 when not rolled.
    #[inline(always)]
    pub const fn len(self) -> usize {
        match self.0 {
            1..=6 => 1,
            7..=27 => 2,
            28..=83 => 3,
            _ => 0,
        }
    }

    /// Whether no die is left (or rolled).
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The sorted faces 1..=6.
    pub fn faces(self) -> &'static [u8] {
        match FACES.get(self.index()) {
            Some(faces) => &faces[..self.len()],
            None => &[],
        }
    }

    /// The roll, if there are three dice.
    pub fn roll(self) -> Option<Roll> {
        Roll::new(self.faces().try_into().ok()?)
    }

    /// The pool without a die of this kind; `None` if it has none.
    ///
    /// ```
    /// use fauve_engine::core::Kind;
    /// use fauve_engine::rules::{Roll, dice::Pool};
    ///
    /// let pool = Pool::of_roll(Roll::parse("PPK").expect("three dice"));
    /// let left = pool.without(Kind::Pawn).expect("it has two");
    /// assert_eq!(left.to_string(), "PK");
    /// assert_eq!(left.without(Kind::Queen), None);
    /// ```
    #[inline(always)]
    pub fn without(self, kind: Kind) -> Option<Self> {
        match WITHOUT.get(self.index())?[kind.index()] {
            NONE => None,
            left => Some(Self(left)),
        }
    }

    /// The pool with one more die; `None` if it is full.
    #[inline(always)]
    pub(super) fn with(self, kind: Kind) -> Option<Self> {
        match WITH.get(self.index())?[kind.index()] {
            NONE => None,
            more => Some(Self(more)),
        }
    }

    /// The pool without the two dice that castling costs.
    #[inline(always)]
    pub(super) fn without_castling(self) -> Option<Self> {
        self.without(Kind::Rook)?.without(Kind::King)
    }

    /// Whether all dice of `part` are in this pool.
    #[inline]
    pub(super) fn contains(self, part: Self) -> bool {
        part.faces()
            .iter()
            .try_fold(self, |left, &face| {
                left.without(Kind::CHESS[usize::from(face - 1)])
            })
            .is_some()
    }

    /// The rolls that contain this multiset, bit i for the i-th roll.
    #[inline(always)]
    pub(super) fn rolls_with(self) -> u64 {
        ROLLS_WITH[self.index()]
    }
}

/// How many of the 216 throws give a roll of this set.
#[inline(always)]
pub(super) fn weight_of(rolls: u64) -> u32 {
    BY_WEIGHT
        .iter()
        .map(|&(set, weight)| (rolls & set).count_ones() * weight)
        .sum()
}

impl fmt::Display for Pool {
    /// Upper-case letters in the order `PNBRQK`; `-` when not rolled (or empty).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.faces()
            .iter()
            .try_for_each(|&face| write!(f, "{}", b"PNBRQK"[usize::from(face - 1)] as char))
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pools_are_the_multisets() {
        assert_eq!(Pool::of_faces(&[6, 1, 3]).unwrap().to_string(), "PBK");
        assert_eq!(Pool::of_faces(&[1, 1, 1, 1]), None);
        assert_eq!(Pool::of_faces(&[7]), None);
        assert_eq!(Pool::of_faces(&[0]), None);
        for at in 0..POOLS {
            let pool = Pool::from_index(at);
            assert_eq!(Pool::of_faces(pool.faces()), Some(pool));
            for kind in Kind::CHESS {
                if let Some(left) = pool.without(kind) {
                    assert_eq!(left.len() + 1, pool.len());
                    assert_eq!(left.with(kind), Some(pool));
                }
            }
        }
    }

    #[test]
    fn the_weights_add_up() {
        assert_eq!(weight_of(Pool::EMPTY.rolls_with()), 216);
        let knight = Pool::of_faces(&[2]).unwrap();
        assert_eq!(weight_of(knight.rolls_with()), 216 - 125);
        let pair = Pool::of_faces(&[2, 2]).unwrap();
        assert_eq!(weight_of(pair.rolls_with()), 16);
    }
}
