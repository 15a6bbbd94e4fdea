//! A game that is served to a page: its players, clocks and searches, and the pages to notify.

use crate::clock::Shown;
#[cfg(feature = "server")]
use crate::keep::Stamp;
use crate::lessons::LessonState;
use crate::lock::locked;
#[cfg(feature = "server")]
use crate::opponent::Program;
use crate::play::{AnyGame, Place, PlayError};
use crate::puzzles::PuzzleState;
use crate::review::Assessed;
use crate::room::{EngineRoom, Handle};
use crate::view::End;
use crate::wire::{Analysis, PEOPLE, Player, State};
use fauve_engine::search::Instant;
use fauve_game::clock::Clock;
use fauve_game::end as game_end;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Messages that a page may be late by before it is sent the whole state anew.
const BACKLOG: usize = 64;

/// An event for pages: the name of the event and its JSON.
pub type Message = (&'static str, Arc<str>);

/// Messages that wait for one page.
struct Inbox {
    waiting: Mutex<Waiting>,
    /// Called when there is something new.
    wake: Box<dyn Fn() + Send + Sync>,
}

struct Waiting {
    messages: VecDeque<Message>,
    /// Whether the page needs the whole state: it has seen nothing yet, or was too late.
    wants_state: bool,
}

impl Inbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        locked(&self.waiting)
    }

    fn put(&self, message: Message) {
        let mut waiting = self.waiting();
        if waiting.messages.len() < BACKLOG {
            waiting.messages.push_back(message);
        } else {
            waiting.messages.clear();
            waiting.wants_state = true;
        }
        drop(waiting);
        (self.wake)();
    }
}

/// The changing state of a game: the game itself, its players and its searches.
pub(crate) struct GameState {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) players: [Player; 2],
    pub(crate) names: Option<[String; 2]>,
    pub(crate) lesson: Option<LessonState>,
    pub(crate) puzzle: Option<PuzzleState>,
    pub(crate) notice: Option<String>,
    pub(crate) version: u64,
    /// The engine's search for its turn. Where only the control of the search is stopped, it makes the turn that it has.
    pub(crate) thinking: Option<Handle>,
    /// What analysis is wanted, and its search while it runs.
    pub(crate) analysis: Option<(Analysis, Option<Handle>)>,
    /// The search that assesses the game.
    pub(crate) review: Option<Handle>,
    /// What was found about the turns when they were assessed last, from the first one on.
    pub(crate) assessed: Vec<Assessed>,
    /// Whether the program that is to move has made no turn, and is not asked again by itself.
    pub(crate) stalled: bool,
    /// Whether others play the game in the match that is followed: its turns come from there.
    pub(crate) is_live: bool,
    /// Whether the clock of the side to move stands until a page shows the game.
    pub(crate) clock_waits: bool,
    /// The file of the game as it was read or written last.
    #[cfg(feature = "server")]
    pub(crate) kept: Option<Stamp>,
    /// The programs that play, White's first, from their first turn on.
    #[cfg(feature = "server")]
    pub(crate) programs: Programs,
    pub(crate) used: Instant,
}

/// The programs of White and Black; each is held while it thinks.
#[cfg(feature = "server")]
pub(crate) type Programs = [Option<Arc<Mutex<Program>>>; 2];

impl GameState {
    /// The end of the game, by the rules or without them.
    pub(crate) fn end(&self) -> Option<End> {
        self.game.end()
    }

