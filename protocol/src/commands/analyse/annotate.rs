use super::assess::Assessed;
use super::source::SourceGame;
use fauve_referee::record::pgn::text_of;

/// A game with what was found about its turns, for PGN.
pub(super) struct Annotated {
    tags: Vec<(String, String)>,
    result: String,
    /// The turns that could be analysed.
    pub(super) turns: Vec<Assessed>,
}

impl Annotated {
    /// A game of which nothing is known yet.
    pub(super) fn of(source: &SourceGame) -> Self {
        let mut tags = source.tags.clone();
        if source.tag("Annotator").is_none() {
            let annotator = concat!("Fauve ", env!("CARGO_PKG_VERSION"));
            tags.push(("Annotator".to_owned(), annotator.to_owned()));
        }
        Self {
            tags,
            result: source.result.clone(),
            turns: Vec::new(),
        }
    }

    /// The game as PGN: values as `[%eval 0.35]` (White's view) in comments, mistakes and blunders as NAGs, and for these the
    /// better turn as a variation. The roll stands first in the comment.
    pub(super) fn pgn(&self) -> String {
        let mut words = Vec::new();
        let mut announce = true;
        for turn in &self.turns {
            match turn.side {
                'w' => words.push(format!("{}.", turn.number)),
                _ if announce => words.push(format!("{}...", turn.number)),
                _ => {}
            }
            words.push(movetext(&turn.san, &turn.played));
            if let Some((_, nag)) = turn.glyph() {
                words.push(format!("${nag}"));
            }
            let roll = turn.roll.as_ref().map(|roll| format!("{roll} "));
            words.push(format!(
                "{{{}{}}}",
                roll.unwrap_or_default(),
                turn.value.comment()
            ));
            if turn.glyph().is_some() {
                let dots = if turn.side == 'w' { "." } else { "..." };
                let best = movetext(&turn.best_san, &turn.best);
                words.push(format!("({}{dots} {best})", turn.number));
            }
            // A comment came between, so that Black's turn needs its number.
            announce = true;
        }
        words.push(self.result.clone());
        text_of(&self.tags, &words)
    }
}

/// A turn as PGN can have it: brackets and blanks mean something else there.
fn movetext(san: &str, token: &str) -> String {
    let is_plain = !san.contains(['(', ' ', '{']);
    (if is_plain { san } else { token }).to_owned()
}
