//! The games of many files, each of them once. What is counted does not depend on how the games are shared out among the files, or
//! on the order of these.

use crate::record::{GameRecord, GameResult, Header};
use crate::report::luck::Adjusted;
use crate::report::scale::Scale;
use crate::report::tally::{Counted, Score, Tally};
use crate::stats::ratings::HeadToHead;
use crate::stats::{Counts, Z95};
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The games of several tournaments of one game, and games without a tournament; players of one name are one player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Collected {
    names: Vec<String>,
    /// By what sets each apart, whatever share of it is in a file.
    tournaments: BTreeMap<String, Tournament>,
    others: Vec<Other>,
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

/// The games of a tournament.
#[derive(Clone, PartialEq, Debug)]
struct Tournament {
    header: Header,
    /// By the number of the pair: its games, as far as they are there, from each file.
    pairs: BTreeMap<u64, Vec<Pair>>,
}

/// Both games of a pair, in the order of their numbers.
type Pair = [Option<Counted>; 2];

/// What matters of a game without a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Other {
    /// The players, by number, in ascending order.
    players: [usize; 2],
    /// Whether the first of them has White.
    is_white: bool,
    /// The half points of the first of them.
    points: u8,
    /// The same for both games of a pair.
    pair: u64,
    fingerprint: Option<u64>,
}

impl Collected {
    /// Adds what a file has of a tournament.
    pub fn add(&mut self, header: &Header, games: impl IntoIterator<Item = GameRecord>) {
        for engine in &header.engines {
            self.number(&printable(&engine.name));
        }
        let mut own: BTreeMap<u64, Pair> = BTreeMap::new();
        for game in games {
            if let Some(number) = game.game.checked_sub(1) {
                let place = usize::from(number % 2 == 1);
                own.entry(number / 2).or_default()[place] = Some(Counted::of(&game));
            }
        }
        let tournament = self.tournaments.entry(header.fingerprint());
        let tournament = tournament.or_insert_with(|| Tournament {
            header: header.clone(),
            pairs: BTreeMap::new(),
        });
        for (number, pair) in own {
            tournament.pairs.entry(number).or_default().push(pair);
        }
    }

    /// Adds games that belong to no tournament. Games of one round from one position with the colours exchanged are a pair.
    pub fn add_games(&mut self, games: impl IntoIterator<Item = Played>) {
        for game in games {
            let names = game.players.each_ref();
            let [white, black] = names.map(|name| self.number(&printable(name)));
            let is_white = white < black;
            let color = if is_white { Color::White } else { Color::Black };
            let mut pair = DefaultHasher::new();
            game.pair.hash(&mut pair);
            self.others.push(Other {
                players: [white.min(black), white.max(black)],
                is_white,
                points: game.result.half_points(color),
                pair: pair.finish(),
                fingerprint: game.fingerprint,
            });
        }
    }

