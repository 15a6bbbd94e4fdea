//! Counting the games of a tournament.

use crate::plan::schedule::{ColorOrder, ScheduledGame};
use crate::record::{GameRecord, GameResult, Header, Termination};
use crate::stats::Counts;
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The games of one pairing, from the first player's point of view.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Score {
    /// All games.
    pub(super) all: Counts,
    /// The games that carry weight: those that are no repetition of another, and the pairs of such games.
    pub(super) distinct: Counts,
    /// Pairs of which one game is finished.
    open: BTreeMap<u64, Half>,
    /// Finished pairs with dice: the points and the luck per game.
    pub(super) luck: Vec<(f64, f64)>,
    /// Finished pairs with a doubling cube: what the first player won in both games, in points, per game.
    pub(super) stakes: Vec<f64>,
}

/// The finished game of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Half {
    /// The half points of the first player.
    points: u8,
    luck: Option<f64>,
    /// With a doubling cube, what the first player has won.
    won: Option<f64>,
    /// Whether the same game has been played before.
    is_repeated: bool,
}

impl Score {
    fn add(&mut self, pair: u64, game: Half) {
        self.all.add_game(game.points);
        if !game.is_repeated {
            self.distinct.add_game(game.points);
        }
        let Some(other) = self.open.remove(&pair) else {
            self.open.insert(pair, game);
            return;
        };
        self.all.add_pair(other.points, game.points);
        if other.is_repeated || game.is_repeated {
            return;
        }
        self.distinct.add_pair(other.points, game.points);
        if let (Some(a), Some(b)) = (other.luck, game.luck) {
            let points = f64::from(other.points + game.points) / 4.0;
            self.luck.push((points, f64::midpoint(a, b)));
        }
        if let (Some(a), Some(b)) = (other.won, game.won) {
            self.stakes.push(f64::midpoint(a, b));
        }
    }
}

/// All results of a tournament.
///
/// Players without randomness repeat games: from the same start, with the same seats, the same turns. Such games are
/// counted, but say nothing new: Elo with its bars, the likelihood of superiority and the sequential test are those of
/// the distinct games. Of a pair with a repeated game neither game carries weight there.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    pub(super) names: Vec<String>,
    pub(super) pairings: Vec<(usize, usize)>,
    colors: ColorOrder,
    pub(super) scores: BTreeMap<(usize, usize), Score>,
    pub(super) games: u64,
    /// What sets the counted games apart.
    distinct: HashSet<u64>,
    pub(super) forfeits: Vec<u64>,
}

impl Tally {
    /// No games yet.
    pub fn new(header: &Header) -> Self {
        let pairings = header.pairings.list(header.engines.len());
        Self {
            names: header
                .engines
                .iter()
                .map(|engine| printable(&engine.name))
                .collect(),
            scores: pairings
                .iter()
                .map(|&pairing| (pairing, Score::default()))
                .collect(),
            pairings,
            colors: header.colors(),
            games: 0,
            distinct: HashSet::new(),
            forfeits: vec![0; header.engines.len()],
        }
    }

    /// The games of a whole record.
    pub fn of(header: &Header, games: &[GameRecord]) -> Self {
        let mut tally = Self::new(header);
        for game in games {
            tally.add(game);
        }
        tally
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.count(&Counted::of(game));
    }

    /// Counts what matters of a game.
    pub fn count(&mut self, game: &Counted) {
        if game.game == 0 || self.pairings.is_empty() {
            return;
        }
        let plan = ScheduledGame::of(game.game, &self.pairings, self.colors);
        let pair = (game.game - 1) / 2;
        // That of the first player of the pairing.
        let color = if self.colors.first_is_white(game.game) {
            Color::White
        } else {
            Color::Black
        };
        let (first, second) = if color == Color::White {
            (plan.white, plan.black)
        } else {
            (plan.black, plan.white)
        };
        self.games += 1;
        if game.termination.is_forfeit() && game.result != GameResult::Draw {
            let loser = if game.result.half_points(Color::White) == 0 {
                plan.white
            } else {
                plan.black
            };
            self.forfeits[loser] += 1;
        }
        let luck = game
            .luck
            .map(|luck| if color == Color::White { luck } else { -luck });
        let half = Half {
            points: game.result.half_points(color),
            luck,
            won: game.stakes.map(|stakes| {
                let half_points = f64::from(game.result.half_points(color));
                f64::from(stakes) * (half_points - 1.0)
            }),
            is_repeated: !self.distinct.insert(game.fingerprint),
        };
        self.scores
            .entry((first, second))
            .or_default()
            .add(pair, half);
    }

