use super::{Explain, flat};
use fauve_engine::core::Bitboard;
use fauve_engine::rules::{Rules, chess::Chess};

impl Explain for Chess {
    fn why(&self, from: &str, to: &str) -> String {
        let Some((from, to)) = flat::squares(from, to) else {
            return "There are the squares a1 to h8.".to_owned();
        };
        let attempt = flat::Try {
            board: self.board(),
            us: self.side_to_move(),
            targets: self
                .orthodox()
                .en_passant()
                .map_or(Bitboard::EMPTY, Bitboard::of),
            castling: self.castling(),
            from,
            to,
        };
        attempt
            .fault()
            .or_else(|| attempt.check_after())
            .unwrap_or_else(|| "This is not a legal move.".to_owned())
    }
}
