//! The players of many tournaments on one scale: their ratings as a table and as a picture.

use crate::report::luck::Adjusted;
use crate::report::tally::{Score, Tally};
use crate::stats::Z95;
use crate::stats::ratings::{Meeting, Rating, RatingError, rate};
use fauve_engine::rules::printable;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results of several tournaments of one game; players of one name are one player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scale {
    names: Vec<String>,
    meetings: BTreeMap<(usize, usize), Meeting>,
}

/// What makes no scale.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScaleError {
    /// An anchor that has played nowhere.
    #[error("nobody is called {0}")]
    Unknown(String),
    /// A player who is on no scale with the others.
    #[error("no games connect {0} with {1}")]
    Apart(String, String),
}

/// A player on the scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The player.
    pub name: String,
    /// Elo with its 95 % error.
    pub rating: Rating,
    /// Games.
    pub games: u64,
    /// Points per game, in DiceChess less the luck of the dice.
    pub score: f64,
    /// The nearest weaker player that it has met, the games against him, and the points per game.
    pub below: Option<(String, u64, f64)>,
}

impl Scale {
    /// Adds a tournament's games, as far as they do not repeat one another.
    pub fn add(&mut self, tally: &Tally) {
        for (&(first, second), score) in &tally.scores {
            let players = [first, second].map(|player| self.number(&tally.names[player]));
            let [a, b] = players;
            let meeting = meeting(players, score);
            if a < b {
                self.join((a, b), meeting);
            } else {
                let points = meeting.games - meeting.points;
                let players = [b, a];
                self.join(
                    (b, a),
                    Meeting {
                        players,
                        points,
                        ..meeting
                    },
                );
            }
        }
    }

    fn join(&mut self, pair: (usize, usize), other: Meeting) {
        self.meetings
            .entry(pair)
            .and_modify(|sum| {
                sum.games += other.games;
                sum.points += other.points;
                sum.variance += other.variance;
            })
            .or_insert(other);
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// The players by their ratings, the best first. The anchors are players whose Elo is known.
    ///
    /// # Errors
    /// An anchor that there is not, or players that nothing connects.
    pub fn standings(&self, anchors: &[(String, f64)]) -> Result<Vec<Standing>, ScaleError> {
        let find = |(name, elo): &(String, f64)| {
            let number = self.names.iter().position(|known| known == name);
            let number = number.ok_or_else(|| ScaleError::Unknown(name.clone()))?;
            Ok((number, *elo))
        };
        let anchors = anchors.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let meetings: Vec<Meeting> = self.meetings.values().copied().collect();
        let ratings =
            rate(self.names.len(), &meetings, &anchors).map_err(|RatingError::Apart(player)| {
                ScaleError::Apart(self.names[player].clone(), self.names[0].clone())
            })?;
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        Ok(order
            .into_iter()
            .map(|player| self.standing(player, &ratings))
            .collect())
    }

    fn standing(&self, player: usize, ratings: &[Rating]) -> Standing {
        let (mut games, mut points) = (0.0, 0.0);
        let mut below: Option<(usize, f64, f64)> = None;
        for meeting in self.meetings.values() {
            let [a, b] = meeting.players;
            let (other, own) = if player == a {
                (b, meeting.points)
            } else if player == b {
                (a, meeting.games - meeting.points)
            } else {
                continue;
            };
            games += meeting.games;
            points += own;
            let is_nearer = below.is_none_or(|(known, ..)| ratings[other].elo > ratings[known].elo);
            if meeting.games > 0.0 && ratings[other].elo < ratings[player].elo && is_nearer {
                below = Some((other, meeting.games, own / meeting.games));
            }
        }
        Standing {
            name: self.names[player].clone(),
            rating: ratings[player],
            games: games as u64,
            score: points / games.max(1.0),
            below: below
                .map(|(other, games, score)| (self.names[other].clone(), games as u64, score)),
        }
    }
}

/// What a pairing has scored: the distinct games, in DiceChess without luck.
fn meeting(players: [usize; 2], score: &Score) -> Meeting {
    let counts = &score.distinct;
    let games = counts.games() as f64;
    match Adjusted::of(&score.luck) {
        Some(adjusted) => Meeting {
            players,
            games,
            points: adjusted.mean.clamp(0.0, 1.0) * games,
            variance: (adjusted.error / Z95 * games).powi(2),
        },
        None => Meeting {
            players,
            games,
            points: counts.points(),
            variance: counts.points_variance(),
        },
    }
}

/// The standings as a table of Markdown.
pub fn table(standings: &[Standing]) -> String {
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
const NAMES: f64 = 190.0;
const WIDTH: f64 = 560.0;
const LINE: f64 = 22.0;
const MARGIN: f64 = 26.0;
/// The width that the axis is divided into, in Elo.
const TICK: f64 = 200.0;

/// The standings as a picture (SVG): a line for each player with his rating and its error bar. Legible on light and dark pages.
pub fn picture(title: &str, standings: &[Standing]) -> String {
    let ends = standings.iter().map(|standing| {
        let Rating { elo, error } = standing.rating;
        (elo - error, elo + error)
    });
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
        (low.min(end.0), high.max(end.1))
    });
    let low = (low / TICK).floor() * TICK;
    let high = ((high / TICK).ceil() * TICK).max(low + TICK);
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
        tick += TICK;
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
    use crate::record::GameResult;
    use crate::record::samples::{game, header};

    /// A tournament of the sample's two players, called so, with these results for White.
    fn tally(names: [&str; 2], results: &[GameResult]) -> Tally {
        let mut header = header();
        header.rounds = 1000;
        for (engine, name) in header.engines.iter_mut().zip(names) {
            name.clone_into(&mut engine.name);
        }
        let mut tally = Tally::new(&header);
        for (number, &result) in (1..).zip(results) {
            let mut game = game(number);
            game.turns[0].token = format!("{number}");
            game.result = result;
            tally.add(&game);
        }
        tally
    }

    #[test]
    fn tournaments_make_one_scale() {
        use GameResult::{Black, Draw, White};
        let mut scale = Scale::default();
        // The first player has White in the odd games.
        scale.add(&tally(["b", "a"], &[White, Black, Draw, Draw]));
        scale.add(&tally(["b", "c"], &[Black, White, Draw, Draw]));
        let anchors = [("a".to_owned(), 1000.0)];
        let standings = scale.standings(&anchors).unwrap();
        let names: Vec<_> = standings.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        assert!((standings[2].rating.elo - 1000.0).abs() < 1e-9);
        assert_eq!(standings[1].games, 8);
        assert_eq!(standings[1].below, Some(("a".to_owned(), 4, 0.75)));
        let table = table(&standings);
        assert!(
            table.ends_with("| a | 1000 | 0 | 4 | 25.0 % | | | |\n"),
            "{table}"
        );
        let picture = picture("a & b", &standings);
        assert!(picture.contains("a &amp; b") && picture.matches("<circle").count() == 3);
        let mut odd = standings;
        odd[0].name = "c|\n\0".to_owned();
        assert!(super::table(&odd).contains("| c\\|\\n\\0 |"));
        assert!(!super::picture("\0", &odd).contains('\0'));
        let nobody = scale.standings(&[("d".to_owned(), 0.0)]);
        assert_eq!(nobody, Err(ScaleError::Unknown("d".to_owned())));
    }
}
