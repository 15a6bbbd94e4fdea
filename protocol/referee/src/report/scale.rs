//! The players of many tournaments on one scale.

use crate::stats::ratings::{HeadToHead, Rating, RatingError, levels, rate, rate_against};
use fauve_engine::rules::printable;

/// Players on one scale: what all of them have scored against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Scale {
    names: Vec<String>,
    meetings: Vec<HeadToHead>,
    /// Games that were left out because they repeat one that is counted.
    repeated: u64,
}

/// What makes no scale.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScaleError {
    /// An anchor that has played nowhere.
    #[error("nobody is called {0}")]
    Unknown(String),
    /// An anchor with two values.
    #[error("--anchor {0} is given twice")]
    Twice(String),
    /// A player who is on no scale with the others.
    #[error(
        "no games connect {0} with {1}: they are not on one scale; rate them apart, or add games that connect them"
    )]
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
    /// The scale of these players, by number, from what they have scored against each other.
    pub(super) fn new(names: Vec<String>, meetings: Vec<HeadToHead>, repeated: u64) -> Self {
        Self {
            names,
            meetings,
            repeated,
        }
    }

    /// The games that were left out because they repeat one that is counted.
    pub const fn repeated(&self) -> u64 {
        self.repeated
    }

    /// A sentence about each group of players whose distance from the others no result bounds: they have won all
    /// points from those below, and lost all to those above.
    pub fn unbounded(&self) -> Vec<String> {
        let levels = levels(self.names.len(), &self.meetings);
        let count = levels.iter().max().map_or(0, |most| most + 1);
        if count < 2 {
            return Vec::new();
        }
        let sentence = |level: usize| {
            let is_in = |player: usize| levels[player] == level;
            let (mut won, mut lost) = (false, false);
            for meeting in &self.meetings {
                let [a, b] = meeting.players;
                let points = match (is_in(a), is_in(b)) {
                    (true, false) => meeting.points,
                    (false, true) => meeting.games - meeting.points,
                    _ => continue,
                };
                won |= points > 0.0;
                lost |= points < meeting.games;
            }
            let names: Vec<&str> = (0..self.names.len())
                .filter(|&player| is_in(player))
                .map(|player| self.names[player].as_str())
                .collect();
            let (verb, others) = if names.len() == 1 {
                ("has", "")
            } else {
                ("have", " against all others")
            };
            let what = match (won, lost) {
                (true, false) => "won every game",
                (false, true) => "lost every game",
                _ => "either won or lost every game",
            };
            let names = names.join(", ");
            format!(
                "{names} {verb} {what}{others}: the results set no limit to that distance, and the ratings are cautious guesses"
            )
        };
        // The largest group is what the others are far from.
        let size = |level: usize| levels.iter().filter(|&&own| own == level).count();
        let largest = (0..count).max_by_key(|&level| (size(level), usize::MAX - level));
        (0..count)
            .filter(|&level| Some(level) != largest)
            .map(sentence)
            .collect()
    }

    /// The players by their ratings, the best first. The anchors are players whose Elo is known: each keeps it if they are fixed, else their
    /// mean does.
    ///
    /// # Errors
    /// An anchor that there is not, or is named twice, or players that nothing connects.
    pub fn standings(
        &self,
        anchors: &[(String, f64)],
        are_fixed: bool,
    ) -> Result<Vec<Standing>, ScaleError> {
        let find = |(name, elo): &(String, f64)| {
            // As the names of files are kept, which the table shows.
            let name = printable(name);
            let number = self.names.iter().position(|known| *known == name);
            Ok((number.ok_or(ScaleError::Unknown(name))?, *elo))
        };
        let anchors = anchors.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let mut numbers: Vec<usize> = anchors.iter().map(|&(number, _)| number).collect();
        numbers.sort_unstable();
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ScaleError::Twice(self.names[pair[0]].clone()));
        }
        let rate = if are_fixed { rate_against } else { rate };
        let ratings = rate(self.names.len(), &self.meetings, &anchors).map_err(
            |RatingError::Apart(player)| {
                ScaleError::Apart(self.names[player].clone(), self.names[0].clone())
            },
        )?;
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
        for meeting in &self.meetings {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::samples::{game, header};
    use crate::record::{GameRecord, GameResult, Header};
    use crate::report::collected::Collected;

    /// A tournament of these two players with these results for White.
    pub fn tournament(names: [&str; 2], results: &[GameResult]) -> (Header, Vec<GameRecord>) {
        let mut header = header();
        header.rounds = 1000;
        for (engine, name) in header.engines.iter_mut().zip(names) {
            name.clone_into(&mut engine.name);
        }
        let of = |(number, &result)| {
            let mut game: GameRecord = game(number);
            game.turns[0].token = format!("{number}");
            game.result = result;
            let [first, second] = names.map(str::to_owned);
            (game.white, game.black) = if number % 2 == 1 {
                (first, second)
            } else {
                (second, first)
            };
            game
        };
        (header, (1..).zip(results).map(of).collect())
    }

    fn add(collected: &mut Collected, names: [&str; 2], results: &[GameResult]) {
        let (header, games) = tournament(names, results);
        collected.add(&header, games);
    }

    #[test]
    fn tournaments_make_one_scale() {
        use GameResult::{Black, Draw, White};
        let mut all = Collected::default();
        // The first player has White in the odd games.
        add(&mut all, ["b", "a"], &[White, Black, Draw, Draw]);
        add(&mut all, ["b", "c"], &[Black, White, Draw, Draw]);
        let anchors = [("a".to_owned(), 1000.0)];
        let scale = all.scale();
        let standings = scale.standings(&anchors, false).unwrap();
        let names: Vec<_> = standings.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        assert!((standings[2].rating.elo - 1000.0).abs() < 1e-9);
        assert_eq!(standings[1].games, 8);
        assert_eq!(standings[1].below, Some(("a".to_owned(), 4, 0.75)));
        let nobody = scale.standings(&[("d".to_owned(), 0.0)], false);
        assert_eq!(nobody, Err(ScaleError::Unknown("d".to_owned())));
    }

    #[test]
    fn anchors_are_found_whatever_is_in_their_names() {
        let name = r#"the "\" program"#;
        let mut all = Collected::default();
        add(&mut all, [name, "b"], &[GameResult::Draw; 2]);
        let scale = all.scale();
        let anchor = (name.to_owned(), 1000.0);
        let standings = scale
            .standings(std::slice::from_ref(&anchor), true)
            .unwrap();
        assert!(
            standings
                .iter()
                .all(|one| (one.rating.elo - 1000.0).abs() < 1e-6)
        );
        let twice = scale.standings(&[anchor.clone(), anchor], true);
        assert_eq!(twice, Err(ScaleError::Twice(printable(name))));
    }

    #[test]
    fn results_that_set_no_limit_are_named_and_players_apart_refused() {
        use GameResult::{Black, Draw, White};
        let mut all = Collected::default();
        add(&mut all, ["a", "b"], &[White, White, Draw, Draw]);
        assert_eq!(all.scale().unbounded(), [""; 0]);
        add(&mut all, ["a", "c"], &[White, Black, White, Black]);
        let scale = all.scale();
        let said = scale.unbounded();
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("c has lost every game: "), "{said:?}");
        assert!(
            scale.standings(&[], false).unwrap()[2]
                .rating
                .elo
                .is_finite()
        );
        add(&mut all, ["x", "y"], &[Draw, Draw]);
        let error = all.scale().standings(&[], false).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("no games connect x with a: "), "{text}");
    }
}
