//! The games of a followed match that are being played: listed while they last, and watched turn by turn.

use crate::import::of_pgn;
use crate::lock::locked;
use crate::play::PlayError;
use crate::session::{GameSession, GameState};
use crate::wire::NewGame;
use fauve_engine::rules::printable;
use fauve_engine::with_game;
use fauve_game::end::End;
use fauve_game::names;
use fauve_referee::matches::live::HEARTBEAT;
use fauve_referee::record::live::{LiveGame, live_path, read_live};
use fauve_referee::record::{GameRecord, Header, TurnRecord};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant, SystemTime};

/// How long the file of the games may stay as it is until the match counts as stopped.
const SILENCE: Duration = Duration::from_secs(5 * HEARTBEAT.as_secs());
/// The longest file that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// What is said of a game that stays unfinished.
const STOPPED: &str = "The match was stopped before this game was over.";

/// The file of the games that are being played.
pub(crate) struct LiveWatcher {
    record: PathBuf,
    read: Mutex<Read>,
    /// Those that are watched, by their numbers.
    sessions: Mutex<Vec<(u64, Weak<GameSession>)>>,
}

struct Read {
    stamp: Option<(u64, Option<SystemTime>)>,
    /// When it was last found to have changed, and could be read.
    changed: Instant,
    games: Vec<LiveGame>,
    shown: Arc<str>,
    version: u64,
}

/// A game as it is listed.
#[derive(Serialize)]
struct Listed {
    game: u64,
    white: String,
    black: String,
    turns: usize,
}

impl LiveWatcher {
    /// The games that are played for a record.
    pub(crate) fn new(record: &Path) -> Self {
        Self {
            record: record.to_owned(),
            read: Mutex::new(Read {
                stamp: None,
                changed: Instant::now(),
                games: Vec::new(),
                shown: "[]".into(),
                version: 0,
            }),
            sessions: Mutex::default(),
        }
    }

    fn read(&self) -> MutexGuard<'_, Read> {
        locked(&self.read)
    }

    /// Looks at the file; gives the list of the games and its version. Those that the record has are over.
    pub(crate) fn refresh(&self, is_recorded: impl Fn(u64) -> bool) -> (Arc<str>, u64) {
        let mut read = self.read();
        let path = live_path(&self.record);
        let stamp = path.as_ref().and_then(|path| {
            let data = path.metadata().ok()?;
            Some((data.len(), data.modified().ok()))
        });
        if stamp != read.stamp {
            read.stamp = stamp;
            let is_short = stamp.is_some_and(|(length, _)| length <= LONGEST);
            let games = path.filter(|_| is_short).map(|path| read_live(&path));
            match games {
                Some(Ok(games)) => (read.games, read.changed) = (games, Instant::now()),
                // Replaced just now: the next look reads it. What stays so counts as silent.
                Some(Err(_)) => read.stamp = None,
                None => (read.games, read.changed) = (Vec::new(), Instant::now()),
            }
        }
        if read.changed.elapsed() >= SILENCE {
            read.games.clear();
        }
        read.games.retain(|game| !is_recorded(game.game));
        let listed = read.games.iter().map(|game| Listed {
            game: game.game,
            white: printable(&game.white),
            black: printable(&game.black),
            turns: game.turns.len(),
        });
        let shown = serde_json::to_string(&listed.collect::<Vec<_>>()).expect("numbers and text");
        if *shown != *read.shown {
            read.shown = shown.into();
            read.version += 1;
        }
        (Arc::clone(&read.shown), read.version)
    }

    /// A game to be looked at, as far as it has come.
    pub(crate) fn game(&self, header: &Header, number: u64) -> Option<NewGame> {
        let read = self.read();
        let game = read.games.iter().find(|game| game.game == number)?;
        let variant = names::variant(&header.variant).ok()?;
        let rules = header.rule_settings().ok()?;
        let pgn = with_game!(variant, G => game.pgn::<G>(header, &rules.options()));
        Some(of_pgn(pgn, variant.name()))
    }

    /// From now on a served game gets the turns of the game of this number.
    pub(crate) fn watch(&self, number: u64, session: &Arc<GameSession>) {
        session.lock().is_live = true;
        self.sessions().push((number, Arc::downgrade(session)));
    }

    fn sessions(&self) -> MutexGuard<'_, Vec<(u64, Weak<GameSession>)>> {
        locked(&self.sessions)
    }

    /// Whether a game is watched.
    pub(crate) fn is_watched(&self) -> bool {
        !self.sessions().is_empty()
    }

    /// Gives the games that are watched the turns that were made; `record` knows those that are over.
    pub(crate) fn feed(&self, record: impl Fn(u64) -> Option<GameRecord>) {
        let watched: Vec<_> = self.sessions().clone();
        let goes_on = |(number, session): &(u64, Weak<GameSession>)| {
            session
                .upgrade()
                .is_some_and(|session| self.feed_one(*number, &session, record(*number)))
        };
        let over: Vec<_> = watched.iter().filter(|one| !goes_on(one)).collect();
        self.sessions().retain(|(number, session)| {
            !over
                .iter()
                .any(|(other, gone)| other == number && gone.ptr_eq(session))
        });
    }

    /// Whether the game goes on.
    fn feed_one(&self, number: u64, session: &Arc<GameSession>, over: Option<GameRecord>) -> bool {
        let read = self.read();
        let running = read.games.iter().find(|game| game.game == number);
        let turns = over.as_ref().map(|game| &game.turns);
        let turns = turns.or(running.map(|game| &game.turns)).cloned();
        // A game that is in neither file has just been ended, and will be in the record.
        let is_stopped = turns.is_none() && read.changed.elapsed() >= SILENCE;
        drop(read);
        let mut state = session.lock();
        let turns = turns.unwrap_or_default();
        let known = state.game.turns().len();
        let new = turns.get(known..).unwrap_or_default();
        let failed = new.iter().try_for_each(|turn| add(&mut state, turn)).err();
        if let Some(why) = &failed {
            state.notice = Some(why.to_string());
        } else if is_stopped {
            state.notice = Some(STOPPED.to_owned());
        }
        state.is_live = over.is_none() && !is_stopped && failed.is_none();
        if let Some(game) = over
            && state.end().is_none()
        {
            state.game.set_ended(Some(End {
                result: game.result,
                termination: game.termination,
                reason: game.reason,
            }));
        }
        if !new.is_empty() || !state.is_live {
            session.changed(&mut state);
        }
        state.is_live
    }
}