    fn number(&mut self, name: &str) -> usize {
        find(&self.names, name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// All players on one scale.
    pub fn scale(&self) -> Scale {
        let mut results: BTreeMap<[usize; 2], Results> = BTreeMap::new();
        // What sets the counted games apart.
        let mut seen = HashSet::new();
        let mut repeated = 0;
        // What has a tournament is known best, and comes first.
        for tournament in self.tournaments.values() {
            let given = tournament.pairs.values().flatten().flatten().flatten();
            repeated += given.count() as u64;
            for run in tournament.runs() {
                let mut tally = Tally::new(&tournament.header);
                for game in &run {
                    if !seen.contains(&game.fingerprint) {
                        tally.count(game);
                    }
                }
                seen.extend(run.iter().map(|game| game.fingerprint));
                repeated -= tally.distinct_games();
                self.take(&tally, tournament.header.luck, &mut results);
            }
        }
        // The half points of the first player of an unfinished pair, and whether it had White.
        let mut open: HashMap<([usize; 2], u64), (u8, bool)> = HashMap::new();
        for game in &self.others {
            if game.fingerprint.is_some_and(|game| !seen.insert(game)) {
                repeated += 1;
                continue;
            }
            let counts = &mut results.entry(game.players).or_default().plain;
            counts.add_game(game.points);
            let key = (game.players, game.pair);
            match open.remove(&key) {
                Some((other, was_white)) if was_white != game.is_white => {
                    counts.add_pair(other, game.points);
                }
                _ => {
                    open.insert(key, (game.points, game.is_white));
                }
            }
        }
        let mut meetings: Vec<HeadToHead> = (results.iter())
            .map(|(&players, results)| results.meeting(players))
            .filter(|meeting| meeting.games > 0.0)
            .collect();
        // A player of a tournament that has not played yet is on no scale.
        let played: BTreeSet<usize> = meetings.iter().flat_map(|one| one.players).collect();
        let number = |player: usize| played.range(..player).count();
        for meeting in &mut meetings {
            meeting.players = meeting.players.map(number);
        }
        // A game of a player against itself says nothing.
        meetings.retain(|meeting| meeting.players[0] != meeting.players[1]);
        let names = played.iter().map(|&player| self.names[player].clone());
        Scale::new(names.collect(), meetings, repeated)
    }

    /// Takes over the scores of a tournament.
    fn take(&self, tally: &Tally, has_luck: bool, results: &mut BTreeMap<[usize; 2], Results>) {
        for (&(first, second), score) in &tally.scores {
            let players = [first, second].map(|player| find(&self.names, &tally.names[player]));
            // All of them have been added with their tournament.
            let [Some(first), Some(second)] = players else {
                continue;
            };
            let results = results.entry([first.min(second), first.max(second)]);
            results.or_default().add(score, second < first, has_luck);
        }
    }
}

fn find(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}

impl Tournament {
    /// The games without those that are in several files, each run of which has a number once: the same tournament may have been played
    /// several times, with other turns.
    fn runs(&self) -> Vec<Vec<Counted>> {
        let mut runs: Vec<Vec<Counted>> = Vec::new();
        for files in self.pairs.values() {
            for (place, pair) in distinct(files).into_iter().enumerate() {
                if place == runs.len() {
                    runs.push(Vec::new());
                }
                runs[place].extend(pair.into_iter().flatten());
            }
        }
        runs
    }
}

/// The different games of a pair: those that were played as a pair stay one, and others make one where they can.
fn distinct(files: &[Pair]) -> Vec<Pair> {
    if let [pair] = files {
        return vec![*pair];
    }
    let of = |game: Option<Counted>| game.map(|game| game.fingerprint);
    let (mut pairs, halves): (Vec<Pair>, Vec<Pair>) =
        (files.iter()).partition(|pair| pair.iter().all(Option::is_some));
    pairs.sort_unstable_by_key(|pair| pair.map(of));
    pairs.dedup_by_key(|pair| pair.map(of));
    let single = |place: usize| {
        let games = halves.iter().filter_map(|pair| pair[place]);
        let is_new = |game: &Counted| pairs.iter().all(|pair| of(pair[place]) != of(Some(*game)));
        let mut games: Vec<Counted> = games.filter(is_new).collect();
        games.sort_unstable_by_key(|game| game.fingerprint);
        games.dedup_by_key(|game| game.fingerprint);
        games
    };
    let [first, second] = [single(0), single(1)];
    let singles = 0..first.len().max(second.len());
    pairs.extend(singles.map(|place| [first.get(place).copied(), second.get(place).copied()]));
    pairs
}

/// What two players have scored against each other, from the point of view of the one with the lower number.
#[derive(Clone, PartialEq, Debug, Default)]
struct Results {
    /// The games in which no luck was computed.
    plain: Counts,
    /// The others.
    lucky: Counts,
    /// The points and the luck per game of their pairs.
    luck: Vec<(f64, f64)>,
}

impl Results {
    fn add(&mut self, score: &Score, is_reversed: bool, has_luck: bool) {
        let counts = if is_reversed {
            score.distinct.reversed()
        } else {
            score.distinct
        };
        if !has_luck {
            self.plain.add(&counts);
            return;
        }
        self.lucky.add(&counts);
        let own = |&(points, luck): &(f64, f64)| {
            if is_reversed {
                (1.0 - points, -luck)
            } else {
                (points, luck)
            }
        };
        self.luck.extend(score.luck.iter().map(own));
    }

    /// The distinct games, less the luck of the dice.
    fn meeting(&self, players: [usize; 2]) -> HeadToHead {
        let mut all = self.plain.meeting(players);
        all.join(&self.without_luck(players));
        all
    }

    fn without_luck(&self, players: [usize; 2]) -> HeadToHead {
        let counted = self.lucky.meeting(players);
        let Some(adjusted) = Adjusted::of(&self.luck) else {
            return counted;
        };
        let (games, pairs) = (counted.games, self.luck.len() as f64);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::scale::tests::tournament;
    use crate::report::tally::fingerprint_of;
    use GameResult::{Black, Draw, White};

    #[test]
    fn a_game_in_several_files_counts_once() {
        let (header, games) = tournament(["a", "b"], &[White, Black, Draw, White]);
        let mut once = Collected::default();
        once.add(&header, games.clone());
        let mut shards = Collected::default();
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
        let mut bare = Collected::default();
        bare.add_games(played.clone());
        shards.add_games(played);
        assert_eq!(shards.scale().repeated(), 8);
        let standings = once.scale().standings(&[], false).unwrap();
        assert_eq!(standings[0].games, 4);
        for other in [shards, bare] {
            let other = other.scale().standings(&[], false).unwrap();
            assert_eq!(other.len(), 2);
            for (one, other) in standings.iter().zip(other) {
                assert_eq!((&one.name, one.games), (&other.name, other.games));
                assert!((one.rating.elo - other.rating.elo).abs() < 1e-9);
                assert!((one.rating.error - other.rating.error).abs() < 1e-6);
            }
        }
    }

    /// The games of a tournament with dice, whose luck is part of the points.
    fn dice(pairs: u64) -> (Header, Vec<GameRecord>) {
        let mut results = Vec::new();
        for pair in 0..pairs {
            results.push([White, Black, White][(pair % 3) as usize]);
            results.push([Black, Draw, White, Black][(pair % 4) as usize]);
        }
        let (mut header, mut games) = tournament(["a", "b"], &results);
        header.luck = true;
        for game in &mut games {
            let noise = (game.game * 7 % 11) as f64 / 40.0 - 0.125;
            game.luck = Some(f64::from(game.result.half_points(Color::White)) / 4.0 - 0.25 + noise);
        }
        (header, games)
    }

    /// However a tournament is shared out among files, and in whatever order these come, the scale is that of one file.
    #[test]
    fn files_change_no_rating() {
        for (header, games) in [dice(32), {
            let (header, games) = dice(32);
            let header = Header {
                luck: false,
                ..header
            };
            (header, games)
        }] {
            let mut whole = Collected::default();
            whole.add(&header, games.clone());
            let whole = whole.scale();
            let shards: Vec<Vec<GameRecord>> = games.chunks(2).map(<[_]>::to_vec).collect();
            let first: Vec<GameRecord> = games.iter().step_by(2).cloned().collect();
            let second: Vec<GameRecord> = games.iter().skip(1).step_by(2).cloned().collect();
            for files in [
                shards,
                vec![games.clone(), first.clone()],
                vec![first.clone(), games.clone()],
                vec![second, first],
            ] {
                let mut parts = Collected::default();
                let given: usize = files.iter().map(Vec::len).sum();
                for file in files {
                    parts.add(&header, file);
                }
                let parts = parts.scale();
                assert_eq!(parts.repeated(), (given - games.len()) as u64);
                let [whole, parts] = [&whole, &parts].map(|scale| scale.standings(&[], false));
                assert_eq!(whole, parts);
            }
        }
    }

    #[test]
    fn players_without_a_game_and_repetitions_within_a_run_are_no_matter() {
        let (mut header, games) = tournament(["a", "b"], &[White, Black, White, Black]);
        header.engines.push(header.engines[0].clone());
        header.engines[2].name = "idle".to_owned();
        let mut collected = Collected::default();
        collected.add(&header, []);
        assert_eq!(collected.scale().standings(&[], false), Ok(Vec::new()));
        // Games 3 to 6 are those of the idle player. The third of the others repeats the first one turn by turn.
        let mut repeating = games;
        (repeating[2].game, repeating[3].game) = (7, 8);
        repeating[2].turns = repeating[0].turns.clone();
        collected.add(&header, repeating);
        let scale = collected.scale();
        let standings = scale.standings(&[], false).expect("one scale");
        let players: Vec<_> = standings
            .iter()
            .map(|one| (&*one.name, one.games))
            .collect();
        assert_eq!((players.len(), scale.repeated()), (2, 1), "{players:?}");
        assert!(
            players
                .iter()
                .all(|&(name, games)| name != "idle" && games == 3)
        );
    }

    /// Another run of the same tournament has other games, whose pairs are their own.
    #[test]
    fn a_second_run_of_a_tournament_counts() {
        let (header, games) = tournament(["a", "b"], &[White, Black, Draw, White]);
        let (_, mut others) = tournament(["a", "b"], &[White, White, Black, Draw]);
        for game in &mut others {
            game.turns[0].token.push('x');
        }
        let mut both = Collected::default();
        both.add(&header, others.clone());
        both.add(&header, games.clone());
        both.add(&header, games[1..2].to_vec());
        let mut apart = Collected::default();
        apart.add(&header, games);
        let other = Header { seed: 9, ..header };
        apart.add(&other, others);
        let [both, apart] = [both, apart].map(|all| all.scale());
        assert_eq!((both.repeated(), apart.repeated()), (1, 0));
        let [both, apart] = [both, apart].map(|scale| scale.standings(&[], false).unwrap());
        assert_eq!(both[0].games, 8);
        assert!((both[0].rating.error - apart[0].rating.error).abs() < 1e-9);
    }
}