    /// Whether the game is to outlast the program: a lesson or a puzzle is not, nor a game in which nothing was done.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        let is_task = self.lesson.is_some() || self.puzzle.is_some();
        let is_empty = self.game.turns().is_empty()
            && self.game.partial_turn().is_empty()
            && self.game.lead() == <_>::default();
        !is_task && !is_empty
    }

    /// Looks at what was made of the lesson or puzzle.
    ///
    /// # Errors
    /// A turn of the puzzle's solution that is not legal.
    pub(crate) fn judge_task(&mut self) -> Result<(), PlayError> {
        if let Some(puzzle) = &mut self.puzzle {
            puzzle.judge(&mut *self.game)?;
        }
        let end = self.end();
        if let Some(lesson) = &mut self.lesson {
            let view = self.game.view();
            lesson.judge(self.game.variant(), self.game.turns(), &view, end.as_ref());
        }
        Ok(())
    }

    /// Who is to move.
    pub(crate) fn to_move(&self) -> &Player {
        &self.players[self.game.side().index()]
    }

    /// Ends the programs that play.
    #[cfg(feature = "server")]
    pub(crate) fn dismiss(&mut self) {
        let programs = std::mem::take(&mut self.programs);
        if programs.iter().any(Option::is_some) {
            // They are given a moment to end by themselves; without a thread for that, the game waits.
            let _ = std::thread::Builder::new().spawn(move || drop(programs));
        }
    }

    /// Without a server there are no programs.
    #[cfg(not(feature = "server"))]
    #[expect(
        clippy::unused_self,
        clippy::needless_pass_by_ref_mut,
        reason = "as the other one"
    )]
    pub(crate) const fn dismiss(&mut self) {}

    /// Ends the game on time if a flag has fallen. Returns whether it did.
    fn tick(&mut self) -> bool {
        if self.end().is_some() {
            self.stop_clock();
            return false;
        }
        let fallen = self.game.clock().and_then(Clock::fallen);
        if let Some(loser) = fallen {
            self.finish(self.game.time_forfeit(loser));
        }
        fallen.is_some()
    }

    /// Ends the game otherwise than by the rules.
    pub(crate) fn finish(&mut self, end: game_end::End) {
        self.game.set_ended(Some(end));
        self.stop_thinking();
        self.stop_clock();
    }

    fn stop_clock(&mut self) {
        if let Some(clock) = self.game.clock_mut() {
            clock.stop();
        }
    }

    /// Stops a clock that runs until a page shows the game.
    pub(crate) fn let_clock_wait(&mut self) {
        if self.game.clock().and_then(Clock::running).is_some() {
            self.stop_clock();
            self.clock_waits = true;
        }
    }

    /// Starts the clock that has waited for a page.
    fn start_clock_again(&mut self) {
        let waits = std::mem::take(&mut self.clock_waits);
        let side = self.game.side();
        if waits
            && self.end().is_none()
            && let Some(clock) = self.game.clock_mut()
            && clock.running().is_none()
        {
            clock.start(side);
        }
    }

    /// Ends the engine's search without a turn.
    pub(crate) fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop();
        }
    }

    /// Ends the search of the analysis; it is wanted still.
    pub(crate) fn stop_analysis(&mut self) {
        if let Some((_, search)) = &mut self.analysis
            && let Some(search) = search.take()
        {
            search.stop();
        }
    }

    /// Ends the assessment; what it has written beside the turns so far is shown.
    pub(crate) fn stop_review(&mut self) {
        if let Some(search) = self.review.take() {
            search.stop();
            self.game.show_turns();
        }
    }
}

/// The lines of the analysis of a place.
#[derive(Serialize)]
struct Lines<'a> {
    lines: Vec<&'a RawValue>,
    place: Option<&'a Place>,
}

/// A game that is served, with the pages that show it.
pub(crate) struct GameSession {
    pub(crate) id: String,
    state: Mutex<GameState>,
    /// Where its searches run.
    pub(crate) room: Arc<EngineRoom>,
    /// The inboxes of the pages that show the game.
    inboxes: Mutex<Vec<Arc<Inbox>>>,
    /// The lines of the analysis, and how often they have changed: streams fetch them at their own pace.
    lines: Mutex<Arc<str>>,
    lines_version: AtomicU64,
}

