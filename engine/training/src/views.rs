//! The inputs of a record: those of its position, without setting it up.

use crate::record::Record;
use arrayvec::ArrayVec;
use fauve_engine::core::{Color, Kind, Square};
use fauve_engine::eval::network::features::{self, Features, View};

/// Room for the inputs of every game: 32 men and two reserves.
const MOST: usize = 64;

/// The inputs that are on in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Views {
    /// As the side to move sees it.
    pub own: ArrayVec<u16, MOST>,
    /// As its opponent sees it.
    pub other: ArrayVec<u16, MOST>,
    /// The output bucket.
    pub bucket: usize,
}

impl Views {
    /// The inputs of a record.
    #[inline]
    pub fn of<G: Features>(record: &Record) -> Self {
        const { assert!(G::MAX_ACTIVE <= MOST && G::INPUTS <= 1 << 16) };
        let mut views = Self {
            bucket: features::bucket(record.occupied.len() as usize),
            ..Self::default()
        };
        let mut kings = [Square::default(); 2];
        for (color, kind, square) in record.men() {
            if kind == Kind::King {
                kings[color.index()] = square;
            }
        }
        let us = record.side;
        let own = View::new(us, kings[us.index()]);
        let other = View::new(!us, kings[(!us).index()]);
        for (color, kind, square) in record.men() {
            if kind.index() < G::KINDS {
                views.own.push(own.man::<G>(color, kind, square) as u16);
                views.other.push(other.man::<G>(color, kind, square) as u16);
            }
        }
        for color in Color::ALL {
            let bits = u32::from(record.reserve[color.index()]);
            for bit in (0..G::RESERVE).filter(|bit| bits >> bit & 1 != 0) {
                views.own.push(own.reserve::<G>(color, bit) as u16);
                views.other.push(other.reserve::<G>(color, bit) as u16);
            }
        }
        views
    }
}
