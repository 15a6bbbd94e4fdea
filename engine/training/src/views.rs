//! Network inputs of a record, extracted without setting up the position.

use crate::record::Record;
use arrayvec::ArrayVec;
use fauve_engine::core::{Color, Kind, Square};
use fauve_engine::eval::network::features::{self, Features, Pieces, View};

/// Maximum number of active inputs in any game: 32 pieces and two reserves, or pieces, cubes and shared inputs.
const MOST: usize = 240;

/// Active inputs of one perspective.
pub type Inputs = ArrayVec<u16, MOST>;

/// Active inputs of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Views {
    /// Perspective of the side to move.
    pub own: Inputs,
    /// Perspective of the opponent.
    pub other: Inputs,
    /// Output bucket.
    pub bucket: usize,
    /// Part of the value that does not come from the network, in units of
    /// [`SCALE`](fauve_engine::eval::network::HasNetwork::SCALE) centipawns.
    pub base: f32,
}

impl Views {
    /// Extracts the inputs of a record.
    #[inline]
    pub fn of<G: Features>(record: &Record) -> Self {
        const { assert!(G::MAX_ACTIVE <= MOST && G::INPUTS <= 1 << 16) };
        let mut views = Self::of_pieces::<G>(record.side, record.pieces());
        if G::THREATS > 0 {
            views.add_threats::<G>(record);
        }
        // Mirroring does not change reserves.
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

    /// Adds the pieces that are threatened.
    #[inline]
    fn add_threats<G: Features>(&mut self, record: &Record) {
        let mut board = Pieces::default();
        for (color, kind, square) in record.pieces() {
            board.toggle(color, kind, square);
        }
        let sides = [record.side, !record.side];
        let [own, other] = sides.map(|side| View::new(side, board.king(side)));
        for (set, &threatened) in G::threats(&board).as_ref().iter().enumerate() {
            for square in threatened {
                let (color, kind) = board.piece(square);
                for (inputs, view) in [(&mut self.own, own), (&mut self.other, other)] {
                    inputs.push(view.threat::<G>(set, color, kind, square) as u16);
                }
            }
        }
    }

    /// Inputs of some pieces, from both perspectives.
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