impl GameSession {
    pub(crate) fn new(
        id: String,
        game: Box<dyn AnyGame>,
        players: [Player; 2],
        room: &Arc<EngineRoom>,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            state: Mutex::new(GameState {
                game,
                players,
                names: None,
                lesson: None,
                puzzle: None,
                notice: None,
                version: 1,
                thinking: None,
                analysis: None,
                review: None,
                assessed: Vec::new(),
                stalled: false,
                is_live: false,
                clock_waits: false,
                #[cfg(feature = "server")]
                kept: None,
                #[cfg(feature = "server")]
                programs: Programs::default(),
                used: Instant::now(),
            }),
            room: Arc::clone(room),
            inboxes: Mutex::default(),
            lines: Mutex::new(r#"{"lines":[]}"#.into()),
            lines_version: AtomicU64::new(0),
        })
    }

    /// Locks the state of the game, which counts as a use of it; other requests wait until the guard is dropped.
    pub(crate) fn lock(&self) -> MutexGuard<'_, GameState> {
        let mut state = locked(&self.state);
        state.used = Instant::now();
        state
    }

    /// The time of the last use; `None` while a page shows the game.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = locked(&self.state);
        (!self.is_watched()).then_some(state.used)
    }

    /// What pages show now, after a check of the clock.
    pub(crate) fn current_page_state(self: &Arc<Self>) -> State {
        let mut state = self.lock();
        self.check_clock(&mut state);
        self.page_state(&state)
    }

    /// What pages show. The caller has checked the clock ([`Self::check_clock`]).
    pub(crate) fn page_state(&self, state: &GameState) -> State {
        State {
            id: self.id.clone(),
            version: state.version,
            variant: state.game.variant().name(),
            start: state.game.start_fen(),
            seed: state.game.seed().map(|seed| seed.to_string()),
            rules: state.game.rules(),
            turns: state.game.turns().to_vec(),
            lead: state.game.lead(),
            partial_turn: state.game.partial_turn().to_vec(),
            view: state.game.view(),
            white: state.players[0].clone(),
            black: state.players[1].clone(),
            names: state.names.clone(),
            opened: state.game.is_opened(),
            clock: state.game.clock().map(Shown::from),
            end: state.end(),
            thinking: state.thinking.is_some(),
            reviewing: state.review.is_some(),
            stalled: state.stalled,
            live: state.is_live,
            analysis: state.analysis.as_ref().map(|(wanted, _)| wanted.clone()),
            lesson: state.lesson.clone(),
            puzzle: state.puzzle.clone(),
            notice: state.notice.clone(),
        }
    }

    /// Ends the game on time if a flag has fallen.
    pub(crate) fn check_clock(self: &Arc<Self>, state: &mut GameState) {
        if state.tick() {
            self.changed(state);
        }
    }

    /// To be called when the game has changed: ends the searches of its former position, notifies all pages, and begins the search of the
    /// player to move.
    pub(crate) fn changed(self: &Arc<Self>, state: &mut GameState) {
        state.version += 1;
        state.stalled = false;
        state.stop_thinking();
        state.stop_analysis();
        state.tick();
        self.keep(state);
        self.resume(state);
        let page_state = self.page_state(state);
        self.tell("state", &page_state);
    }

    /// To be called when something beside the game has changed: searches continue, and all pages are notified.
    pub(crate) fn noted(self: &Arc<Self>, state: &mut GameState) {
        self.check_clock(state);
        state.version += 1;
        self.keep(state);
        self.resume(state);
        let page_state = self.page_state(state);
        self.tell("state", &page_state);
    }

    /// Ends the assessment, where one runs, and keeps what it has found.
    pub(crate) fn break_off_review(&self, state: &mut GameState) {
        if state.review.is_some() {
            state.stop_review();
            self.keep(state);
        }
    }

    /// Writes the game to where games are kept.
    #[cfg(feature = "server")]
    fn keep(&self, state: &mut GameState) {
        let Some(keeper) = &self.room.keeper else {
            return;
        };
        let variant = state.game.variant();
        // Another run of the program, or a person, may have written to it.
        let found = keeper.stamp(variant, &self.id);
        if found.is_some()
            && found != state.kept
            && let Some(name) = keeper.put_aside(variant, &self.id)
        {
            state.notice = Some(format!(
                "Another program has changed the file of this game; as it was it is kept as {name}."
            ));
        }
        if let Err(error) = keeper.save(&self.id, state) {
            state.notice = Some(format!("This game cannot be kept: {error}."));
        }
        state.kept = keeper.stamp(variant, &self.id);
    }

    #[cfg(not(feature = "server"))]
    #[expect(clippy::unused_self, reason = "without a server there is no folder")]
    const fn keep(&self, _: &mut GameState) {}

    /// Begins the searches that are due and do not run.
    pub(crate) fn resume(self: &Arc<Self>, state: &mut GameState) {
        crate::think::play(self, state);
        crate::think::analyse(self, state);
    }

    /// A search of the game broke down: nothing searches any more, and the pages say why.
    pub(crate) fn search_broke_down(self: &Arc<Self>) {
        let mut state = self.lock();
        state.notice = Some("The search broke down; please report the position.".to_owned());
        state.players = PEOPLE;
        state.stop_analysis();
        state.analysis = None;
        state.stop_review();
        self.changed(&mut state);
    }

    /// Does the work of a search; if it breaks down, [`Self::search_broke_down`].
    pub(crate) fn surviving(self: &Arc<Self>, work: impl FnOnce()) {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            self.search_broke_down();
        }
    }

    /// Tells all pages something.
    pub(crate) fn tell(&self, event: &'static str, what: &impl Serialize) {
        let inboxes = self.inboxes();
        if inboxes.is_empty() {
            return;
        }
        let json: Arc<str> = to_json(what).into();
        for inbox in inboxes.iter() {
            inbox.put((event, Arc::clone(&json)));
        }
    }

    fn inboxes(&self) -> MutexGuard<'_, Vec<Arc<Inbox>>> {
        locked(&self.inboxes)
    }

    /// Puts the lines of the analysis of a place where the streams find them.
    pub(crate) fn put_lines(&self, place: Option<&Place>, lines: &[Option<Box<RawValue>>]) {
        let known: Vec<&RawValue> = lines.iter().flatten().map(AsRef::as_ref).collect();
        let json = to_json(&Lines {
            lines: known,
            place,
        });
        *locked(&self.lines) = json.into();
        self.lines_version.fetch_add(1, Ordering::SeqCst);
    }

    /// The lines, if they have changed since `seen`, which is brought up to date.
    pub(crate) fn lines_since(&self, seen: &mut u64) -> Option<Arc<str>> {
        let version = self.lines_version.load(Ordering::SeqCst);
        if version == *seen {
            return None;
        }
        *seen = version;
        let lines = locked(&self.lines);
        Some(Arc::clone(&lines))
    }

    /// Whether a page is looking.
    pub(crate) fn is_watched(&self) -> bool {
        !self.inboxes().is_empty()
    }

    /// A page looks from now on until the guard is dropped; `wake` is called when there is something for it.
    pub(crate) fn watch(self: &Arc<Self>, wake: impl Fn() + Send + Sync + 'static) -> Watcher {
        let inbox = Arc::new(Inbox {
            waiting: Mutex::new(Waiting {
                messages: VecDeque::new(),
                wants_state: true,
            }),
            wake: Box::new(wake),
        });
        self.inboxes().push(Arc::clone(&inbox));
        let mut state = self.lock();
        state.start_clock_again();
        self.resume(&mut state);
        drop(state);
        Watcher {
            session: Arc::clone(self),
            inbox,
            lines_seen: 0,
        }
    }
}

