use fauve_engine::search::Score;
use serde::Serialize;

/// A score for the side to move, for `--json`.
#[derive(Serialize)]
pub(super) struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mate: Option<i32>,
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
                wdl,
            },
            Score::Mate(turns) => Self {
                cp: None,
                mate: Some(turns),
                wdl,
            },
        }
    }
}
