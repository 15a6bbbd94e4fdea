//! Games that outlast the program: a folder of PGN files, one a game, from which a game is taken up again by its name.

use crate::clock::{Control, Left};
use crate::import::{called, engine_of, export_with, names_of, of_pgn};
use crate::review;
use crate::session::GameState;
use crate::wire::{NewGame, Player};
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::DiceSeed;
use fauve_game::clock::{Clock, TimeControl};
use fauve_game::pgn;
use fauve_referee::record::save::{can_save, save};
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most games that are listed, those that were changed last first.
const MOST_LISTED: usize = 300;
/// The longest file of a game that is read, in bytes.
const LONGEST_GAME: u64 = 8 << 20;
/// How many letters the name of a game has.
const ID_LENGTH: usize = 32;
/// The end of the name of a file that was put aside, see [`Keeper::put_aside`]; a digit may follow.
pub(crate) const ASIDE: &str = "pgn.old";
/// The most files of a game that are put aside.
const MOST_ASIDE: usize = 10;
/// The tag of the clocks, see [`clocks_text`].
const CLOCKS: &str = "Clocks";
/// The tag of the unfinished turn: its steps as tokens.
const PARTIAL_TURN: &str = "PartialTurn";
/// The tag of what was found about the turns, see [`review::kept`].
const ASSESSMENT: &str = "Assessment";
/// The tag of the seed of dice that are not rolled yet, where the game says none itself.
const SEED: &str = "NextDice";
/// The tag of a game that was begun on a board, not opened from a file.
const BEGUN_HERE: &str = "BegunHere";
/// The tags of those that play from here on, White's first: in a game from a file they need not be those that the file names.
const PLAYERS: [&str; 2] = ["WhitePlayer", "BlackPlayer"];

/// A kept game, as it is listed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) variant: &'static str,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: String,
    pub(crate) turns: usize,
    /// The day on which it was begun, `2026.11.27`.
    pub(crate) date: String,
}

/// When the file of a game was changed last, and its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp(SystemTime, u64);

/// The folder of the games.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    folder: PathBuf,
}

/// Makes a folder for games if it is not there, and looks whether they can be kept in it.
///
/// # Errors
/// The system's, where no file can be written there.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    can_save(&folder.join("game.pgn"))
}

