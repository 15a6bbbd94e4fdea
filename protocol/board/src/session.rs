//! A game that is served to a page: its players, clocks and searches, and the pages to notify.

use crate::clock::Shown;
use crate::lessons::LessonState;
use crate::permits::SearchPermits;
use crate::play::{AnyGame, Line, Place};
use crate::view::End;
use crate::wire::{Analysis, Player, State};
use fauve_engine::search::Control;
use fauve_game::clock::Clock;
use fauve_game::end as game_end;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

/// Messages that a page may be late by before it is sent the whole state anew.
const BACKLOG: usize = 64;

/// An event for pages: the name of the event and its JSON.
pub(crate) type Message = (&'static str, Arc<str>);

/// The engine's search for its turn.
pub(crate) struct Thinking {
    /// Stopped when its turn is no longer wanted.
    pub(crate) control: Arc<Control>,
    /// Stopped when it is to make the turn that it has at once, and when its turn is no longer wanted.
    pub(crate) search: Arc<Control>,
}

/// What a game holds that changes.
pub(crate) struct GameState {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) players: [Player; 2],
    pub(crate) names: Option<[String; 2]>,
    pub(crate) lesson: Option<LessonState>,
    pub(crate) notice: Option<String>,
    pub(crate) version: u64,
    /// The engine's search for its turn.
    pub(crate) thinking: Option<Thinking>,
    /// What analysis is wanted, and its search while it runs.
    pub(crate) analysis: Option<(Analysis, Option<Arc<Control>>)>,
    /// The search that assesses the game.
    pub(crate) review: Option<Arc<Control>>,
    pub(crate) used: Instant,
}

impl GameState {
    /// The end of the game, by the rules or without them.
    pub(crate) fn end(&self) -> Option<End> {
        self.game.end()
    }

    /// Who is to move.
    pub(crate) fn to_move(&self) -> Player {
        self.players[self.game.side().index()]
    }

    /// The end on time, where a flag has fallen.
    pub(crate) fn tick(&mut self) {
        if self.end().is_some() {
            self.stop_clock();
        } else if let Some(loser) = self.game.clock().and_then(Clock::fallen) {
            self.finish(self.game.time_forfeit(loser));
        }
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

    /// Ends the engine's search without a turn.
    pub(crate) fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.control.stop();
            thinking.search.stop();
        }
    }

    /// Ends the search of the analysis; it is wanted still.
    pub(crate) fn stop_analysis(&mut self) {
        if let Some((_, control)) = &mut self.analysis
            && let Some(control) = control.take()
        {
            control.stop();
        }
    }

    /// Ends the assessment.
    pub(crate) fn stop_review(&mut self) {
        if let Some(control) = self.review.take() {
            control.stop();
        }
    }
}

/// What all games share: places for searches, and how long the engine takes at least.
#[derive(Debug)]
pub(crate) struct EngineRoom {
    /// For the turns of the engine, hints and answers.
    pub(crate) slots: Arc<SearchPermits>,
    /// For analyses and assessments.
    pub(crate) analysis_slots: Arc<SearchPermits>,
    /// The least time for a turn against a person.
    pub(crate) pause: Duration,
}

impl EngineRoom {
    /// With this number of searches at once, of either kind.
    pub(crate) fn new(searches: usize, pause: Duration) -> Self {
        Self {
            slots: Arc::new(SearchPermits::new(searches)),
            analysis_slots: Arc::new(SearchPermits::new(searches)),
            pause,
        }
    }
}

/// A game at which a page sits.
pub(crate) struct GameSession {
    pub(crate) id: String,
    table: Mutex<GameState>,
    /// The places for the turns of the engine, hints and answers.
    pub(crate) slots: Arc<SearchPermits>,
    /// The places for analyses and assessments.
    pub(crate) analysis_slots: Arc<SearchPermits>,
    /// The least time that the engine takes for a turn against a person.
    pub(crate) pause: Duration,
    messages: broadcast::Sender<Message>,
    /// The lines of the analysis, and how often they have changed: streams fetch them at their own pace.
    lines: Mutex<Arc<str>>,
    lines_version: AtomicU64,
    streams: AtomicUsize,
}

