use super::{Explain, flat};
use fauve_engine::core::Square;
use fauve_engine::rules::{Rules, chess::Chess};

impl Explain for Chess {
    fn explain(&self, from: &str, to: &str) -> String {
        flat::between(from, to, |from, to| explain(self, from, to))
    }

    fn why_check(&self) -> Option<String> {
        flat::why_check(self.board(), self.side_to_move())
    }
}

fn explain(position: &Chess, from: Square, to: Square) -> String {
    let attempt = flat::Try::orthodox(position.orthodox(), from, to);
    attempt
        .fault()
        .or_else(|| attempt.check_after())
        .unwrap_or_else(|| "This is not a legal move.".to_owned())
}