/// Adds a turn to a game.
fn add(state: &mut GameState, turn: &TurnRecord) -> Result<(), PlayError> {
    let TurnRecord { roll, token, .. } = turn;
    match roll {
        Some(roll) => state.game.turn(&format!("{roll}:{token}")),
        None => state.game.turn(token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;
    use crate::room::EngineRoom;
    use fauve_referee::record::lines::parse;
    use fauve_referee::record::live::write_live;
    use fauve_referee::record::{GameResult, Termination};

    const HEADER: &str = r#"{"type":"tournament","format":1,"event":"test","variant":"dicechess","engines":[{"name":"a","command":"self","protocol":"uci","limit":{"nodes":9}},{"name":"b","command":"self","protocol":"uci","limit":{"nodes":1}}],"pairings":"roundrobin","rounds":2,"seed":3,"openings":{"random":{"turns":8,"balance":60}},"margin":20,"stall":60000}"#;
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -";

    fn turn(roll: &str, token: &str) -> TurnRecord {
        TurnRecord {
            roll: Some(roll.to_owned()),
            token: token.to_owned(),
            ..TurnRecord::default()
        }
    }

    /// A match whose game 1 is watched: its files, and the game as it is served.
    struct Watched {
        record: PathBuf,
        live: LiveWatcher,
        session: Arc<GameSession>,
    }

    fn games(turns: &[TurnRecord]) -> [LiveGame; 1] {
        [LiveGame {
            game: 1,
            white: "a".to_owned(),
            black: "b".to_owned(),
            start: START.to_owned(),
            dice_seed: Some("000000000000002a".to_owned()),
            turns: turns.to_vec(),
        }]
    }

    impl Watched {
        fn begin(name: &str) -> Self {
            let name = format!("fauve-watched-{name}-{}", std::process::id());
            let record = std::env::temp_dir().join(name);
            std::fs::write(&record, HEADER).unwrap();
            let live = LiveWatcher::new(&record);
            let header = parse(format!("{HEADER}\n").as_bytes())
                .unwrap()
                .record
                .header;
            let path = live_path(&record).unwrap();
            write_live(&path, &games(&[])).unwrap();
            let (list, version) = live.refresh(|_| false);
            assert_eq!(*list, *r#"[{"game":1,"white":"a","black":"b","turns":0}]"#);
            assert_eq!(version, 1);
            assert!(live.game(&header, 2).is_none());
            let new = live.game(&header, 1).expect("the game");
            let session = Games::new(EngineRoom::new(1, Duration::ZERO))
                .begin(&new)
                .unwrap();
            live.watch(1, &session);
            Self {
                record,
                live,
                session,
            }
        }

        /// The turns are made, and read.
        fn play(&self, turns: &[TurnRecord]) {
            write_live(&live_path(&self.record).unwrap(), &games(turns)).unwrap();
            self.live.read().stamp = None;
            self.live.refresh(|_| false);
            self.live.feed(|_| None);
        }

        fn tokens(&self) -> Vec<String> {
            let state = self.session.lock();
            state
                .game
                .turns()
                .iter()
                .map(|turn| turn.token.clone())
                .collect()
        }
    }

    impl Drop for Watched {
        fn drop(&mut self) {
            let path = live_path(&self.record);
            let _ = path.map(std::fs::remove_file);
            let _ = std::fs::remove_file(&self.record);
        }
    }

    #[test]
    fn a_watched_game_gets_its_turns_and_its_end() {
        let watched = Watched::begin("end");
        assert!(watched.live.is_watched() && watched.session.lock().is_live);
        let turns = [turn("PPB", "e2e4,d2d4,f1c4"), turn("NNP", "b8c6,g8f6,e7e5")];
        watched.play(&turns[..1]);
        assert_eq!(watched.tokens(), ["e2e4,d2d4,f1c4"]);
        watched.play(&turns);
        watched.play(&turns);
        assert_eq!(watched.tokens(), ["e2e4,d2d4,f1c4", "b8c6,g8f6,e7e5"]);
        // Between its end and its line in the record it is in no file.
        write_live(&live_path(&watched.record).unwrap(), &[]).unwrap();
        watched.live.read().stamp = None;
        let (list, _) = watched.live.refresh(|_| false);
        watched.live.feed(|_| None);
        assert_eq!((&*list, watched.session.lock().is_live), ("[]", true));
        let [
            LiveGame {
                game,
                white,
                black,
                start,
                dice_seed,
                ..
            },
        ] = games(&[]);
        let over = GameRecord {
            game,
            white,
            black,
            start,
            dice_seed,
            turns: [&turns[..], &[turn("KKK", "e1e2,e2e3,e3f3")]].concat(),
            result: GameResult::White,
            termination: Termination::Resignation,
            reason: "Black resigns".to_owned(),
            luck: None,
            stakes: None,
            doubles: Vec::new(),
            scale: None,
            date: String::new(),
        };
        watched.live.feed(|_| Some(over.clone()));
        assert_eq!(watched.tokens().len(), 3);
        let end = watched.session.lock().end().expect("an end");
        assert_eq!(
            (end.result, &*end.text),
            ("1-0", "White wins: Black resigns")
        );
        assert!(!watched.live.is_watched() && !watched.session.lock().is_live);
    }

    #[test]
    fn a_game_of_a_match_that_was_stopped_is_given_up() {
        let watched = Watched::begin("stopped");
        watched.play(&[turn("PPB", "e2e4,d2d4,f1c4")]);
        watched.live.read().changed = Instant::now().checked_sub(SILENCE).unwrap();
        let (list, _) = watched.live.refresh(|_| false);
        watched.live.feed(|_| None);
        assert_eq!(*list, *"[]");
        let state = watched.session.lock();
        assert_eq!(
            (state.is_live, state.notice.as_deref()),
            (false, Some(STOPPED))
        );
        assert!(!watched.live.is_watched());
    }

    /// The list stays while it could be about to be replaced, and is given up when it is not.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_of_games_is_given_up_and_never_waited_for() {
        let watched = Watched::begin("odd");
        let path = live_path(&watched.record).unwrap();
        let known = r#"[{"game":1,"white":"a","black":"b","turns":0}]"#;
        let whole = std::fs::read(&path).unwrap();
        let half = || std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let pipe = || {
            let made = std::process::Command::new("mkfifo").arg(&path).status();
            assert!(made.unwrap().success());
        };
        let endless = || std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        for put in [&half as &dyn Fn(), &pipe, &endless] {
            std::fs::remove_file(&path).unwrap();
            put();
            assert_eq!(*watched.live.refresh(|_| false).0, *known);
            watched.live.read().changed = Instant::now().checked_sub(SILENCE).unwrap();
            assert_eq!(*watched.live.refresh(|_| false).0, *"[]");
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, &whole).unwrap();
            assert_eq!(*watched.live.refresh(|_| false).0, *known);
        }
    }

    #[test]
    fn a_turn_that_is_not_legal_ends_the_watching_with_a_sentence() {
        let watched = Watched::begin("illegal");
        watched.play(&[turn("PPB", "e2e5,d2d4,f1c4")]);
        let state = watched.session.lock();
        assert!(
            !state.is_live
                && state
                    .notice
                    .as_ref()
                    .is_some_and(|why| why.contains("e2e5"))
        );
    }
}
