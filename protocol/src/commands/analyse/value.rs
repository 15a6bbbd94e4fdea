use fauve_engine::search::{Bound, Score};
use fauve_game::assess::{bounded_text, eval_text};
use serde::Serialize;

/// A score with its chances, for people, PGN and `--json`.
#[derive(Serialize)]
pub(super) struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mate: Option<i32>,
    /// `lower` or `upper` if the value is only a bound: the search ended inside an iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    #[serde(skip)]
    kind: Bound,
    /// Win, draw and loss, per mille.
    wdl: [u16; 3],
}

impl Value {
    /// A score with its chances.
    pub(super) const fn new(score: Score, wdl: [u16; 3]) -> Self {
        match score {
            Score::Cp(cp) => Self {
                cp: Some(cp),
                mate: None,
                bound: None,
                kind: Bound::Exact,
                wdl,
            },
            Score::Mate(turns) => Self {
                cp: None,
                mate: Some(turns),
                bound: None,
                kind: Bound::Exact,
                wdl,
            },
        }
    }

    /// The same where the score may be a bound.
    pub(super) const fn bounded(self, kind: Bound) -> Self {
        let bound = match kind {
            Bound::Exact => None,
            Bound::Lower => Some("lower"),
            Bound::Upper => Some("upper"),
        };
        Self {
            bound,
            kind,
            ..self
        }
    }

    const fn score(&self) -> Score {
        match (self.mate, self.cp) {
            (Some(turns), _) => Score::Mate(turns),
            (None, Some(cp)) => Score::Cp(cp),
            (None, None) => Score::Cp(0),
        }
    }

    /// As people read it, `+0.35` or `#3`; a bound as `≥+0.35`.
    pub(super) fn text(&self) -> String {
        bounded_text(self.score(), self.kind)
    }

    /// As PGN has it behind `[%eval`; nothing for a bound.
    pub(super) fn eval(&self) -> Option<String> {
        eval_text(self.score(), self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_not_written_as_values() {
        let eval = |score, bound| Value::new(score, [500, 0, 500]).bounded(bound).eval();
        assert_eq!(eval(Score::Cp(-35), Bound::Exact).as_deref(), Some("-0.35"));
        assert_eq!(eval(Score::Mate(-3), Bound::Exact).as_deref(), Some("#-3"));
        assert_eq!(eval(Score::Mate(0), Bound::Exact).as_deref(), Some("#"));
        assert_eq!(eval(Score::Cp(35), Bound::Lower), None);
        assert_eq!(eval(Score::Mate(2), Bound::Upper), None);
    }
}
