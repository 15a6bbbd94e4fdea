//! Ratings as a table and as a picture.

use crate::report::figure::figure;
use crate::report::scale::Standing;
use crate::stats::ratings::Rating;
use fauve_engine::rules::printable;
use std::fmt::Write;

/// The standings as a table for people: columns in line, the names to the left.
pub fn table(standings: &[Standing]) -> String {
    let heads = [
        "player",
        "Elo",
        "+/-",
        "games",
        "score",
        "nearest below",
        "games",
        "score",
    ];
    let mut rows = vec![heads.map(str::to_owned)];
    rows.extend(standings.iter().map(|standing| {
        let percent = |score: f64| format!("{:.1} %", score * 100.0);
        let [below, met, scored] = match &standing.below {
            Some((name, games, score)) => [name.clone(), games.to_string(), percent(*score)],
            None => Default::default(),
        };
        let Rating { elo, error } = standing.rating;
        [
            standing.name.clone(),
            figure(elo, 0),
            figure(error, 0),
            standing.games.to_string(),
            percent(standing.score),
            below,
            met,
            scored,
        ]
    }));
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let _ = if matches!(column, 0 | 5) {
                write!(line, "{gap}{cell:width$}")
            } else {
                write!(line, "{gap}{cell:>width$}")
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The standings as a table of Markdown.
pub fn markdown(standings: &[Standing]) -> String {
    let mut text = String::from(
        "| player | Elo | ± | games | score | nearest below | games | score |\n|---|---|---|---|---|---|---|---|\n",
    );
    for Standing {
        name,
        rating,
        games,
        score,
        below,
    } in standings
    {
        let _ = write!(
            text,
            "| {} | {:.0} | {:.0} | {games} | {:.1} % |",
            cell(name),
            rating.elo,
            rating.error,
            score * 100.0
        );
        let _ = match below {
            Some((name, games, score)) => {
                let (name, score) = (cell(name), score * 100.0);
                writeln!(text, " {name} | {games} | {score:.1} % |")
            }
            None => writeln!(text, " | | |"),
        };
    }
    text
}

/// Pixels: the width of the names and of the scale, the height of a line, and the margin.
const NAMES: f64 = 204.0;
const WIDTH: f64 = 560.0;
const LINE: f64 = 22.0;
const MARGIN: f64 = 26.0;
/// Least distance of two labels of the axis, in Elo; doubled until they have room.
const TICK: f64 = 200.0;
/// Largest number of distances between labels for which a label of four digits and a sign has room.
const TICKS: f64 = 12.0;

/// The standings as a picture (SVG): a line for each player with his rating and its error bar. Legible on light and dark pages.
pub fn picture(title: &str, standings: &[Standing]) -> String {
    let ends = standings.iter().map(|standing| {
        let Rating { elo, error } = standing.rating;
        (elo - error, elo + error)
    });
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
        (low.min(end.0), high.max(end.1))
    });
    let mut step = TICK;
    while (high - low) / step > TICKS {
        step *= 2.0;
    }
    let low = (low / step).floor() * step;
    let high = ((high / step).ceil() * step).max(low + step);
    let x = |elo: f64| NAMES + (elo - low) / (high - low) * WIDTH;
    let bottom = MARGIN + LINE * standings.len() as f64;
    let (width, height) = (NAMES + WIDTH + MARGIN, bottom + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n<text x=\"6\" y=\"17\" font-weight=\"bold\">{}</text>\n",
        escape(title)
    );
    let mut tick = low;
    while tick <= high {
        let at = x(tick);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {MARGIN}V{bottom}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            bottom + 17.0
        );
        tick += step;
    }
    for (number, standing) in standings.iter().enumerate() {
        let y = MARGIN + LINE * (number as f64 + 0.5);
        let Rating { elo, error } = standing.rating;
        let (left, right) = (x(elo - error), x(elo + error));
        let _ = writeln!(
            text,
            "<text x=\"6\" y=\"{:.1}\">{}</text><path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#357\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#357\"><title>{elo:.0} ± {error:.0}, {} games</title></circle>",
            y + 4.5,
            escape(&standing.name),
            x(elo),
            standing.games
        );
    }
    text + "</svg>\n"
}

/// A foreign name that is safe in a table of Markdown.
fn cell(name: &str) -> String {
    printable(name).replace('|', "\\|")
}

/// A foreign name that is safe in XML.
fn escape(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings() -> Vec<Standing> {
        let standing = |name: &str, elo, below| Standing {
            name: name.to_owned(),
            rating: Rating { elo, error: 30.4 },
            games: 8,
            score: 0.5,
            below,
        };
        vec![
            standing("a long name", 1000.0, Some(("b".to_owned(), 4, 0.75))),
            standing("b", -3.7, None),
        ]
    }

    #[test]
    fn tables_are_in_line_for_people_and_safe_for_markdown() {
        let standings = standings();
        assert_eq!(
            table(&standings),
            "player        Elo  +/-  games   score  nearest below  games   score\n\
             a long name  1000   30      8  50.0 %  b                  4  75.0 %\n\
             b              -4   30      8  50.0 %\n"
        );
        let text = markdown(&standings);
        assert!(
            text.ends_with("| b | -4 | 30 | 8 | 50.0 % | | | |\n"),
            "{text}"
        );
        let mut odd = standings;
        odd[0].name = "c|\n\0".to_owned();
        assert!(markdown(&odd).contains("| c\\|\\n\\0 |"));
    }

    #[test]
    fn labels_of_the_axis_do_not_overlap() {
        let mut standings = standings();
        for best in [200.0, 2400.0, 3234.0, 4250.0, 20_000.0] {
            standings[0].rating.elo = best;
            let drawn = picture("", &standings);
            let labels: Vec<f64> = drawn
                .lines()
                .filter(|line| line.contains("text-anchor"))
                .map(|line| {
                    let place = line.split("text x=\"").nth(1).expect("a place");
                    place.split('"').next().unwrap().parse().unwrap()
                })
                .collect();
            assert!(labels.len() >= 3, "{drawn}");
            for pair in labels.windows(2) {
                assert!(pair[1] - pair[0] >= 39.0, "{best}: {labels:?}");
            }
        }
    }

    #[test]
    fn pictures_are_safe() {
        let mut standings = standings();
        let drawn = picture("a & b", &standings);
        assert!(drawn.contains("a &amp; b") && drawn.matches("<circle").count() == 2);
        standings[0].name = "c|\n\0".to_owned();
        assert!(!picture("\0", &standings).contains('\0'));
    }
}
