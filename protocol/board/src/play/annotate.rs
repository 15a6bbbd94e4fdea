//! What stands beside the turns of a game, as the page shows and changes it.

use super::game::turn_done;
use super::{Annotation, Beside, PlayError, Variation};
use crate::view::Show;
use fauve_game::comment::{command, remove_command, set_command, set_words, words};
use fauve_game::played::{Made, Played};
use fauve_game::study::StudyError;
use fauve_game::tree::{Line, Node, Path};

/// NAGs of which a turn has one at most: the quality of the turn, and who stands better behind it.
const GROUPS: [std::ops::RangeInclusive<u16>; 2] = [1..=6, 10..=19];

/// A variation with its turns.
pub(super) fn variation_view<G: Show>(line: &Line<Made<G>>) -> Variation {
    Variation {
        lead: words(&line.lead),
        turns: line.turns.iter().map(turn_done).collect(),
    }
}

/// What stands beside a turn, but for its variations.
pub(super) fn beside<G: Show>(node: &Node<Made<G>>) -> Beside {
    Beside {
        nags: node.nags.clone(),
        after: words(&node.after),
        ..lead(&node.comments)
    }
}

/// What comments say.
pub(super) fn lead(comments: &[String]) -> Beside {
    let list = |name| command(comments, name).unwrap_or("").split(',');
    let shapes = list("cal").chain(list("csl")).map(str::trim);
    Beside {
        comment: words(comments),
        eval: command(comments, "eval").map(str::to_owned),
        shapes: shapes
            .filter(|shape| squares(shape) > 0)
            .map(str::to_owned)
            .collect(),
        ..Beside::default()
    }
}

/// Puts beside the turn that leads to a place what a person wants there; before the first turn there are words and shapes only.
pub(super) fn annotate<G: Show>(
    played: &mut Played<G>,
    path: &Path,
    what: &Annotation,
) -> Result<(), PlayError> {
    // Before anything is written.
    let mut shapes = what.shapes.iter().flatten();
    if shapes.any(|shape| squares(shape) == 0) {
        return Err(PlayError::Shape);
    }
    if let Some(nags) = &what.nags
        && let Some(node) = played.node_mut(path)
    {
        node.nags = sound(nags);
    }
    let is_start = *path == Path::default();
    let comments = if is_start {
        played.lead_mut()
    } else {
        let node = played.node_mut(path);
        &mut node.ok_or(StudyError::NoPlace)?.comments
    };
    if let Some(text) = &what.comment {
        set_words(comments, text);
    }
    if let Some(shapes) = &what.shapes {
        for (name, count) in [("csl", 1), ("cal", 2)] {
            let those = shapes.iter().filter(|shape| squares(shape) == count);
            let those: Vec<&str> = those.map(String::as_str).collect();
            if those.is_empty() {
                remove_command(comments, name);
            } else {
                set_command(comments, name, &those.join(","));
            }
        }
    }
    Ok(())
}

/// The NAGs, each once, and of each group the last that was given.
fn sound(nags: &[u16]) -> Vec<u16> {
    let mut kept: Vec<u16> = Vec::new();
    for nag in nags {
        kept.retain(|old| {
            let rivals =
                |group: &std::ops::RangeInclusive<u16>| group.contains(old) && group.contains(nag);
            old != nag && !GROUPS.iter().any(rivals)
        });
        kept.push(*nag);
    }
    kept
}

/// How many squares a shape has: 1 for a circle, 2 for an arrow, 0 if it is none.
fn squares(shape: &str) -> usize {
    let Some(mut rest) = shape.strip_prefix(['G', 'R', 'Y', 'B']) else {
        return 0;
    };
    let mut count = 0;
    while !rest.is_empty() {
        let Some(rank) = rest.strip_prefix(|file: char| ('a'..='o').contains(&file)) else {
            return 0;
        };
        let digits = rank.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=2).contains(&digits) {
            return 0;
        }
        rest = &rank[digits..];
        count += 1;
    }
    if count > 2 { 0 } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_a_colour_and_one_or_two_squares() {
        for (shape, count) in [
            ("Gd2d4", 2),
            ("Re4", 1),
            ("Be10f10", 2),
            ("", 0),
            ("G", 0),
            ("Xe4", 0),
            ("Ge4e5e6", 0),
            ("Ge", 0),
            ("Gé4", 0),
            ("Ge123", 0),
        ] {
            assert_eq!(squares(shape), count, "{shape}");
        }
    }

    #[test]
    fn of_the_signs_of_quality_the_last_is_kept() {
        assert_eq!(sound(&[1, 14, 2, 2, 146]), [14, 2, 146]);
        assert_eq!(sound(&[16, 10]), [10]);
    }
}