/// A page that looks at a game. When the last one has gone, its searches end, but for the engine's turn against a person.
pub struct Watcher {
    session: Arc<GameSession>,
    inbox: Arc<Inbox>,
    lines_seen: u64,
}

impl Watcher {
    /// Whether the next message is the whole state, for which the game is locked.
    #[cfg(feature = "server")]
    pub(crate) fn wants_state(&self) -> bool {
        self.inbox.waiting().wants_state
    }

    /// The next message, if there is one. A page that has seen nothing yet, or was too late, gets the whole state.
    pub fn message(&mut self) -> Option<Message> {
        {
            let mut waiting = self.inbox.waiting();
            if !waiting.wants_state {
                return waiting.messages.pop_front();
            }
            waiting.wants_state = false;
        }
        Some(("state", to_json(&self.session.current_page_state()).into()))
    }

    /// The lines of the analysis, if they have changed; they may change more often than a page needs to know.
    pub fn lines(&mut self) -> Option<Message> {
        let lines = self.session.lines_since(&mut self.lines_seen)?;
        Some(("lines", lines))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut inboxes = self.session.inboxes();
        inboxes.retain(|inbox| !Arc::ptr_eq(inbox, &self.inbox));
        let was_last = inboxes.is_empty();
        drop(inboxes);
        if was_last {
            let mut state = self.session.lock();
            // A page that is loaded anew is here again before the game is locked.
            if self.session.is_watched() {
                return;
            }
            state.stop_analysis();
            self.session.break_off_review(&mut state);
            // Against a person the turn is made, since the clock runs on meanwhile; a program without a clock ends with the page.
            let has_person = state.players.contains(&Player::Human);
            let clock = state.game.clock().and_then(Clock::running);
            let is_program = matches!(state.to_move(), Player::Program { .. });
            if !has_person || (is_program && clock.is_none()) {
                state.stop_thinking();
            }
            // Players that are programs wait for a page, and their clocks with them.
            if !has_person {
                state.let_clock_wait();
            }
            state.dismiss();
        }
    }
}

fn to_json(what: &impl Serialize) -> String {
    serde_json::to_string(what).expect("numbers and text are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;
    use crate::wire::NewGame;
    use std::thread;
    use std::time::Duration;

    /// The page before goes while the game is locked, and the next one is there before it goes on.
    #[test]
    fn a_page_that_is_loaded_anew_keeps_its_analysis() {
        let games = Games::new(EngineRoom::queueing(Duration::ZERO, || false, |_| {}));
        let new: NewGame = serde_json::from_str(r#"{ "variant": "chess" }"#).unwrap();
        let session = games.begin(&new).unwrap();
        let page = session.watch(|| {});
        let next = Arc::clone(&page.inbox);
        let mut state = session.lock();
        state.analysis = Some((Analysis::smallest(), None));
        session.resume(&mut state);
        thread::scope(|scope| {
            scope.spawn(|| drop(page));
            while session.is_watched() {
                thread::yield_now();
            }
            session.inboxes().push(next);
            drop(state);
        });
        let state = session.lock();
        assert!(matches!(state.analysis, Some((_, Some(_)))));
    }
}
