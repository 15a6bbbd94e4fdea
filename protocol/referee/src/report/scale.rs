//! The players of many tournaments on one scale.

use crate::record::{GameRecord, GameResult, Header};
use crate::report::luck::Adjusted;
use crate::report::tally::fingerprint_of;
use crate::report::tally::{Score, Tally};
use crate::stats::ratings::{HeadToHead, Rating, RatingError, levels, rate, rate_against};
use crate::stats::{Counts, Z95};
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The results of several tournaments of one game; players of one name are one player, and a game that is in several files
/// counts once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scale {
    names: Vec<String>,
    meetings: BTreeMap<(usize, usize), HeadToHead>,
    /// What sets the counted games apart.
    seen: HashSet<u64>,
    /// Games that were left out because they repeat one that is counted.
    repeated: u64,
}

/// A game that was read from a file without a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// White's name, and Black's.
    pub players: [String; 2],
    /// The result.
    pub result: GameResult,
    /// What both games of a pair have in common: the round, and where they begin.
    pub pair: String,
    /// What sets it apart from others; nothing where only its result is known.
    pub fingerprint: Option<u64>,
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
    /// Adds a tournament's games, as far as they neither repeat one another nor are in what was added before.
    pub fn add(&mut self, header: &Header, games: impl IntoIterator<Item = GameRecord>) {
        let mut tally = Tally::new(header);
        let mut own = HashSet::new();
        for game in games {
            let fingerprint = fingerprint_of(&game);
            if self.seen.contains(&fingerprint) {
                self.repeated += 1;
            } else {
                own.insert(fingerprint);
                tally.add(&game);
            }
        }
        self.seen.extend(own);
        self.add_tally(&tally);
    }

    fn add_tally(&mut self, tally: &Tally) {
        for (&(first, second), score) in &tally.scores {
            let players = [first, second].map(|player| self.number(&tally.names[player]));
            self.add_meeting(meeting(players, score));
        }
    }

    /// Adds games that belong to no tournament, as far as they neither repeat one another nor are in what was added before.
    /// Games of one round from one position with the colours exchanged are a pair.
    pub fn add_games(&mut self, games: impl IntoIterator<Item = Played>) {
        let mut counts: BTreeMap<[usize; 2], Counts> = BTreeMap::new();
        // The half points of the player with the lower number, and whether it had White.
        let mut open: HashMap<([usize; 2], String), (u8, bool)> = HashMap::new();
        for game in games {
            if let Some(fingerprint) = game.fingerprint
                && !self.seen.insert(fingerprint)
            {
                self.repeated += 1;
                continue;
            }
            let [white, black] = game
                .players
                .each_ref()
                .map(|name| self.number(&printable(name)));
            let pairing = [white.min(black), white.max(black)];
            let is_white = white < black;
            let color = if is_white { Color::White } else { Color::Black };
            let points = game.result.half_points(color);
            let counts = counts.entry(pairing).or_default();
            counts.add_game(points);
            let key = (pairing, game.pair);
            match open.remove(&key) {
                Some((other, was_white)) if was_white != is_white => counts.add_pair(other, points),
                _ => {
                    open.insert(key, (points, is_white));
                }
            }
        }
        for (pairing, counts) in counts {
            // A game of a player against itself says nothing.
            if pairing[0] != pairing[1] {
                self.add_meeting(counts.meeting(pairing));
            }
        }
    }

    /// The games that were left out because they repeat one that is counted.
    pub const fn repeated(&self) -> u64 {
        self.repeated
    }

    /// A sentence about each group of players whose distance from the others no result bounds: they have won all
    /// points from those below, and lost all to those above.
    pub fn unbounded(&self) -> Vec<String> {
        let meetings: Vec<HeadToHead> = self.meetings.values().copied().collect();
        let levels = levels(self.names.len(), &meetings);
        let count = levels.iter().max().map_or(0, |most| most + 1);
        if count < 2 {
            return Vec::new();
        }
        let sentence = |level: usize| {
            let is_in = |player: usize| levels[player] == level;
            let (mut won, mut lost) = (false, false);
            for meeting in &meetings {
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

    fn add_meeting(&mut self, meeting: HeadToHead) {
        let [a, b] = meeting.players;
        let meeting = if a < b { meeting } else { meeting.reversed() };
        self.meetings
            .entry((a.min(b), a.max(b)))
            .and_modify(|sum| sum.join(&meeting))
            .or_insert(meeting);
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
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
        let mut names: Vec<&String> = anchors.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ScaleError::Twice(pair[0].clone()));
        }
        let find = |(name, elo): &(String, f64)| {
            let number = self.names.iter().position(|known| known == name);
            let number = number.ok_or_else(|| ScaleError::Unknown(name.clone()))?;
            Ok((number, *elo))
        };
        let anchors = anchors.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let meetings: Vec<HeadToHead> = self.meetings.values().copied().collect();
        let rate = if are_fixed { rate_against } else { rate };
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
fn meeting(players: [usize; 2], score: &Score) -> HeadToHead {
    let counted = score.distinct.meeting(players);
    let Some(adjusted) = Adjusted::of(&score.luck) else {
        return counted;
    };
    let (games, pairs) = (counted.games, score.luck.len() as f64);
    let per_pair = games / pairs;
    HeadToHead {
        points: adjusted.mean.clamp(0.0, 1.0) * games,
        observations: pairs,
        squares: per_pair * games,
        // The bar is that of the mean of the pairs.
        scatter: (adjusted.error / Z95 * per_pair * pairs).powi(2),
        ..counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{game, header};

    /// A tournament of these two players with these results for White.
    fn tournament(names: [&str; 2], results: &[GameResult]) -> (Header, Vec<GameRecord>) {
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

    fn add(scale: &mut Scale, names: [&str; 2], results: &[GameResult]) {
        let (header, games) = tournament(names, results);
        scale.add(&header, games);
    }

    #[test]
    fn tournaments_make_one_scale() {
        use GameResult::{Black, Draw, White};
        let mut scale = Scale::default();
        // The first player has White in the odd games.
        add(&mut scale, ["b", "a"], &[White, Black, Draw, Draw]);
        add(&mut scale, ["b", "c"], &[Black, White, Draw, Draw]);
        let anchors = [("a".to_owned(), 1000.0)];
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
    fn a_game_in_several_files_counts_once() {
        use GameResult::{Black, Draw, White};
        let (header, games) = tournament(["a", "b"], &[White, Black, Draw, White]);
        let mut once = Scale::default();
        once.add(&header, games.clone());
        let mut shards = Scale::default();
        for part in games.chunks(2) {
            shards.add(&header, part.to_vec());
        }
        // The whole record again, and the same games from a file without a tournament.
        shards.add(&header, games.clone());
        let played = games.iter().map(|game| Played {
            players: [game.white.clone(), game.black.clone()],
            result: game.result,
            pair: game.game.div_ceil(2).to_string(),
            fingerprint: Some(fingerprint_of(game)),
        });
        let mut bare = Scale::default();
        bare.add_games(played.clone());
        shards.add_games(played);
        assert_eq!(shards.repeated(), 8);
        let standings = once.standings(&[], false).unwrap();
        assert_eq!(standings[0].games, 4);
        for other in [shards, bare] {
            let other = other.standings(&[], false).unwrap();
            assert_eq!(other.len(), 2);
            for (one, other) in standings.iter().zip(other) {
                assert_eq!((&one.name, one.games), (&other.name, other.games));
                assert!((one.rating.elo - other.rating.elo).abs() < 1e-9);
                assert!((one.rating.error - other.rating.error).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn results_that_set_no_limit_are_named_and_players_apart_refused() {
        use GameResult::{Black, Draw, White};
        let mut scale = Scale::default();
        add(&mut scale, ["a", "b"], &[White, White, Draw, Draw]);
        assert_eq!(scale.unbounded(), [""; 0]);
        add(&mut scale, ["a", "c"], &[White, Black, White, Black]);
        let said = scale.unbounded();
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("c has lost every game: "), "{said:?}");
        assert!(
            scale.standings(&[], false).unwrap()[2]
                .rating
                .elo
                .is_finite()
        );
        add(&mut scale, ["x", "y"], &[Draw, Draw]);
        let text = scale.standings(&[], false).unwrap_err().to_string();
        assert!(text.starts_with("no games connect x with a: "), "{text}");
    }
}