impl Keeper {
    /// A folder that is made if it is not there.
    ///
    /// # Errors
    /// The system's, where no file can be written there.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        // What cannot be kept is known before the first game is lost.
        make_folder(folder)?;
        let folder = folder.to_owned();
        Ok(Self { folder })
    }

    fn path(&self, variant: Variant, id: &str) -> PathBuf {
        self.folder.join(format!("{}-{id}.pgn", variant.name()))
    }

    /// Writes a game with its clocks, its unfinished turn and what was found about its turns; a game in which nothing was done is not kept.
    ///
    /// # Errors
    /// The system's; the file is then as it was.
    pub(crate) fn save(&self, id: &str, state: &GameState) -> io::Result<()> {
        // What others play is in their record; from its end on it is a game like any other.
        if state.is_live {
            return Ok(());
        }
        let path = self.path(state.game.variant(), id);
        let game = &state.game;
        if !state.is_worth_keeping() {
            // Everything may have been taken back: there is nothing to be taken up.
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let steps = game.partial_turn().iter();
        let steps: Vec<&str> = steps.map(|step| step.token.as_str()).collect();
        let some = |text: String| (!text.is_empty()).then_some(text);
        let [white, black] = state.players.each_ref().map(called);
        let own = [
            (BEGUN_HERE, (!game.is_opened()).then(|| "yes".to_owned())),
            (PLAYERS[0], Some(white)),
            (PLAYERS[1], Some(black)),
            (
                CLOCKS,
                game.clock()
                    .map(|clock| clocks_text(clock, state.clock_waits)),
            ),
            (PARTIAL_TURN, some(steps.join(","))),
            (SEED, game.next_dice().map(|seed| seed.to_string())),
            (
                ASSESSMENT,
                some(review::kept(&state.assessed, game.turns())),
            ),
        ];
        save(&path, export_with(state, &own).as_bytes())
    }

    /// The stamp of the file of a game, which is another one once the file was changed; `None` where there is no file.
    pub(crate) fn stamp(&self, variant: Variant, id: &str) -> Option<Stamp> {
        let data = fs::metadata(self.path(variant, id)).ok()?;
        let changed = data.modified().ok().filter(|_| data.is_file())?;
        Some(Stamp(changed, data.len()))
    }

    /// Puts a copy of the file of a game aside, as it is before the game is written again; the answer is its name. Those that were put aside
    /// before stay; `None` where there are too many, or the system refuses it.
    pub(crate) fn put_aside(&self, variant: Variant, id: &str) -> Option<String> {
        let path = self.path(variant, id);
        let text = fs::read(&path).ok()?;
        for number in 0..MOST_ASIDE {
            let digit = if number == 0 {
                String::new()
            } else {
                number.to_string()
            };
            let aside = path.with_extension(format!("{ASIDE}{digit}"));
            match fs::read(&aside) {
                Ok(other) if other != text => continue,
                Ok(_) => {}
                Err(_) => save(&aside, &text).ok()?,
            }
            return Some(aside.file_name()?.to_string_lossy().into_owned());
        }
        None
    }

    /// A game by its name, to be begun under that name, and the stamp of its file; programs go on that `is_program` knows for its kind of
    /// game.
    pub(crate) fn load(
        &self,
        id: &str,
        is_program: impl Fn(&str, Variant) -> bool,
    ) -> Option<(NewGame, Variant, Stamp)> {
        let mut variants = Variant::ALL.iter().filter(|_| is_id(id));
        variants.find_map(|&variant| {
            // Looked at first: what is written while the file is read is seen as a change later.
            let stamp = self.stamp(variant, id)?;
            let mut file = read(&self.path(variant, id))?;
            let mut taken = |name| {
                let value = file.tag(name).map(str::to_owned);
                file.tags.remove(name);
                value
            };
            let [clocks, partial, assessment, seed] =
                [CLOCKS, PARTIAL_TURN, ASSESSMENT, SEED].map(&mut taken);
            let is_own = taken(BEGUN_HERE).is_some();
            let playing = PLAYERS.map(taken);
            let mut game = of_pgn(file, variant.name());
            game.is_own = is_own;
            if let Some((control, left)) = clocks.as_deref().and_then(read_clocks) {
                (game.clock, game.left) = (Some(control), Some(left));
            }
            let steps = partial.iter().flat_map(|steps| steps.split(','));
            game.partial_turn = steps.map(str::to_owned).collect();
            game.assessment = assessment;
            game.seed = seed.filter(|seed| seed.parse::<DiceSeed>().is_ok());
            let playing = match (playing, &game.names) {
                ([Some(white), Some(black)], _) => [white, black],
                // A file of an earlier version of the program, or one that somebody has put there.
                (_, Some(names)) => names.clone(),
                (_, None) => <_>::default(),
            };
            [game.white, game.black] = players(&playing, |name| is_program(name, variant));
            // Those that play here have names that the page gives.
            let here = names_of(&called(&game.white), &called(&game.black));
            game.names = game.names.filter(|names| Some(names) != here.as_ref());
            Some((game, variant, stamp))
        })
    }

    /// The games, those that were changed last first.
    pub(crate) fn list(&self) -> Vec<Listed> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut games: Vec<(SystemTime, Variant, String, PathBuf)> = files
            .filter_map(|file| {
                let (variant, id) = name_of(&file.file_name())?;
                let changed = file.metadata().and_then(|data| data.modified()).ok()?;
                Some((changed, variant, id, file.path()))
            })
            .collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.0));
        let listed = games.into_iter().filter_map(|(_, variant, id, path)| {
            let game = read(&path)?;
            let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
            Some(Listed {
                id,
                variant: variant.name(),
                white: tag("White"),
                black: tag("Black"),
                result: game.result_text().to_owned(),
                turns: game.line.turns.len(),
                date: tag("Date"),
            })
        });
        listed.take(MOST_LISTED).collect()
    }
}

/// The clocks of a game as its file has them: the time control, what White and Black have left in milliseconds, and whether a clock runs,
/// or `waits` to.
fn clocks_text(clock: &Clock, waits: bool) -> String {
    let control = clock.control(Color::White);
    let Left { white, black, runs } = Left::of(clock);
    let runs = if runs || waits { " runs" } else { "" };
    format!("{control} {white} {black}{runs}")
}

