//! What the board can do, whatever carries the requests to it: a request comes in, an answer goes out, and pages that look at a game
//! get messages. `wire.md` describes all of them.

use crate::actions::{Refusal, act};
use crate::files::{Files, GameFile, LONGEST_FILE};
#[cfg(feature = "server")]
use crate::follow::RecordWatcher;
use crate::games::{Games, NewGameError};
use crate::import;
use crate::lessons::lessons;
use crate::play::{self, PlayError};
use crate::room::EngineRoom;
use crate::saved::SavedGame;
use crate::session::{GameSession, Watcher};
use crate::view::View;
use crate::wire::{Action, NewGame};
use fauve_engine::Variant;
use fauve_engine::rules::DiceSeed;
use fauve_engine::search::Control;
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::names;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

/// The longest body of a request that is no file of games, in bytes.
pub const LONGEST_BODY: usize = 1 << 20;

const JSON: &str = "application/json";
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// The status of a request that waits for a search.
const WAITS: u16 = 202;

/// Where files are sent to.
pub(crate) const FILES: &str = "/api/files";

/// What the page opens with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The game.
    pub variant: Variant,
    /// A position string to begin with.
    pub fen: Option<String>,
}

/// An answer to a request, in the terms of HTTP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// 200, or why the request is refused; 202: see [`Board::answered`].
    pub status: u16,
    /// The type of the body.
    pub mime: &'static str,
    /// What is answered; of a refusal `{"error": "a sentence"}`.
    pub body: String,
}

/// The games and everything that can be asked about them.
pub struct Board {
    opening: Opening,
    games: Games,
    room: Arc<EngineRoom>,
    files: Files,
    #[cfg(feature = "server")]
    pub(crate) follow: Option<RecordWatcher>,
}

/// Why a request is refused.
pub(crate) struct Refused(u16, String);

type Done = Result<Answer, Refused>;

impl Answer {
    fn json(what: &impl Serialize) -> Self {
        Self {
            status: 200,
            mime: JSON,
            body: serde_json::to_string(what).expect("numbers and text are JSON"),
        }
    }
}

impl From<Refused> for Answer {
    fn from(Refused(status, why): Refused) -> Self {
        if status == WAITS {
            return Self {
                status,
                mime: JSON,
                body: why,
            };
        }
        Self {
            status,
            ..Self::json(&json!({ "error": why }))
        }
    }
}

impl Refused {
    fn new(status: u16, why: &dyn Display) -> Self {
        Self(status, why.to_string())
    }

    /// There is nothing of this name.
    fn unknown(why: &dyn Display) -> Self {
        Self::new(404, why)
    }

    /// A value that cannot be.
    fn impossible(why: &dyn Display) -> Self {
        Self::new(422, why)
    }
}

impl From<NewGameError> for Refused {
    fn from(why: NewGameError) -> Self {
        let status = match why {
            NewGameError::Full => 503,
            _ => 422,
        };
        Self::new(status, &why)
    }
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        let status = match &why {
            Refusal::Waits(search) => return Self(WAITS, search.clone()),
            Refusal::Bad(_) => 422,
            Refusal::Not(_) => 409,
        };
        Self::new(status, &why)
    }
}

impl From<PlayError> for Refused {
    fn from(why: PlayError) -> Self {
        NewGameError::Play(why).into()
    }
}

/// A request's JSON that has what was asked for.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|why| {
        let status = if why.is_data() { 422 } else { 400 };
        Refused(status, format!("the request is not understood: {why}"))
    })
}

/// A word of what stands behind the `?` of a request; nothing where it is missing.
fn asked(query: &str, name: &str) -> String {
    let mut all = form_urlencoded::parse(query.as_bytes());
    let found = all.find(|(other, _)| other == name);
    found.map_or_else(String::new, |(_, word)| word.into_owned())
}

fn file_is_gone() -> Refused {
    Refused::unknown(&"this file is no longer open")
}

/// A position string, read as the engine's protocol reads it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    variant: String,
    fen: String,
    /// The rule switches that differ from the default.
    #[serde(default)]
    rules: Vec<(String, String)>,
}

impl Board {
    /// A board without games.
    pub(crate) fn new(opening: Opening, room: Arc<EngineRoom>, first: Option<GameFile>) -> Self {
        Self {
            opening,
            games: Games::new(Arc::clone(&room)),
            room,
            files: Files::new(first),
            #[cfg(feature = "server")]
            follow: None,
        }
    }

    /// A board where there are no threads. Searches run when [`Self::run_next`] is called; those that an answer waits for run at once.
    /// A search calls `yields` all the time, which may let requests be answered meanwhile; its answer is whether every search has to
    /// end. `rest` waits, at least that is the intention. The engine takes at least `pause` for a turn against a person.
    pub fn without_threads(
        opening: Opening,
        pause: Duration,
        yields: fn() -> bool,
        rest: fn(Duration),
    ) -> Self {
        Self::new(opening, EngineRoom::queueing(pause, yields, rest), None)
    }

    /// A board where there are no threads, and where nothing can be done while a search runs: searches run elsewhere, each by
    /// [`run_search`](crate::run_search) with the text that [`Self::next_search`] gives, and what they say comes back by [`Self::heard`].
    /// The engine takes at least `pause` for a turn against a person.
    pub fn searching_elsewhere(opening: Opening, pause: Duration) -> Self {
        Self::new(opening, EngineRoom::searching_elsewhere(pause), None)
    }

    /// Answers a request. One that asks for a hint or offers a draw waits for a search.
    pub fn request(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        self.request_while(&self.room.control(), method, path, body)
    }