    /// Whether a player has finished a game.
    pub fn has_played(&self, name: &str) -> bool {
        let name = printable(name);
        let played = |(&(first, second), score): (&(usize, usize), &Score)| {
            score.all.games() > 0 && (self.names[first] == name || self.names[second] == name)
        };
        self.scores.iter().any(played)
    }

    /// The points of a player, by its index, in all its games.
    pub fn points(&self, player: usize) -> f64 {
        self.total(player).0.points()
    }

    /// Finished games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Finished games that are no repetition of another.
    pub fn distinct_games(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// What a player has scored altogether: all games, and the distinct ones.
    pub(super) fn total(&self, player: usize) -> (Counts, Counts) {
        let mut total = (Counts::default(), Counts::default());
        for (&(first, second), score) in &self.scores {
            if first == player {
                total.0.add(&score.all);
                total.1.add(&score.distinct);
            } else if second == player {
                total.0.add(&score.all.reversed());
                total.1.add(&score.distinct.reversed());
            }
        }
        total
    }

    /// The first player's score against the second, in all games and in the distinct ones; `None` with more than two players.
    pub fn duel(&self) -> Option<[&Counts; 2]> {
        let Score { all, distinct, .. } = self.only()?;
        Some([all, distinct])
    }

    /// The score of the only pairing; `None` with more than two players.
    pub(super) fn only(&self) -> Option<&Score> {
        match self.pairings.as_slice() {
            [pairing] => Some(&self.scores[pairing]),
            _ => None,
        }
    }
}

/// What matters of a game when it is counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// Its number.
    pub game: u64,
    result: GameResult,
    termination: Termination,
    luck: Option<f64>,
    stakes: Option<u32>,
    pub(super) fingerprint: u64,
}

impl Counted {
    /// What matters of a recorded game.
    pub fn of(game: &GameRecord) -> Self {
        Self {
            game: game.game,
            result: game.result,
            termination: game.termination,
            luck: game.luck,
            stakes: game.stakes,
            fingerprint: fingerprint_of(game),
        }
    }
}

/// What sets a recorded game apart from others.
pub fn fingerprint_of(game: &GameRecord) -> u64 {
    let turns = game.turns.iter();
    fingerprint(
        [&game.white, &game.black],
        &game.start,
        turns.map(|turn| (turn.roll.as_deref(), turn.token.as_str())),
    )
}

/// What sets a game apart from others: its seats, White's first, its start, its rolls and its turns.
pub fn fingerprint<'a>(
    seats: [&str; 2],
    start: &str,
    turns: impl Iterator<Item = (Option<&'a str>, &'a str)>,
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seats, start).hash(&mut hasher);
    for turn in turns {
        turn.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{game, header};
    use crate::report::sequence::Sequence;
    use crate::stats::{Model, Sprt};

    /// A game with a turn of its own.
    fn played(number: u64, token: &str, result: GameResult) -> GameRecord {
        let mut game = game(number);
        token.clone_into(&mut game.turns[0].token);
        game.result = result;
        game
    }

    #[test]
    fn a_pair_with_a_repeated_game_carries_no_weight() {
        let header = Header {
            rounds: 1000,
            sprt: Some(Sprt {
                elo0: 0.0,
                elo1: 50.0,
                alpha: 0.05,
                beta: 0.05,
                model: Model::default(),
            }),
            ..header()
        };
        let mut tally = Tally::new(&header);
        tally.add(&played(1, "e2e4", GameResult::White));
        // The same turns from the other seats are another game.
        tally.add(&played(2, "e2e4", GameResult::Black));
        let once = tally.only().unwrap().distinct;
        assert_eq!((once.games(), once.pair_count()), (2, 1));
        for pair in 2..=1000 {
            tally.add(&played(2 * pair - 1, "e2e4", GameResult::White));
            tally.add(&played(2 * pair, "e2e4", GameResult::Black));
        }
        assert_eq!(tally.only().unwrap().distinct, once);
        assert_eq!(tally.only().unwrap().all.pairs, [0, 0, 0, 0, 1000]);
        assert_eq!(tally.games(), 2000);
        assert_eq!(tally.distinct_games(), 2);
        let test = header.sprt.as_ref().unwrap();
        assert_eq!(test.verdict(&once), None, "they prove nothing");
        // Half a repetition: the new game is counted, but its pair is none of two new games.
        tally.add(&played(2001, "e2e4", GameResult::White));
        tally.add(&played(2002, "d2d4", GameResult::Draw));
        let half = tally.only().unwrap().distinct;
        assert_eq!((half.games(), half.pairs), (3, once.pairs));
        let report = tally.report(&header, &Sequence::new(&header));
        assert!(
            report.contains("Distinct games: 3; the other 1999 repeat them"),
            "{report}"
        );
        assert!(
            report.contains("Elo and LOS are of 1 of 1001 pairs"),
            "{report}"
        );
    }
}
