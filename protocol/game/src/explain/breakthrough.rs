use super::{Explain, flat};
use fauve_engine::rules::{Rules, breakthrough::Breakthrough};

impl Explain for Breakthrough {
    fn explain(&self, from: &str, to: &str) -> String {
        flat::between(from, to, |from, _| {
            if self.pieces(self.side_to_move()).has(from) {
                "A piece moves one square straight or diagonally ahead, and captures only diagonally."
                    .to_owned()
            } else {
                format!("It is {}'s turn.", self.side_to_move().name())
            }
        })
    }
}