    /// Answers a request as [`Self::request`] does, as long as the answer is wanted: the search for a hint, or for what a turn is worth, ends
    /// when `wanted` is stopped, be it before its beginning.
    pub(crate) fn request_while(
        &self,
        wanted: &Control,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> Answer {
        self.answer(wanted, method, path, body)
            .unwrap_or_else(Answer::from)
    }

    fn answer(&self, wanted: &Control, method: &str, path: &str, body: &[u8]) -> Done {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let longest = if path == FILES {
            LONGEST_FILE as usize
        } else {
            LONGEST_BODY
        };
        if body.len() > longest {
            return Err(Refused::new(413, &"the request is too long"));
        }
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match (&parts[..], method) {
            (["api", "start"], "GET") => Ok(Answer::json(&self.start())),
            (["api", "games"], "POST") => self.begin(read(body)?),
            (["api", "games", id], "GET") => Ok(shown(&self.session(id)?)),
            (["api", "games", id], "POST") => {
                let session = self.session(id)?;
                let action: Action = read(body)?;
                Ok(Answer::json(&act(&session, action, wanted)?))
            }
            (["api", "games", id, "pgn"], "GET") => Ok(Answer {
                status: 200,
                mime: PGN,
                body: import::export(&self.session(id)?.lock()),
            }),
            (["api", "kept"], "GET") => self.kept(),
            (["api", "check"], "POST") => check(read(body)?),
            (["api", "files"], "POST") => {
                let file = GameFile::unpack(body.to_vec(), &asked(query, "variant"));
                let file = file.map_err(|why| Refused::impossible(&why))?;
                Ok(Answer::json(&self.files.add(file)))
            }
            (["api", "files", id], "GET") => {
                let list = self.files.list(id, &asked(query, "search"));
                Ok(Answer::json(&list.ok_or_else(file_is_gone)?))
            }
            (["api", "rules", variant], "GET") => rules(variant),
            (
                ["api", "start" | "games" | "kept" | "check" | "files"]
                | ["api", "games" | "rules" | "files", _]
                | ["api", "games", _, "pgn"],
                _,
            ) => Err(Refused::new(405, &"this is not done by this method")),
            _ => Err(Refused::unknown(&"there is no such page")),
        }
    }

    /// The game of a name.
    fn session(&self, id: &str) -> Result<Arc<GameSession>, Refused> {
        self.games
            .get(id)
            .ok_or_else(|| Refused::unknown(&"there is no such game"))
    }

    /// Looks at a game from now on: `wake` is called when there is a message. Nothing where there is no such game.
    pub fn watch(&self, id: &str, wake: impl Fn() + Send + Sync + 'static) -> Option<Watcher> {
        Some(self.games.get(id)?.watch(wake))
    }

    /// Without threads: runs the most urgent search that waits, unless one runs that is as urgent; gives whether there was one. While it
    /// yields, requests can be answered and more urgent searches be run.
    pub fn run_next(&self) -> bool {
        self.room.run_next()
    }

    /// Where searches run elsewhere: the number and the text of the most urgent one that waits, unless one runs that is as urgent. It is to
    /// begin now.
    pub fn next_search(&self) -> Option<(u32, String)> {
        self.room.elsewhere()?.next()
    }

    /// A search that runs elsewhere has said something.
    pub fn heard(&self, search: u32, said: &str) {
        if let Some(elsewhere) = self.room.elsewhere() {
            elsewhere.hear(search, said);
        }
    }

    /// A search that runs elsewhere has come to its end by itself.
    pub fn finished(&self, search: u32) {
        if let Some(elsewhere) = self.room.elsewhere() {
            elsewhere.finish(search);
        }
    }

    /// A search that runs elsewhere has broken down.
    pub fn broke_down(&self, search: u32) {
        if let Some(elsewhere) = self.room.elsewhere() {
            elsewhere.break_down(search);
        }
    }

    /// Ends one of the searches that run elsewhere and are finished or not wanted any more, with what it has said, and gives its number: if
    /// it still runs, it is to be broken off. To be called until there is none, after whatever may have stopped a search, and after
    /// [`Self::rest`].
    pub fn settle(&self) -> Option<u32> {
        self.room.elsewhere()?.settle()
    }

    /// The time until a search that is finished may have its end: turns are not made too fast to be seen.
    pub fn rest(&self) -> Option<Duration> {
        self.room.elsewhere()?.rest()
    }

    /// An answer of status 202 is the text of a search that has to run elsewhere first. Call this with that text and with what the search
    /// said last, then make the request again.
    pub fn answered(&self, search: &str, said: &str) {
        if let Some(elsewhere) = self.room.elsewhere() {
            elsewhere.answered(search, said);
        }
    }

    /// A game as JSON, to be kept and given to [`Self::restore`] in another run of the program. Nothing where there is no such game.
    pub fn save(&self, id: &str) -> Option<String> {
        let saved = SavedGame::of(&*self.games.get(id)?);
        Some(serde_json::to_string(&saved).expect("numbers and text are JSON"))
    }

    /// Whether a game is worth being kept for a later run: it is no lesson or puzzle, and something was done in it.
    pub fn is_worth_keeping(&self, id: &str) -> bool {
        let session = self.games.get(id);
        session.is_some_and(|session| session.lock().is_worth_keeping())
    }

    /// Takes a game up again that [`Self::save`] gave.
    ///
    /// # Errors
    /// What cannot be read of it.
    pub fn restore(&self, saved: &str) -> Result<(), String> {
        let saved: SavedGame = serde_json::from_str(saved).map_err(|why| why.to_string())?;
        saved.restore(&self.games).map_err(|why| why.to_string())
    }

    /// What the program was started with.
    pub(crate) fn start(&self) -> Value {
        let variant = self.shown_variant();
        let levels: serde_json::Map<_, _> = Variant::ALL
            .iter()
            .map(|&variant| {
                let scale = StrengthScale::of(variant);
                let elo: Vec<_> = (1..=scale.levels())
                    .map(|level| scale.elo_of_level(level))
                    .collect();
                (variant.name().to_owned(), elo.into())
            })
            .collect();
        json!({
            "variant": variant.name(),
            "variants": Variant::ALL.iter().map(|variant| variant.name()).collect::<Vec<_>>(),
            "levels": levels,
            "fen": self.opening.fen,
            "opening": first_view(variant, self.opening.fen.as_deref()),
            "file": self.files.first(),
            "keeps": self.keeps(),
            "engines": self.programs(),
            "match": self.has_match(),
            "threads": std::thread::available_parallelism().map_or(1, usize::from),
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    fn begin(&self, mut new: NewGame) -> Done {
        if let Some(wanted) = &new.file {
            let file = self.files.get(&wanted.id).ok_or_else(file_is_gone)?;
            let game = file.game(wanted.index);
            let game = game.map_err(|why| Refused::impossible(&why))?;
            // The file says what was played, this request the players from here on.
            new = NewGame {
                variant: game.variant,
                fen: game.fen,
                pgn: game.pgn,
                names: new.names.or(game.names.filter(|_| !wanted.own)),
                is_own: wanted.own,
                file: None,
                ..new
            };
        }
        let mut live = None;
        if let Some(number) = new.record_game {
            let is_live;
            (new, is_live) = self.recorded(number).ok_or(NewGameError::RecordGame)?;
            live = is_live.then_some(number);
        }
        let session = self.games.begin(&new)?;
        if let Some(number) = live {
            self.watch_live(number, &session);
        }
        Ok(shown(&session))
    }
}

#[cfg(feature = "server")]
impl Board {
    /// The game that the page opens with: that of the record which is followed.
    fn shown_variant(&self) -> Variant {
        let followed = self.follow.as_ref().and_then(RecordWatcher::variant);
        followed
            .and_then(|name| Variant::from_name(&name))
            .unwrap_or(self.opening.variant)
    }

    /// Whether games are kept.
    fn keeps(&self) -> bool {
        self.room.keeper.is_some()
    }

    /// The games that are kept.
    fn kept(&self) -> Done {
        let kept = self.games.kept();
        Ok(Answer::json(
            &kept.ok_or_else(|| Refused::unknown(&"no games are kept"))?,
        ))
    }

    /// The programs that can be played against.
    fn programs(&self) -> Vec<crate::opponent::Listed> {
        self.room.opponents.listed()
    }

    /// Whether a match is followed.
    fn has_match(&self) -> bool {
        self.follow.is_some()
    }

    /// A game of the match that is followed, and whether it is being played.
    fn recorded(&self, number: u64) -> Option<(NewGame, bool)> {
        self.follow.as_ref()?.game(number)
    }

    /// Lets a game go on as the match goes on.
    fn watch_live(&self, number: u64, session: &Arc<GameSession>) {
        if let Some(follow) = &self.follow {
            follow.watch(number, session);
        }
    }
}

#[cfg(not(feature = "server"))]
#[allow(clippy::unused_self, reason = "without a server there are no records")]
impl Board {
    const fn shown_variant(&self) -> Variant {
        self.opening.variant
    }

    const fn keeps(&self) -> bool {
        false
    }

    fn kept(&self) -> Done {
        Err(Refused::unknown(&"no games are kept"))
    }

    const fn programs(&self) -> [(); 0] {
        []
    }

    const fn has_match(&self) -> bool {
        false
    }

    const fn recorded(&self, _number: u64) -> Option<(NewGame, bool)> {
        None
    }

    const fn watch_live(&self, _number: u64, _seat: &Arc<GameSession>) {}
}

/// The state of a game.
fn shown(session: &Arc<GameSession>) -> Answer {
    Answer::json(&session.current_page_state())
}

/// The position that a new game begins with, where no dice decide about it.
fn first_view(variant: Variant, fen: Option<&str>) -> Option<View> {
    let (game, _) = play::begin(variant, fen, &[], DiceSeed(0)).ok()?;
    game.seed().is_none().then(|| game.view())
}

fn check(wanted: Check) -> Done {
    let Check {
        variant,
        fen,
        rules,
    } = wanted;
    let variant = names::variant(&variant).map_err(NewGameError::Variant)?;
    // The seed is not looked at: it only rolls dice that the string does not have.
    let (game, warnings) = play::begin(variant, Some(&fen), &rules, DiceSeed(0))?;
    Ok(Answer::json(
        &json!({ "view": game.view(), "warnings": warnings }),
    ))
}

/// The rules of a game as the build made them, see `rules_page.rs`.
const fn rules_of(variant: Variant) -> &'static str {
    macro_rules! made {
        ($name:literal) => {
            include_str!(concat!(env!("OUT_DIR"), "/rules-", $name, ".json"))
        };
    }
    match variant {
        Variant::Chess => made!("chess"),
        Variant::Superchess => made!("superchess"),
        Variant::TwoMove => made!("twomove"),
        Variant::DiceChess => made!("dice"),
        Variant::Cubes4d => made!("cubes"),
        #[cfg(feature = "breakthrough")]
        Variant::Breakthrough => made!("breakthrough"),
    }
}

/// The rules of a game, and what its lessons are called.
fn rules(variant: &str) -> Done {
    let variant = names::variant(variant).map_err(|why| Refused::unknown(&why))?;
    let lessons = lessons(variant).iter().map(|lesson| &lesson.title);
    let rules: Value = serde_json::from_str(rules_of(variant)).expect("the build made it");
    Ok(Answer::json(&json!({
        "rules": rules,
        "lessons": lessons.collect::<Vec<_>>(),
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board where searches run when they are asked for.
    fn board() -> Board {
        Board::without_threads(Opening::default(), Duration::ZERO, || false, |_| {})
    }

    fn ask(board: &Board, method: &str, path: &str, body: &Value) -> Value {
        let answer = board.request(method, path, body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "`json!` gives values, and this is short"
    )]
    fn post(board: &Board, path: &str, body: Value) -> Value {
        ask(board, "POST", path, &body)
    }

    fn state(board: &Board, id: &Value) -> Value {
        let path = format!("/api/games/{}", id.as_str().unwrap());
        ask(board, "GET", &path, &Value::Null)
    }

    fn messages(watcher: &mut Watcher) -> Vec<(&'static str, Value)> {
        let all = std::iter::from_fn(|| watcher.message());
        all.map(|(name, json)| (name, serde_json::from_str(&json).unwrap()))
            .collect()
    }

    #[test]
    fn without_threads_the_engine_answers_when_its_search_is_run() {
        let board = board();
        for variant in ["chess", "superchess", "twomove", "dicechess", "cubes4d"] {
            let engine = json!({ "kind": "engine", "level": 1 });
            // Black chooses the side of the board first.
            let side = if variant == "cubes4d" {
                "black"
            } else {
                "white"
            };
            let game = post(
                &board,
                "/api/games",
                json!({ "variant": variant, side: engine }),
            );
            assert_eq!(game["thinking"], true, "{variant}");
            let mut watcher = board.watch(game["id"].as_str().unwrap(), || {}).unwrap();
            assert_eq!(messages(&mut watcher).len(), 1, "the state");
            assert!(board.run_next(), "{variant}");
            assert!(!board.run_next(), "{variant}: a person is to move");
            let news = messages(&mut watcher);
            assert_eq!(news.len(), 1, "{variant}");
            assert_eq!(news[0].0, "state");
            assert_eq!(news[0].1["turns"].as_array().unwrap().len(), 1, "{variant}");
            assert_eq!(news[0].1["thinking"], false);
        }
    }

    #[test]
    fn a_take_back_that_is_refused_leaves_the_engine_its_search() {
        let board = board();
        let engine = json!({ "kind": "engine", "level": 1 });
        let wanted = json!({ "variant": "chess", "white": engine });
        let game = post(&board, "/api/games", wanted);
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        let take_back = json!({ "do": "undo_turn" }).to_string();
        let answer = board.request("POST", &path, take_back.as_bytes());
        assert_eq!(answer.status, 409, "{}", answer.body);
        while board.run_next() {}
        let after = state(&board, &game["id"]);
        assert_eq!(after["turns"].as_array().unwrap().len(), 1, "{after}");
    }

    /// A page that nobody looks at closes its stream: the engine still makes its turn against a person, whose game goes on.
    #[test]
    fn the_engine_makes_its_turn_against_a_person_whoever_looks() {
        let board = board();
        let engine = json!({ "kind": "engine", "level": 1 });
        let human = json!({ "kind": "human" });
        for (white, turns) in [(&human, 2), (&engine, 1)] {
            let game =
                json!({ "variant": "chess", "turns": ["e2e4"], "white": white, "black": engine });
            let game = post(&board, "/api/games", game);
            let watcher = board.watch(game["id"].as_str().unwrap(), || {});
            assert_eq!(state(&board, &game["id"])["thinking"], true);
            drop(watcher);
            assert_eq!(state(&board, &game["id"])["thinking"], turns == 2);
            while board.run_next() {}
            let after = state(&board, &game["id"]);
            assert_eq!(after["turns"].as_array().unwrap().len(), turns);
        }
    }

    /// Whatever ends an assessment, the pages see that it does not run any more.
    #[test]
    fn the_state_says_whether_the_game_is_being_assessed() {
        let board = board();
        let ends = [
            json!({ "do": "review", "nodes": 0 }),
            json!({ "do": "step", "token": "e7e5" }),
            json!({ "do": "undo_turn" }),
            json!({ "do": "delete", "path": "1" }),
        ];
        for end in ends {
            let game = json!({ "variant": "chess", "turns": ["e2e4"] });
            let game = post(&board, "/api/games", game);
            let id = game["id"].as_str().unwrap();
            let path = format!("/api/games/{id}");
            let mut watcher = board.watch(id, || {}).unwrap();
            let mut reviewing = || messages(&mut watcher).pop().unwrap().1["reviewing"].clone();
            post(&board, &path, json!({ "do": "review", "nodes": 100 }));
            assert_eq!(reviewing(), true, "{end}");
            post(&board, &path, end.clone());
            assert_eq!(reviewing(), Value::Null, "{end}");
        }
    }

    /// What an assessment has written is shown when it is stopped, and goes when the game is assessed again.
    #[test]
    fn the_marks_of_an_assessment_are_its_own() {
        let board = board();
        let own = json!({ "do": "annotate", "path": "1", "nags": [1] });
        let nags = |state: &Value| {
            let turns = state["turns"].as_array().unwrap().iter();
            turns.map(|turn| turn["nags"].clone()).collect::<Vec<_>>()
        };
        let (path, _) = assessed(&board, "chess", &FOOLS_MATE);
        let id = Value::from(path.rsplit('/').next().unwrap());
        let first = nags(&state(&board, &id));
        assert_eq!(first[2], json!([4]));
        // As if the search before had found the last turn to be a mistake; another run of the program has taken the game up.
        let saved = board.save(id.as_str().unwrap()).unwrap();
        let mut saved: Value = serde_json::from_str(&saved).unwrap();
        let text = saved["assessment"].as_str().unwrap();
        let (turns, last) = text.rsplit_once(';').unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        let last = [&words[..3], &["0.5"], &words[4..]].concat().join(" ");
        saved["assessment"] = format!("{turns};{last}").into();
        let pgn = saved["game"]["pgn"].as_str().unwrap();
        let marked = pgn.replace("Qh4#", "Qh4# $4");
        assert_ne!(marked, pgn);
        saved["game"]["pgn"] = marked.into();
        let again = self::board();
        again.restore(&saved.to_string()).unwrap();
        assert_eq!(nags(&state(&again, &id))[3], json!([4]));
        post(&again, &path, own);
        post(&again, &path, json!({ "do": "review", "nodes": 3000 }));
        while again.run_next() {}
        let found = nags(&state(&again, &id));
        assert_eq!(found[0], json!([1]), "an annotator's");
        assert_eq!(found[1..], first[1..]);
        // Stopped when it has found a turn.
        let session = again.session(id.as_str().unwrap()).ok().unwrap();
        let mut state = session.lock();
        let before = std::mem::take(&mut state.assessed);
        state.game.remove_marks(&before);
        state.review = Some(session.room.handle());
        state.game.note_assessed(&mut before[2].clone());
        assert!(state.game.turns()[2].beside.nags.is_empty());
        state.stop_review();
        assert_eq!(state.game.turns()[2].beside.nags, [4_u16]);
    }

    /// The players of a game that is set up again are those of the page, not people who are called as they are.
    #[test]
    fn a_game_that_a_page_gives_back_is_its_own() {
        let board = board();
        let game = json!({ "variant": "chess", "turns": ["e2e4"] });
        let game = post(&board, "/api/games", game);
        assert_eq!(game["opened"], Value::Null);
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        let note = json!({ "do": "annotate", "path": "1", "comment": "best by test" });
        post(&board, &path, note);
        let pgn = board.request("GET", &format!("{path}/pgn"), b"").body;
        let file = board.request("POST", "/api/files?variant=chess", pgn.as_bytes());
        let file: Value = serde_json::from_str(&file.body).unwrap();
        let opened = |own: bool| {
            let file = json!({ "id": file["id"], "index": 0, "own": own });
            post(&board, "/api/games", json!({ "file": file }))
        };
        let own = opened(true);
        assert_eq!(
            (&own["names"], &own["opened"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(own["turns"][0]["comment"], "best by test");
        let foreign = opened(false);
        assert_eq!(foreign["names"], json!(["Human", "Human"]));
        assert_eq!(foreign["opened"], true);
    }

    /// Before the first turn no clock runs, in a game whose turns were taken back as in a new one.
    #[test]
    fn no_clock_runs_once_all_turns_are_taken_back() {
        let board = board();
        for (turns, back, running) in [
            (1, json!({ "do": "undo_turn" }), Value::Null),
            (1, json!({ "do": "delete", "path": "1" }), Value::Null),
            (2, json!({ "do": "undo_turn" }), "b".into()),
        ] {
            let clock = json!({ "minutes": 5, "increment": 2 });
            let game = post(
                &board,
                "/api/games",
                json!({ "variant": "chess", "clock": clock }),
            );
            let path = format!("/api/games/{}", game["id"].as_str().unwrap());
            for token in &["e2e4", "e7e5"][..turns] {
                post(&board, &path, json!({ "do": "step", "token": token }));
            }
            post(&board, &path, back);
            let after = state(&board, &game["id"]);
            assert_eq!(after["clock"]["running"], running, "{after}");
        }
    }

    /// The first step of an unfinished turn stands when the game is given up in its middle.
    #[test]
    fn no_step_is_taken_back_after_the_end() {
        let board = board();
        let game = post(&board, "/api/games", json!({ "variant": "twomove" }));
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        post(&board, &path, json!({ "do": "step", "token": "e2e4" }));
        let given_up = post(&board, &path, json!({ "do": "resign" }));
        let back = json!({ "do": "undo_step" }).to_string();
        assert_eq!(board.request("POST", &path, back.as_bytes()).status, 409);
        let after = state(&board, &game["id"]);
        assert_eq!(after["end"], given_up["end"]);
        assert_eq!(after["fen"], given_up["fen"]);
    }

    /// A game that was given up goes on where its last turns are taken away.
    #[test]
    fn a_game_whose_end_is_deleted_goes_on() {
        let board = board();
        let game = json!({ "variant": "chess", "turns": ["e2e4", "e7e5"] });
        let game = post(&board, "/api/games", game);
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        post(&board, &path, json!({ "do": "resign" }));
        post(&board, &path, json!({ "do": "delete", "path": "1" }));
        let step = json!({ "do": "step", "token": "d2d4" });
        let after = post(&board, &path, step);
        assert_eq!(after["end"], Value::Null);
        assert_eq!(after["turns"][0]["token"], "d2d4");
    }

    /// White's flag falls in the second turn: later actions are refused, and the page sees a new version of the game.
    #[test]
    fn a_flag_that_has_fallen_ends_the_game_before_anything_else() {
        for late in [
            json!({ "do": "draw" }),
            json!({ "do": "resign" }),
            json!({ "do": "step", "token": "g1f3" }),
        ] {
            let board = board();
            let human = json!({ "kind": "human" });
            let game = post(
                &board,
                "/api/games",
                json!({
                    "variant": "chess", "white": human, "black": human, "turns": ["e2e4", "e7e5"],
                    "clock": { "minutes": 1.0, "increment": 0.0 }, "left": { "white": 1, "black": 5000, "runs": true },
                }),
            );
            std::thread::sleep(Duration::from_millis(20));
            let path = format!("/api/games/{}", game["id"].as_str().unwrap());
            let answer = board.request("POST", &path, late.to_string().as_bytes());
            assert_eq!(answer.status, 409, "{late}: {}", answer.body);
            let after = state(&board, &game["id"]);
            assert_eq!(after["end"]["result"], "0-1", "{late}");
            assert!(
                after["version"].as_u64() > game["version"].as_u64(),
                "{late}"
            );
        }
    }

    /// A board whose searches run elsewhere.
    fn searching_elsewhere() -> Board {
        Board::searching_elsewhere(Opening::default(), Duration::ZERO)
    }

    /// What a search says that runs elsewhere.
    fn searched(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        crate::run_search(text, || false, &mut |said| all.push(said.to_owned())).expect("a search");
        all
    }

    /// Runs the searches that are due, as another instance would; gives how many there were.
    fn run_elsewhere(board: &Board) -> usize {
        let mut count = 0;
        while let Some((number, text)) = board.next_search() {
            for said in searched(&text) {
                board.heard(number, &said);
            }
            board.finished(number);
            assert_eq!(board.settle(), Some(number));
            count += 1;
        }
        count
    }

    /// The answer to a request that may wait for a search.
    fn post_elsewhere(board: &Board, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut answer = board.request("POST", path, body.as_bytes());
        if answer.status == 202 {
            let said = searched(&answer.body).pop().unwrap_or_default();
            board.answered(&answer.body, &said);
            answer = board.request("POST", path, body.as_bytes());
        }
        serde_json::from_str(&answer.body).unwrap()
    }

    /// A game with a beginning, and with an unfinished turn where turns have several steps.
    fn some_game(board: &Board, variant: Variant) -> String {
        let path = play_some(board, variant.name(), 4);
        let state = ask(board, "GET", &path, &Value::Null);
        let step = &state["view"]["steps"][0];
        if !matches!(variant, Variant::Chess | Variant::Superchess) {
            post(
                board,
                &path,
                json!({ "do": "step", "token": step["token"] }),
            );
        }
        path
    }

    #[test]
    fn searches_elsewhere_find_what_they_find_here() {
        for &variant in Variant::ALL {
            let (here, there) = (board(), searching_elsewhere());
            let [path, other] = [&here, &there].map(|board| some_game(board, variant));
            let [watcher, own] = [(&here, &path), (&there, &other)]
                .map(|(board, path)| board.watch(path.rsplit('/').next().unwrap(), || {}));
            let (mut watcher, mut own) = (watcher.unwrap(), own.unwrap());
            let token = ask(&here, "GET", &path, &Value::Null)["turns"][1]["token"].clone();
            for asked in [
                json!({ "do": "hint" }),
                json!({ "do": "hint", "place": { "path": "2" } }),
                json!({ "do": "weigh", "place": { "path": "1", "steps": [token] }, "nodes": 300 }),
                json!({ "do": "draw" }),
            ] {
                let answer = here.request("POST", &path, asked.to_string().as_bytes());
                let answer: Value = serde_json::from_str(&answer.body).unwrap();
                let mut found = post_elsewhere(&there, &other, &asked);
                if asked["do"] == "draw" {
                    found["id"] = answer["id"].clone();
                }
                assert_eq!(found, answer, "{variant}: {asked}");
            }
            for (board, path) in [(&here, &path), (&there, &other)] {
                post(board, path, json!({ "do": "undo_turn" }));
                post(board, path, json!({ "do": "review", "nodes": 300 }));
            }
            while here.run_next() {}
            assert_eq!(run_elsewhere(&there), 1, "{variant}");
            let found = |watcher: &mut Watcher| -> Vec<_> {
                let all = messages(watcher).into_iter();
                all.filter(|(name, _)| *name != "state").collect()
            };
            let news = found(&mut watcher);
            assert_eq!(news.last().map(|(name, _)| *name), Some("reviewed"));
            assert_eq!(found(&mut own), news, "{variant}");
            let engines = json!({ "kind": "engine", "level": 2 });
            let human = json!({ "kind": "human" });
            let turns = [(&here, &path), (&there, &other)].map(|(board, path)| {
                let state = ask(board, "GET", path, &Value::Null);
                let [white, black] = if state["view"]["side"] == "w" {
                    [&engines, &human]
                } else {
                    [&human, &engines]
                };
                post(
                    board,
                    path,
                    json!({ "do": "players", "white": white, "black": black }),
                );
                while board.run_next() {}
                run_elsewhere(board);
                ask(board, "GET", path, &Value::Null)["turns"].clone()
            });
            assert_eq!(turns[0], turns[1], "{variant}");
            assert!(turns[0].as_array().unwrap().len() >= 4, "{variant}");
        }
    }

    #[test]
    fn a_search_elsewhere_that_is_stopped_answers_with_what_it_has_said() {
        let board = searching_elsewhere();
        let engine = json!({ "kind": "engine", "level": 19 });
        let new = json!({ "variant": "chess", "white": engine });
        for said in [Some("a2a3"), None] {
            let game = post(&board, "/api/games", new.clone());
            let path = format!("/api/games/{}", game["id"].as_str().unwrap());
            let (number, _) = board.next_search().expect("a search");
            assert_eq!(board.settle(), None, "it runs");
            if let Some(step) = said {
                board.heard(number, &json!({ "best": ["e2e4"] }).to_string());
                board.heard(number, &json!({ "best": [step] }).to_string());
            }
            post(&board, &path, json!({ "do": "move_now" }));
            assert_eq!(board.settle(), Some(number));
            // What is said afterwards comes too late.
            board.heard(number, &json!({ "best": ["h2h4"] }).to_string());
            let state = ask(&board, "GET", &path, &Value::Null);
            let turns = state["turns"].as_array().unwrap();
            assert_eq!((turns.len(), &state["thinking"]), (1, &false.into()));
            if let Some(step) = said {
                assert_eq!(turns[0]["token"], step);
            }
        }
    }

    #[test]
    fn an_urgent_search_elsewhere_does_not_wait_and_one_that_is_not_wanted_ends() {
        let board = searching_elsewhere();
        let game = post(
            &board,
            "/api/games",
            json!({ "variant": "chess", "turns": ["e2e4"] }),
        );
        let id = game["id"].as_str().unwrap();
        let path = format!("/api/games/{id}");
        let mut watcher = board.watch(id, || {}).unwrap();
        messages(&mut watcher);
        post(
            &board,
            &path,
            json!({ "do": "analyse", "on": true, "lines": 2, "hash": 1 }),
        );
        let (analysis, _) = board.next_search().expect("the analysis");
        post(&board, &path, json!({ "do": "review", "nodes": 100 }));
        let (review, text) = board.next_search().expect("more urgent than the analysis");
        assert_eq!(board.next_search(), None);
        let line = json!({ "line": { "number": 2, "line": { "depth": 7 } } });
        board.heard(analysis, &line.to_string());
        let (_, lines) = watcher.lines().expect("lines");
        assert_eq!(*lines, *r#"{"lines":[{"depth":7}],"place":null}"#);
        assert_eq!(searched(&text).len(), 1);
        board.broke_down(review);
        let state = messages(&mut watcher).pop().expect("a message").1;
        assert!(state["notice"].as_str().unwrap().contains("broke down"));
        assert_eq!(state["reviewing"], Value::Null);
        // With it the analysis ends.
        assert_eq!((board.settle(), board.settle()), (Some(analysis), None));
        assert_eq!(board.next_search(), None);
    }

    #[test]
    fn a_turn_found_elsewhere_is_made_when_it_is_due() {
        let pause = Duration::from_millis(60);
        let board = Board::searching_elsewhere(Opening::default(), pause);
        let engine = json!({ "kind": "engine", "level": 1 });
        post(
            &board,
            "/api/games",
            json!({ "variant": "chess", "white": engine }),
        );
        let (number, text) = board.next_search().expect("a search");
        for said in searched(&text) {
            board.heard(number, &said);
        }
        assert_eq!(board.rest(), None, "it runs");
        board.finished(number);
        let rest = board.rest().expect("a turn that waits");
        if !rest.is_zero() {
            assert_eq!(board.settle(), None);
        }
        std::thread::sleep(rest);
        assert_eq!(board.settle(), Some(number));
        assert_eq!(board.rest(), None);
    }

    #[test]
    fn every_level_but_full_strength_has_its_elo() {
        let start = ask(&board(), "GET", "/api/start", &Value::Null);
        for &variant in Variant::ALL {
            let levels = start["levels"][variant.name()].as_array().unwrap();
            let elo: Vec<_> = levels.iter().map_while(Value::as_u64).collect();
            assert_eq!(elo.len() + 1, levels.len(), "{variant}");
            assert!(levels.last().unwrap().is_null(), "{variant}");
            assert!(elo.is_sorted_by(|a, b| a < b), "{variant}: {elo:?}");
        }
    }

    /// A game with turns that was assessed by searches of some nodes, and the messages about that.
    fn assessed(
        board: &Board,
        variant: &str,
        turns: &[&str],
    ) -> (String, Vec<(&'static str, Value)>) {
        let game = json!({ "variant": variant, "turns": turns, "seed": "2a" });
        let game = post(board, "/api/games", game);
        let id = game["id"].as_str().unwrap();
        let mut watcher = board.watch(id, || {}).unwrap();
        messages(&mut watcher);
        let path = format!("/api/games/{id}");
        post(board, &path, json!({ "do": "review", "nodes": 3000 }));
        while board.run_next() {}
        (path, messages(&mut watcher))
    }

    const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

    #[test]
    fn the_report_of_a_game_counts_the_turns_of_each_side() {
        let board = board();
        let (path, news) = assessed(&board, "chess", &FOOLS_MATE);
        let told = news.iter().rfind(|(name, _)| *name == "review");
        let report = post(&board, &path, json!({ "do": "report" }));
        assert_eq!(told.unwrap().1["sides"], report["sides"]);
        assert_eq!(report["turns"].as_array().unwrap().len(), 4);
        assert_eq!(report["turns"][2]["quality"], "blunder");
        let [white, black] = [&report["sides"][0], &report["sides"][1]];
        let bad = ["mistakes", "blunders"].map(|name| white[name].as_u64().unwrap());
        assert_eq!(
            (&white["turns"], bad[0] + bad[1]),
            (&2.into(), 2),
            "{white}"
        );
        assert_eq!((&black["best"], &black["blunders"]), (&2.into(), &0.into()));
        assert_eq!(black["accuracy"].as_f64(), Some(100.0));
        assert!(white["accuracy"].as_f64().unwrap() < 60.0, "{white}");
        // What was found about turns that are no longer in the game is not told.
        post(&board, &path, json!({ "do": "undo_turn" }));
        let step = json!({ "do": "step", "token": "a7a6" });
        post(&board, &path, step);
        let report = post(&board, &path, json!({ "do": "report" }));
        assert_eq!(report["turns"].as_array().unwrap().len(), 3);
        assert_eq!(report["sides"][0], *white);
        assert_eq!(report["sides"][1]["turns"], 1);
    }

    #[test]
    fn in_dicechess_luck_stands_beside_the_report_and_adds_up_to_nothing() {
        let board = board();
        let game = post(
            &board,
            "/api/games",
            json!({ "variant": "dicechess", "seed": "2a" }),
        );
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        let mut state = game;
        while state["turns"].as_array().unwrap().len() < 2 {
            let token = state["view"]["steps"][0]["token"].clone();
            state = post(&board, &path, json!({ "do": "step", "token": token }));
        }
        let mut watcher = board.watch(state["id"].as_str().unwrap(), || {}).unwrap();
        post(&board, &path, json!({ "do": "review", "nodes": 200 }));
        while board.run_next() {}
        messages(&mut watcher);
        let report = post(&board, &path, json!({ "do": "report" }));
        for (side, turn) in [(0, 0), (1, 1)] {
            let [own, of_turn] = [
                &report["sides"][side]["luck"],
                &report["turns"][turn]["luck"],
            ];
            // The luck of a turn is White's, that of a report its side's.
            let sign = if side == 0 { 1.0 } else { -1.0 };
            assert_eq!(own.as_f64(), of_turn.as_f64().map(|luck| sign * luck));
            assert!(own.as_f64().is_some_and(|luck| luck != 0.0), "{report}");
        }
    }

    /// Steps until a game has this number of turns, each the first or second one that there is.
    fn play_some(board: &Board, variant: &str, turns: usize) -> String {
        let game = json!({ "variant": variant, "seed": "2a" });
        let mut state = post(board, "/api/games", game);
        let path = format!("/api/games/{}", state["id"].as_str().unwrap());
        for number in 0.. {
            if state["turns"].as_array().unwrap().len() == turns {
                break;
            }
            let steps = state["view"]["steps"].as_array().unwrap();
            let step = &steps[number % 2 % steps.len()];
            let step = json!({ "do": "step", "token": step["token"] });
            state = post(board, &path, step);
        }
        path
    }

    #[test]
    fn the_report_of_a_game_outlasts_the_board() {
        for &variant in Variant::ALL {
            let board = board();
            let path = play_some(&board, variant.name(), 4);
            let id = path.rsplit('/').next().unwrap();
            let _watcher = board.watch(id, || {}).unwrap();
            post(&board, &path, json!({ "do": "review", "nodes": 300 }));
            while board.run_next() {}
            let ask = json!({ "do": "report" });
            let report = post(&board, &path, ask.clone());
            assert_eq!(report["turns"].as_array().unwrap().len(), 4, "{variant}");
            let saved = board.save(id).unwrap();
            let again = self::board();
            again.restore(&saved).unwrap();
            assert_eq!(post(&again, &path, ask.clone()), report, "{variant}");
            // Once its last turn is another one, that is no longer assessed, and what is kept of the game does not have it either.
            post(&again, &path, json!({ "do": "undo_turn" }));
            let third = self::board();
            third.restore(&again.save(id).unwrap()).unwrap();
            let found = post(&third, &path, ask);
            let first: Vec<_> = report["turns"].as_array().unwrap()[..3].to_vec();
            assert_eq!(found["turns"], Value::from(first), "{variant}");
        }
    }

    #[test]
    fn a_game_is_there_whatever_its_kept_report_says() {
        let board = board();
        let (path, _) = assessed(&board, "chess", &FOOLS_MATE);
        let saved = board.save(path.rsplit('/').next().unwrap()).unwrap();
        let saved: Value = serde_json::from_str(&saved).unwrap();
        let whole = saved["assessment"].as_str().unwrap().to_owned();
        let turns: Vec<&str> = whole.split(';').collect();
        for (text, known) in [
            (whole.clone(), 4),
            (format!("{whole};{whole}"), 4),
            (String::new(), 0),
            (format!("{};x;{}", turns[0], turns[2]), 1),
            (format!("{};0.5 +0.10 e2e5 0 - -", turns[0]), 1),
            (format!("{};NaN +0.10 e7e5 0 - -", turns[0]), 1),
            ("0.5 +0.10 e2e4 0 - inf".to_owned(), 0),
            ("0.5 +0.10 e2e4 0 - - -".to_owned(), 0),
        ] {
            let mut saved = saved.clone();
            saved["assessment"] = text.clone().into();
            let again = self::board();
            again.restore(&saved.to_string()).unwrap();
            let report = post(&again, &path, json!({ "do": "report" }));
            assert_eq!(report["turns"].as_array().unwrap().len(), known, "{text}");
        }
        // A game that was kept before reports were.
        let mut saved = saved;
        saved.as_object_mut().unwrap().remove("assessment");
        self::board().restore(&saved.to_string()).unwrap();
    }

    #[test]
    fn a_turn_that_is_tried_is_weighed_against_the_best_one() {
        let board = board();
        let (path, _) = assessed(&board, "chess", &FOOLS_MATE);
        let weigh = |steps: &[&str], nodes: u64| {
            let place = json!({ "path": "2", "steps": steps });
            let asked = json!({ "do": "weigh", "place": place, "nodes": nodes });
            board.request("POST", &path, asked.to_string().as_bytes())
        };
        for (token, accepted) in [("g2g4", false), ("e2e3", true), ("e2e4", true)] {
            let answer = weigh(&[token], 40_000);
            let tried: Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!(tried["accepted"], accepted, "{token}: {tried}");
        }
        for (steps, nodes, status) in [
            (&["g2g5"][..], 100, 409),
            (&[], 100, 409),
            (&["d2d4"], 0, 422),
            (&["d2d4"], 1_000_001, 422),
        ] {
            assert_eq!(weigh(steps, nodes).status, status, "{steps:?} {nodes}");
        }
        let half = json!({ "variant": "twomove", "turns": ["e2e4"] });
        let half = post(&board, "/api/games", half);
        let path = format!("/api/games/{}", half["id"].as_str().unwrap());
        let place = json!({ "path": "1", "steps": ["e7e5"] });
        let asked = json!({ "do": "weigh", "place": place, "nodes": 100 });
        let answer = board.request("POST", &path, asked.to_string().as_bytes());
        assert_eq!(answer.status, 409, "{}", answer.body);
    }

    #[test]
    fn typed_turns_are_read_in_any_spelling_or_refused_by_a_sentence() {
        let board = board();
        let game = |variant: &str, turns: &[&str]| {
            let game = json!({ "variant": variant, "turns": turns });
            let game = post(&board, "/api/games", game);
            format!("/api/games/{}", game["id"].as_str().unwrap())
        };
        let read = |path: &str, text: &str| {
            let asked = json!({ "do": "read", "text": text });
            let answer = board.request("POST", path, asked.to_string().as_bytes());
            let said: Value = serde_json::from_str(&answer.body).unwrap();
            (answer.status, said)
        };
        let chess = game("chess", &[]);
        for text in ["e4", "e2-e4", "1. e4!?", "Pe2e4", "E4"] {
            assert_eq!(read(&chess, text), (200, json!(["e2e4"])), "{text}");
        }
        let two = game("twomove", &["e2e4"]);
        for text in ["e5 a5", "e7e5,a7a5", "E5,a7-a5"] {
            assert_eq!(read(&two, text), (200, json!(["e7e5", "a7a5"])), "{text}");
        }
        for (text, why) in [
            ("Nf6", "Nf6"),
            ("", "not legal"),
            ("castle", "castling is not legal now"),
            ("xyzzy", "no move has this notation; legal: "),
            ("e4 e5", "ends after one move"),
        ] {
            let (status, said) = read(&chess, text);
            let said = said["error"].as_str().unwrap().to_owned();
            assert_eq!(status, 409, "{text}: {said}");
            assert!(said.contains(why) && !said.contains('`'), "{text}: {said}");
        }
        // Letters are counted, not bytes.
        assert_eq!(read(&chess, &"é".repeat(200)).0, 409);
        assert_eq!(read(&chess, &"é".repeat(201)).0, 422);
        let over = game("chess", &FOOLS_MATE);
        assert!(
            read(&over, "a3").1["error"]
                .as_str()
                .unwrap()
                .contains("over")
        );
        // At another place of the game.
        let place = json!({ "do": "read", "text": "Nc6", "place": { "path": "1" } });
        assert_eq!(post(&board, &over, place), json!(["b8c6"]));
    }

    #[test]
    fn the_length_of_a_comment_is_counted_in_characters() {
        let board = board();
        let game = json!({ "variant": "chess", "turns": ["e2e4"] });
        let game = post(&board, "/api/games", game);
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        for (length, status) in [(8192, 200), (8193, 422)] {
            let note = json!({ "do": "annotate", "path": "1", "comment": "é".repeat(length) });
            let answer = board.request("POST", &path, note.to_string().as_bytes());
            assert_eq!(answer.status, status, "{length}");
        }
    }

    #[test]
    fn a_page_that_is_too_late_gets_the_state() {
        let board = board();
        let game = post(&board, "/api/games", json!({ "variant": "chess" }));
        let id = game["id"].as_str().unwrap();
        let mut watcher = board.watch(id, || {}).unwrap();
        messages(&mut watcher);
        for _ in 0..100 {
            let step = json!({ "do": "step", "token": "e2e4" });
            post(&board, &format!("/api/games/{id}"), step);
            post(
                &board,
                &format!("/api/games/{id}"),
                json!({ "do": "undo_turn" }),
            );
        }
        let news = messages(&mut watcher);
        assert!(news.len() <= 70, "{}", news.len());
        let last = &state(&board, &game["id"])["version"];
        assert_eq!(news.last().map(|(_, state)| &state["version"]), Some(last));
    }

    /// Games of all kinds, with everything that stands beside their turns, in the middle of a turn, over, with clocks, and lessons.
    fn games(board: &Board) -> Vec<Value> {
        let engine = json!({ "kind": "engine", "level": 2 });
        let mut games = Vec::new();
        for variant in ["chess", "superchess", "twomove", "dicechess", "cubes4d"] {
            let wanted = json!({ "variant": variant, "black": engine, "clock": { "minutes": 5, "increment": 2 } });
            let mut game = post(board, "/api/games", wanted);
            for _ in 0..3 {
                let steps = game["view"]["steps"].as_array().unwrap();
                let Some(step) = steps.first().filter(|_| game["view"]["side"] == "w") else {
                    break;
                };
                let path = format!("/api/games/{}", game["id"].as_str().unwrap());
                game = post(
                    board,
                    &path,
                    json!({ "do": "step", "token": step["token"] }),
                );
            }
            games.push(game);
            games.push(post(
                board,
                "/api/games",
                json!({ "variant": variant, "lesson": 1 }),
            ));
        }
        let resigned = post(
            board,
            "/api/games",
            json!({ "variant": "chess", "turns": ["e2e4"] }),
        );
        let path = format!("/api/games/{}", resigned["id"].as_str().unwrap());
        games.push(post(board, &path, json!({ "do": "resign" })));
        let pgn = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 $1 {good} (1. d4 {or}) e5 1-0\n";
        let file = board.request("POST", "/api/files?variant=chess", pgn.as_bytes());
        let file: Value = serde_json::from_str(&file.body).unwrap();
        assert_eq!(
            (&file["total"], &file["games"][0]["white"]),
            (&1.into(), &"A".into())
        );
        let game = json!({ "file": { "id": file["id"], "index": 0 } });
        games.push(post(board, "/api/games", game));
        games
    }

    #[test]
    fn a_game_that_was_kept_is_taken_up_as_it_was() {
        let (board, other) = (board(), self::board());
        for game in games(&board) {
            let id = game["id"].as_str().unwrap();
            let saved = board.save(id).expect("a game of this name");
            other.restore(&saved).unwrap();
            let text = |board: &Board| {
                board
                    .request("GET", &format!("/api/games/{id}/pgn"), b"")
                    .body
            };
            assert_eq!(text(&other), text(&board));
            let (mut before, mut after) = (state(&board, &game["id"]), state(&other, &game["id"]));
            // The engine thinks where somebody looks, and time goes by.
            for state in [&mut before, &mut after] {
                state["thinking"] = Value::Null;
                for side in ["white", "black"] {
                    if let Some(clock) = state["clock"].get_mut(side) {
                        *clock = (clock.as_u64().unwrap() / 10_000).into();
                    }
                }
            }
            assert_eq!(after, before);
        }
        assert!(other.restore("{}").is_err() && other.restore("").is_err());
        assert_eq!(board.save("0"), None);
    }

    #[test]
    fn requests_that_cannot_be_answered_say_why() {
        let board = board();
        for (method, path, body, status) in [
            ("GET", "/api/games/0", "", 404),
            ("GET", "/api/nothing", "", 404),
            ("GET", "/", "", 404),
            ("PUT", "/api/games", "", 405),
            ("POST", "/api/rules/chess", "", 405),
            ("POST", "/api/games", "{", 400),
            ("POST", "/api/games", r#"{"variant": 3}"#, 422),
            ("POST", "/api/games", r#"{"variant": "checkers"}"#, 422),
            (
                "POST",
                "/api/games",
                r#"{"variant": "chess", "record_game": 1}"#,
                422,
            ),
        ] {
            let answer = board.request(method, path, body.as_bytes());
            assert_eq!(
                answer.status, status,
                "{method} {path} {body}: {}",
                answer.body
            );
            let why: Value = serde_json::from_str(&answer.body).unwrap();
            assert!(
                why["error"].as_str().is_some_and(|why| why.len() > 10),
                "{why}"
            );
        }
        let long = vec![b' '; LONGEST_BODY + 1];
        assert_eq!(board.request("POST", "/api/check", &long).status, 413);
    }
}