impl GameSession {
    pub(crate) fn new(
        id: String,
        game: Box<dyn AnyGame>,
        players: [Player; 2],
        engine: &EngineRoom,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            table: Mutex::new(GameState {
                game,
                players,
                names: None,
                lesson: None,
                notice: None,
                version: 1,
                thinking: None,
                analysis: None,
                review: None,
                used: Instant::now(),
            }),
            slots: Arc::clone(&engine.slots),
            analysis_slots: Arc::clone(&engine.analysis_slots),
            pause: engine.pause,
            messages: broadcast::Sender::new(BACKLOG),
            lines: Mutex::new(r#"{"lines":[]}"#.into()),
            lines_version: AtomicU64::new(0),
            streams: AtomicUsize::new(0),
        })
    }

    /// The game; what is done with it is seen by everyone once the guard is dropped.
    pub(crate) fn table(&self) -> MutexGuard<'_, GameState> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.used = Instant::now();
        table
    }

    /// When somebody last wanted something, unless a page is looking.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        (self.streams.load(Ordering::SeqCst) == 0).then_some(table.used)
    }

    /// What pages show.
    pub(crate) fn state(&self, table: &mut GameState) -> State {
        table.tick();
        State {
            id: self.id.clone(),
            version: table.version,
            variant: table.game.variant().name(),
            start: table.game.start_fen(),
            seed: table.game.seed().map(|seed| seed.to_string()),
            rules: table.game.rules(),
            turns: table.game.turns().to_vec(),
            lead: table.game.lead(),
            partial_turn: table.game.partial_turn().to_vec(),
            view: table.game.view(),
            white: table.players[0],
            black: table.players[1],
            names: table.names.clone(),
            clock: table.game.clock().map(Shown::from),
            end: table.end(),
            thinking: table.thinking.is_some(),
            analysis: table.analysis.as_ref().map(|(wanted, _)| wanted.clone()),
            lesson: table.lesson.clone(),
            notice: table.notice.clone(),
        }
    }

    /// The game has changed: searches of what it was end, all pages are notified, and who is to search begins.
    pub(crate) fn changed(self: &Arc<Self>, table: &mut GameState) {
        table.version += 1;
        table.stop_thinking();
        table.stop_analysis();
        table.tick();
        self.resume(table);
        let state = self.state(table);
        self.tell("state", &state);
    }

    /// Something beside the game has changed: searches go on, everyone sees it.
    pub(crate) fn noted(self: &Arc<Self>, table: &mut GameState) {
        table.version += 1;
        self.resume(table);
        let state = self.state(table);
        self.tell("state", &state);
    }

    /// Begins the searches that are due and do not run.
    pub(crate) fn resume(self: &Arc<Self>, table: &mut GameState) {
        crate::think::play(self, table);
        crate::think::analyse(self, table);
    }

    /// Tells all pages something.
    pub(crate) fn tell(&self, event: &'static str, what: &impl Serialize) {
        let json = serde_json::to_string(what).expect("numbers and text are JSON");
        // Nobody may be looking.
        let _ = self.messages.send((event, json.into()));
    }

    /// Puts the lines of the analysis of a place where the streams find them.
    pub(crate) fn put_lines(&self, place: Option<&Place>, lines: &[Option<Line>]) {
        let known: Vec<&Line> = lines.iter().flatten().collect();
        let json = serde_json::to_string(&serde_json::json!({ "place": place, "lines": known }))
            .expect("numbers and text are JSON");
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner) = json.into();
        self.lines_version.fetch_add(1, Ordering::SeqCst);
    }

    /// The lines, if they have changed since `seen`, which is brought up to date.
    pub(crate) fn lines_since(&self, seen: &mut u64) -> Option<Arc<str>> {
        let version = self.lines_version.load(Ordering::SeqCst);
        if version == *seen {
            return None;
        }
        *seen = version;
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&lines))
    }

    /// Whether a page is looking.
    pub(crate) fn is_watched(&self) -> bool {
        self.streams.load(Ordering::SeqCst) > 0
    }

    /// A page looks from now on until the guard is dropped.
    pub(crate) fn watch(self: &Arc<Self>) -> (Watcher, broadcast::Receiver<Message>) {
        let receiver = self.messages.subscribe();
        self.streams.fetch_add(1, Ordering::SeqCst);
        let mut table = self.table();
        self.resume(&mut table);
        (Watcher(Arc::clone(self)), receiver)
    }
}

/// A page that looks at a game. When the last one has gone, its searches end.
pub(crate) struct Watcher(pub(crate) Arc<GameSession>);

impl Drop for Watcher {
    fn drop(&mut self) {
        if self.0.streams.fetch_sub(1, Ordering::SeqCst) == 1 {
            let mut table = self.0.table();
            table.stop_analysis();
            table.stop_review();
            table.stop_thinking();
        }
    }
}