/// Reads them.
fn read_clocks(text: &str) -> Option<(Control, Left)> {
    let mut words = text.split(' ');
    let control: TimeControl = words.next()?.parse().ok()?;
    let control = Control::of(&Clock::new(control));
    control.clock()?;
    let left = Left {
        white: words.next()?.parse().ok()?,
        black: words.next()?.parse().ok()?,
        runs: words.next() == Some("runs"),
    };
    Some((control, left))
}

/// The players from here on: the engine at its level, programs that are known, people in the place of everybody else.
fn players(names: &[String; 2], is_program: impl Fn(&str) -> bool) -> [Player; 2] {
    names.each_ref().map(|name| match engine_of(name) {
        Some(level) => Player::Engine { level },
        None if is_program(name) => Player::Program { name: name.clone() },
        None => Player::Human,
    })
}

/// The game of a file, if it can be read.
fn read(path: &Path) -> Option<pgn::PgnGame> {
    let data = path.metadata().ok()?;
    // A pipe would be waited for, and a device read for ever.
    if !data.is_file() || data.len() > LONGEST_GAME {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    pgn::parse(&pgn::decode(&bytes)).into_iter().next()
}

/// The game and its name that a file is called by.
fn name_of(file: &OsString) -> Option<(Variant, String)> {
    let (variant, id) = file.to_str()?.strip_suffix(".pgn")?.split_once('-')?;
    let mut variants = Variant::ALL.iter().filter(|_| is_id(id));
    let variant = variants.find(|known| known.name() == variant)?;
    Some((*variant, id.to_owned()))
}

/// Whether a text can be the name of a game.
fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;
    use crate::import::{HUMAN, engine_name};
    use crate::opponent::Opponents;
    use crate::room::EngineRoom;
    use crate::wire::PEOPLE;
    use std::time::Duration;

    fn games(folder: &Path) -> Games {
        let keeper = Keeper::new(folder).expect("a folder");
        Games::new(EngineRoom::of_server(
            1,
            Duration::ZERO,
            Some(keeper),
            Opponents::default(),
        ))
    }

    #[test]
    fn a_game_is_taken_up_by_another_run_with_its_tree_and_players() {
        let folder = std::env::temp_dir().join(format!("fauve-keep-{}", std::process::id()));
        let first = games(&folder);
        for &variant in Variant::ALL {
            let new = NewGame {
                variant: variant.name().to_owned(),
                ..NewGame::default()
            };
            let session = first.begin(&new).expect("a game");
            let mut state = session.lock();
            let mut steps = 0;
            while state.game.turns().len() < 3 {
                let view = state.game.view();
                let step = view.steps.get(steps % 2).unwrap_or(&view.steps[0]);
                state.game.step(&step.token).expect("a step of the view");
                steps += 1;
            }
            let comment = Some("to be kept".to_owned());
            let what = crate::play::Annotation {
                comment,
                ..Default::default()
            };
            let path = fauve_game::tree::Path::main(2);
            state.game.annotate(&path, &what).expect("a turn");
            session.noted(&mut state);
            let before = state.game.turns().to_vec();
            drop(state);
            // Another run of the program.
            let again = games(&folder).get(&session.id).expect("the game");
            let state = again.lock();
            assert_eq!(state.game.turns(), before, "{variant}");
            assert_eq!(
                state.players,
                [new.white.clone(), new.black.clone()],
                "{variant}"
            );
            assert_eq!(state.names, None, "{variant}");
        }
        let listed = Keeper::new(&folder).expect("a folder").list();
        assert_eq!(listed.len(), Variant::ALL.len());
        assert!(listed.iter().all(|game| game.turns == 3));
        // Names that nobody has given are not looked for in the folder, or beside it.
        for name in ["", "../x", &"g".repeat(32), &"0".repeat(32)] {
            assert!(games(&folder).get(name).is_none(), "{name}");
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// The players are changed in a game that another run has begun, and in one from a file; each later run knows them, and the
    /// game is still of the day on which it was begun.
    #[test]
    fn players_that_are_changed_outlast_the_program() {
        let folder = std::env::temp_dir().join(format!("fauve-players-{}", std::process::id()));
        let clock = Control {
            minutes: 3.0,
            increment: 2.0,
        };
        let begun = NewGame {
            variant: "chess".to_owned(),
            // The person is to move: the engine makes no turn while the test looks.
            turns: ["e2e4", "e7e5"].map(str::to_owned).to_vec(),
            clock: Some(clock),
            ..NewGame::default()
        };
        let file =
            "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Date \"1851.06.21\"]\n\n1. e4 e5 *\n";
        let opened = of_pgn(pgn::parse(file).remove(0), "chess");
        for (new, is_opened) in [(begun, false), (opened, true)] {
            let session = games(&folder).begin(&new).expect("a game");
            session.noted(&mut session.lock());
            let path = Keeper::new(&folder)
                .expect("a folder")
                .path(Variant::Chess, &session.id);
            if !is_opened {
                let text = fs::read_to_string(&path).expect("the file");
                let older = text.replace(&fauve_game::date::today(), "2026.11.01");
                fs::write(&path, older).expect("a file");
            }
            for level in [2, 3] {
                let again = games(&folder).get(&session.id).expect("the game");
                let mut state = again.lock();
                let before = [Player::Human, Player::Engine { level: level - 1 }];
                if level > 2 {
                    assert_eq!(state.players, before);
                }
                state.players = [Player::Human, Player::Engine { level }];
                Keeper::new(&folder)
                    .expect("a folder")
                    .save(&again.id, &state)
                    .expect("it is kept");
                let own = [HUMAN.to_owned(), engine_name(level)];
                let text = crate::import::export(&state);
                let file = pgn::parse(&text).remove(0);
                let tag = |name| file.tag(name).unwrap_or_default().to_owned();
                if is_opened {
                    assert_eq!([tag("White"), tag("Black")], ["Anderssen", "Kieseritzky"]);
                    assert_eq!(tag("Date"), "1851.06.21");
                } else {
                    assert_eq!(state.names, None);
                    assert_eq!([tag("White"), tag("Black")], own);
                    assert_eq!(tag("Date"), "2026.11.01");
                    assert_eq!(tag("TimeControl"), "180+2");
                }
                assert!(!text.contains(BEGUN_HERE) && !text.contains(PLAYERS[0]));
            }
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// Two pages that ask for a kept game at once see the same one.
    #[test]
    fn a_kept_game_is_taken_up_once() {
        let folder = std::env::temp_dir().join(format!("fauve-once-{}", std::process::id()));
        let new = NewGame {
            variant: "twomove".to_owned(),
            turns: vec!["e2e4".to_owned()],
            ..NewGame::default()
        };
        let session = games(&folder).begin(&new).expect("a game");
        session.noted(&mut session.lock());
        for _ in 0..30 {
            let games = games(&folder);
            let together = std::sync::Barrier::new(4);
            let ask = || {
                together.wait();
                games.get(&session.id)
            };
            let taken: Vec<_> = std::thread::scope(|scope| {
                let asked = [(); 4].map(|()| scope.spawn(ask));
                let taken = asked.into_iter().map(|page| page.join().expect("no panic"));
                taken.map(|game| game.expect("the game")).collect()
            });
            for game in &taken {
                assert!(std::sync::Arc::ptr_eq(game, &taken[0]));
            }
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// Another run of the program finds the clocks and the beginning of a turn, and does not write them into the game.
    #[test]
    fn clocks_and_an_unfinished_turn_outlast_the_program() {
        let folder = std::env::temp_dir().join(format!("fauve-clocks-{}", std::process::id()));
        let first = games(&folder);
        for (variant, turns) in [("twomove", 2), ("dicechess", 0), ("chess", 3)] {
            let clock = Control {
                minutes: 3.0,
                increment: 2.0,
            };
            let new = NewGame {
                variant: variant.to_owned(),
                seed: Some("2a".to_owned()),
                clock: Some(clock),
                ..NewGame::default()
            };
            let session = first.begin(&new).expect("a game");
            let mut state = session.lock();
            let step = |state: &mut GameState| {
                let token = state.game.view().steps[0].token.clone();
                state.game.step(&token).expect("a step of the view");
            };
            while state.game.turns().len() < turns {
                step(&mut state);
            }
            if variant != "chess" {
                step(&mut state);
            }
            let left = Left {
                white: 61_000,
                black: 90_000,
                runs: true,
            };
            let side = state.game.side();
            let clock = state.game.clock_mut().as_mut().expect("a clock");
            left.set(clock, side).expect("sound figures");
            session.noted(&mut state);
            let (before, view) = (state.game.partial_turn().to_vec(), state.game.view());
            drop(state);
            let again = games(&folder).get(&session.id).expect("the game");
            let mut state = again.lock();
            assert_eq!(state.game.turns().len(), turns, "{variant}");
            assert_eq!(state.game.partial_turn(), before, "{variant}");
            assert_eq!(state.game.view(), view, "{variant}");
            // Until a page shows the game nobody loses time, also where it is kept once more.
            let clock = state.game.clock().expect("its clock");
            assert_eq!(clock.running(), None, "{variant}");
            state.players = PEOPLE;
            again.noted(&mut state);
            drop(state);
            let again = games(&folder).get(&session.id).expect("the game");
            let _page = again.watch(|| ());
            let state = again.lock();
            let clock = state.game.clock().expect("its clock");
            assert_eq!(clock.running(), Some(side), "{variant}");
            let now = Left::of(clock);
            assert!((55_000..=61_000).contains(&now.white), "{variant}: {now:?}");
            assert!((84_000..=90_000).contains(&now.black), "{variant}: {now:?}");
            let text = crate::import::export(&state);
            assert!(
                !text.contains(CLOCKS) && !text.contains(PARTIAL_TURN),
                "{text}"
            );
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// What cannot be read of a file that was damaged or edited stays on the disk when the game is written again.
    #[test]
    fn a_damaged_game_is_put_aside() {
        let folder = std::env::temp_dir().join(format!("fauve-damaged-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let id = "0123456789abcdef".repeat(2);
        let path = folder.join(format!("chess-{id}.pgn"));
        let text = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb9 a6 4. Ba4 *\n";
        fs::write(&path, text).expect("a file");
        let session = games(&folder).get(&id).expect("a game");
        let mut state = session.lock();
        assert_eq!(state.game.turns().len(), 4);
        let notice = state.notice.clone().unwrap_or_default();
        assert!(notice.contains(ASIDE), "{notice}");
        session.noted(&mut state);
        assert!(!fs::read_to_string(&path).expect("a file").contains("a6"));
        let aside = path.with_extension(ASIDE);
        assert_eq!(fs::read_to_string(aside).expect("a copy"), text);
        drop(state);
        assert_eq!(Keeper::new(&folder).expect("a folder").list().len(), 1);
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// Two programs on one folder lose nothing of each other.
    #[test]
    fn what_another_program_has_written_is_put_aside() {
        let folder = std::env::temp_dir().join(format!("fauve-two-{}", std::process::id()));
        let new = NewGame {
            variant: "chess".to_owned(),
            turns: vec!["e2e4".to_owned()],
            white: Player::Human,
            black: Player::Human,
            ..NewGame::default()
        };
        let session = games(&folder).begin(&new).expect("a game");
        session.noted(&mut session.lock());
        session.noted(&mut session.lock());
        let other = games(&folder).get(&session.id).expect("the game");
        let mut state = other.lock();
        for step in ["e7e5", "g1f3"] {
            state.game.step(step).expect("a step");
        }
        other.noted(&mut state);
        assert_eq!(state.notice, None);
        drop(state);
        let mut state = session.lock();
        assert_eq!(state.notice, None);
        session.noted(&mut state);
        let notice = state.notice.clone().unwrap_or_default();
        assert!(notice.contains(ASIDE), "{notice}");
        let path = Keeper::new(&folder)
            .expect("a folder")
            .path(Variant::Chess, &session.id);
        let read = |path: &Path| fs::read_to_string(path).expect("a file");
        assert!(read(&path.with_extension(ASIDE)).contains("2. Nf3"));
        assert!(!read(&path).contains("Nf3"));
        drop(state);
        // The other one goes on: both are there.
        other.noted(&mut other.lock());
        assert!(read(&path).contains("2. Nf3"));
        let second = path.with_extension(format!("{ASIDE}1"));
        assert!(!read(&second).contains("Nf3"));
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// Another run of the program rolls no other dice in a game from a file that has no seed.
    #[test]
    fn dice_on_the_board_outlast_the_program() {
        let folder = std::env::temp_dir().join(format!("fauve-dice-{}", std::process::id()));
        let file = "[Variant \"DiceChess\"]\n\n1. e4,Nf3,d3 {PPN} *\n";
        let new = of_pgn(pgn::parse(file).remove(0), "dicechess");
        let session = games(&folder).begin(&new).expect("a game");
        let mut state = session.lock();
        assert_eq!(state.game.turns().len(), 1);
        session.noted(&mut state);
        let view = state.game.view();
        for _ in 0..5 {
            let again = games(&folder).get(&session.id).expect("the game");
            assert_eq!(again.lock().game.view(), view);
        }
        assert!(!crate::import::export(&state).contains(SEED));
        drop(state);
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// A turn that is found rests no longer than the clock can bear, and clocks of engines alone stand while no page shows them.
    #[test]
    fn rests_and_closed_pages_cost_no_game() {
        let room = EngineRoom::of_server(1, Duration::from_secs(1), None, Opponents::default());
        let games = Games::new(room);
        let engine = Player::Engine { level: 1 };
        let new = NewGame {
            variant: "chess".to_owned(),
            turns: vec!["e2e4".to_owned()],
            white: Player::Human,
            black: engine.clone(),
            clock: Some(Control {
                minutes: 1.0,
                increment: 0.0,
            }),
            left: Some(Left {
                white: 60_000,
                black: 700,
                runs: true,
            }),
            ..NewGame::default()
        };
        let session = games.begin(&new).expect("a game");
        let page = session.watch(|| ());
        let end = std::time::Instant::now() + Duration::from_secs(20);
        while session.lock().thinking.is_some() && std::time::Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        let state = session.lock();
        assert!(state.end().is_none() && state.game.turns().len() == 2);
        drop((state, page));
        let alone = NewGame {
            white: engine,
            ..new
        };
        let session = games.begin(&alone).expect("a game");
        let running = || session.lock().game.clock().and_then(Clock::running);
        let page = session.watch(|| ());
        assert!(running().is_some());
        drop(page);
        assert_eq!(running(), None);
        let _page = session.watch(|| ());
        assert!(running().is_some());
    }

    /// A game that was given up, or lost on time, in the middle of a turn is over for another run of the program, too.
    #[test]
    fn an_end_in_the_middle_of_a_turn_outlasts_the_program() {
        use fauve_game::end::End;
        let folder = std::env::temp_dir().join(format!("fauve-ended-{}", std::process::id()));
        for is_late in [false, true] {
            let new = NewGame {
                variant: "twomove".to_owned(),
                turns: vec!["e2e4".to_owned()],
                ..NewGame::default()
            };
            let session = games(&folder).begin(&new).expect("a game");
            let mut state = session.lock();
            state.game.step("e7e5").expect("half a turn");
            let end = if is_late {
                state.game.time_forfeit(Color::Black)
            } else {
                End::resignation(Color::Black)
            };
            state.finish(end);
            session.noted(&mut state);
            let before = state.end();
            assert!(before.is_some());
            drop(state);
            let again = games(&folder).get(&session.id).expect("the game");
            let state = again.lock();
            assert_eq!(state.game.partial_turn().len(), 1);
            assert_eq!(state.end(), before);
            assert!(crate::import::export(&state).contains("[Result \"1-0\"]"));
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// Another run of the program finds what was found about the turns, and does not write it into the game.
    #[test]
    fn the_report_of_a_game_outlasts_the_program() {
        let folder = std::env::temp_dir().join(format!("fauve-report-{}", std::process::id()));
        for (variant, turns) in [
            ("chess", &["f2f3", "e7e5", "g2g4", "d8h4"][..]),
            ("twomove", &["e2e4", "e7e5,b8c6", "g1f3,f1c4"]),
        ] {
            let new = NewGame {
                variant: variant.to_owned(),
                turns: turns.iter().map(|&turn| turn.to_owned()).collect(),
                ..NewGame::default()
            };
            let session = games(&folder).begin(&new).expect("a game");
            let mut state = session.lock();
            let mut found = Vec::new();
            let control = fauve_engine::search::Control::default();
            let report = &mut |assessed| found.push(assessed);
            state.game.review(300, &control, report);
            state.assessed = found;
            session.noted(&mut state);
            let json = |state: &GameState| {
                let report = review::report(&state.assessed, state.game.turns());
                serde_json::to_value(report).expect("a report")
            };
            let before = json(&state);
            drop(state);
            let again = games(&folder).get(&session.id).expect("the game");
            let state = again.lock();
            assert_eq!(state.assessed.len(), turns.len(), "{variant}");
            assert_eq!(json(&state), before, "{variant}");
            let text = crate::import::export(&state);
            assert!(!text.contains(ASSESSMENT), "{text}");
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// A file from elsewhere may have tags of these names; they are neither clocks nor a turn nor a report of this board.
    #[test]
    fn tags_from_elsewhere_are_not_taken_for_its_own() {
        let folder = std::env::temp_dir().join(format!("fauve-foreign-{}", std::process::id()));
        let text = "[Clocks \"180+2 1 1\"]\n[PartialTurn \"g1f3\"]\n[Assessment \"0.5 +0.10 e2e4 0 - -\"]\n\n1. e4 e5 *\n";
        let foreign = pgn::parse(text).remove(0);
        let session = games(&folder).begin(&of_pgn(foreign, "chess"));
        let session = session.expect("a game");
        session.noted(&mut session.lock());
        let again = games(&folder).get(&session.id).expect("the game");
        let state = again.lock();
        assert_eq!(state.game.turns().len(), 2);
        assert!(state.game.clock().is_none());
        assert!(state.game.partial_turn().is_empty());
        assert!(state.assessed.is_empty());
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    /// What somebody has written into the file of a game does not lose the game.
    #[test]
    fn a_game_is_there_whatever_its_clocks_and_unfinished_turn_say() {
        let folder = std::env::temp_dir().join(format!("fauve-edited-{}", std::process::id()));
        let keeper = Keeper::new(&folder).expect("a folder");
        for (id, tag) in [
            "[Clocks \"180+2 1 x\"]",
            "[Clocks \"99999999+0 1 1\"]",
            "[Clocks \"180+2 99999999999999999 1 runs\"]",
            "[PartialTurn \"e2e5\"]",
            "[PartialTurn \"\"]",
            "[Assessment \"0.5 +0.10 e2e4 0 - -;x\"]",
        ]
        .iter()
        .enumerate()
        {
            let id = format!("{id:032x}");
            let text = format!("{tag}\n\n1. e4 e5 *\n");
            fs::write(keeper.path(Variant::Chess, &id), text).expect("a file");
            let session = games(&folder).get(&id).expect(tag);
            assert_eq!(session.lock().game.turns().len(), 2, "{tag}");
        }
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    #[test]
    fn the_engine_goes_on_at_its_level() {
        let names = ["Human".to_owned(), engine_name(2)];
        let engine = Player::Engine { level: 2 };
        assert_eq!(players(&names, |_| false), [Player::Human, engine]);
    }

    #[test]
    fn a_program_goes_on_where_it_is_still_there() {
        let names = [HUMAN.to_owned(), "Fairy".to_owned()];
        let program = Player::Program {
            name: "Fairy".to_owned(),
        };
        let known = players(&names, |name| name == "Fairy");
        assert_eq!(known, [Player::Human, program]);
        assert_eq!(players(&names, |_| false), PEOPLE);
    }

    #[test]
    fn a_game_in_which_everything_was_taken_back_is_not_kept() {
        let folder = std::env::temp_dir().join(format!("fauve-unkept-{}", std::process::id()));
        let games = games(&folder);
        let new = NewGame {
            variant: "chess".to_owned(),
            ..NewGame::default()
        };
        let session = games.begin(&new).expect("a game");
        let mut state = session.lock();
        state.game.turn("e2e4").expect("a turn");
        session.changed(&mut state);
        let list = || Keeper::new(&folder).expect("a folder").list().len();
        assert_eq!(list(), 1);
        state.game.undo_turn();
        session.changed(&mut state);
        assert_eq!(list(), 0);
        fs::remove_dir_all(folder).expect("the folder goes");
    }
}
