//! The course of a game as a picture: the chance to win as a line, the luck of each roll as a bar.

use std::fmt::Write;

/// A turn in the picture; all from White's point of view, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// White's chance before the roll.
    pub(super) before: f64,
    /// White's chance after the turn that was played.
    pub(super) after: f64,
    /// What the roll gave White.
    pub(super) luck: f64,
    /// Whether the turn lost so much that it is marked.
    pub(super) mistake: bool,
}

const HEIGHT: f64 = 240.0;
const BARS: f64 = 80.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 20.0;
const STEP: f64 = 14.0;

/// An SVG file.
pub(super) fn picture(points: &[Point]) -> String {
    let width = LEFT + STEP * (points.len().max(1) as f64 + 1.0);
    let whole = TOP + HEIGHT + 2.0 * BARS;
    let x = |turn: usize| LEFT + STEP * (turn as f64 + 0.5);
    let y = |chance: f64| TOP + HEIGHT * (1.0 - chance);
    let zero = TOP + HEIGHT + BARS;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {whole:.0}\" width=\"{width:.0}\" height=\"{whole:.0}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
            LEFT - 4.0,
            at + 3.0
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{zero:.1}\" y2=\"{zero:.1}\" stroke=\"#999\"/>\
         <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">luck</text>",
        LEFT - 4.0,
        zero + 3.0
    );
    for (turn, point) in points.iter().enumerate() {
        let height = (point.luck.abs() * BARS * 2.0).min(BARS);
        let top = if point.luck > 0.0 {
            zero - height
        } else {
            zero
        };
        let colour = if point.luck > 0.0 { "#4a4" } else { "#a44" };
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
            x(turn) - STEP * 0.35,
            STEP * 0.7
        );
    }
    let mut line = String::new();
    if let Some(first) = points.first() {
        let _ = write!(line, "{LEFT:.1},{:.1}", y(first.before));
    }
    for (turn, point) in points.iter().enumerate() {
        let _ = write!(line, " {:.1},{:.1}", x(turn), y(point.after));
    }
    let _ = writeln!(
        svg,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#246\" stroke-width=\"1.5\"/>"
    );
    for (turn, point) in points.iter().enumerate().filter(|(_, point)| point.mistake) {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#c00\"><title>turn {}</title></circle>",
            x(turn),
            y(point.after),
            turn + 1
        );
    }
    svg += "</svg>\n";
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_has_a_bar_and_a_corner_of_the_line() {
        let point = |luck| Point {
            before: 0.5,
            after: 0.6,
            luck,
            mistake: luck < 0.0,
        };
        let svg = picture(&[point(0.1), point(-0.2), point(0.9)]);
        assert_eq!(svg.matches("fill=\"#4a4\"").count(), 2);
        assert_eq!(svg.matches("fill=\"#a44\"").count(), 1);
        assert_eq!(svg.matches("<circle").count(), 1);
        let (_, line) = svg.split_once("points=\"").unwrap();
        assert_eq!(line.split('"').next().unwrap().split(' ').count(), 4);
        assert!(picture(&[]).ends_with("</svg>\n"));
    }
}
