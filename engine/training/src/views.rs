//! The inputs of a record: those of its position, without setting it up.

use crate::record::Record;
use arrayvec::ArrayVec;
use fauve_engine::core::{Color, Kind, Square};
use fauve_engine::eval::network::features::{self, Features, View};

/// Room for the inputs of every game: 32 pieces and two reserves, or pieces, cubes and what they share.
const MOST: usize = 240;

/// The inputs of one view.
pub type Inputs = ArrayVec<u16, MOST>;

/// The inputs that are on in a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Views {
    /// As the side to move sees it.
    pub own: Inputs,
    /// As its opponent sees it.
    pub other: Inputs,
    /// The output bucket.
    pub bucket: usize,
    /// What the value is without the network, in units of 400 centipawns.
    pub base: f32,
}

impl Views {
    /// The inputs of a record.
    #[inline]
    pub fn of<G: Features>(record: &Record) -> Self {
        const { assert!(G::MAX_ACTIVE <= MOST && G::INPUTS <= 1 << 16) };
        let mut views = Self::of_pieces::<G>(record.side, record.pieces());
        // Mirroring leaves reserves as they are.
        let [own, other] = [record.side, !record.side].map(|side| View::with(side, false));
        for color in Color::ALL {
            let bits = u32::from(record.reserve[color.index()]);
            for bit in (0..G::RESERVE).filter(|bit| bits >> bit & 1 != 0) {
                views.own.push(own.reserve::<G>(color, bit) as u16);
                views.other.push(other.reserve::<G>(color, bit) as u16);
            }
        }
        views
    }
    /// The inputs of some pieces, seen by the side to move and its opponent.
    #[inline]
    pub fn of_pieces<G: Features>(
        us: Color,
        pieces: impl Iterator<Item = (Color, Kind, Square)> + Clone,
    ) -> Self {
        let mut views = Self::default();
        let mut kings = [Square::default(); 2];
        let mut count = 0;
        for (color, kind, square) in pieces.clone() {
            count += 1;
            if kind == Kind::King {
                kings[color.index()] = square;
            }
        }
        views.bucket = features::bucket(count);
        let own = View::new(us, kings[us.index()]);
        let other = View::new(!us, kings[(!us).index()]);
        for (color, kind, square) in pieces {
            if kind.index() < G::KINDS {
                views.own.push(own.piece::<G>(color, kind, square) as u16);
                views
                    .other
                    .push(other.piece::<G>(color, kind, square) as u16);
            }
        }
        views
    }
}
