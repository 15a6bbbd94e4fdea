//! Connections and routes.

use crate::actions::{Refusal, act};
use crate::assets::{ASSETS, HOME, HTML, asset};
use crate::files::{Files, GameFile, LONGEST_FILE};
use crate::follow::RecordWatcher;
use crate::games::{Games, NewGameError};
use crate::guard::{FILES, Names, guard};
use crate::import;
use crate::lessons::lessons;
use crate::play;
use crate::session::{EngineRoom, GameSession, Message, Watcher};
use crate::view::View;
use crate::wire::{Action, NewGame};
use anyhow::{Context, Result};
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use fauve_engine::rules::Notation;
use fauve_engine::strength_scales::StrengthScale;
use fauve_engine::{Variant, with_game};
use fauve_game::names;
use futures_util::stream::{Stream, unfold};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, broadcast};

/// The longest body of a request that is no file of games.
const LONGEST_BODY: usize = 1 << 20;
/// How many files of games are read at once; each may be as long as [`LONGEST_FILE`].
const FILES_AT_ONCE: usize = 2;
/// The most connections at once; more wait in the system's queue.
const MOST_CONNECTIONS: usize = 512;
/// How long a connection may take to send a request's head, and lie idle.
const HEAD_PATIENCE: Duration = Duration::from_secs(20);
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 * 1024;
/// How often streams look for new lines of the analysis.
const LINES_PACE: Duration = Duration::from_millis(80);
/// How often a followed record is looked at.
const FOLLOW_PACE: Duration = Duration::from_millis(500);

/// What the server begins with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The port on 127.0.0.1; 0: one that is free.
    pub port: u16,
    /// The game that the page opens with.
    pub variant: Variant,
    /// A position string to begin with.
    pub fen: Option<String>,
    /// The text of a file of games to begin with.
    pub games: Option<String>,
    /// A match record to follow, which may be growing.
    pub record: Option<PathBuf>,
    /// Searches at once.
    pub searches: usize,
    /// The least time that the engine takes for a turn against a person, so that the turn before can be seen.
    pub pause: Duration,
}

struct Board {
    config: Config,
    games: Games,
    follow: Option<RecordWatcher>,
    files: Files,
    reading: Semaphore,
}

type Shared = State<Arc<Board>>;

/// Serves until the program ends; calls `listening` with the address once it does.
///
/// # Errors
/// When the port is taken, or the system gives no thread or socket; a position or games of the configuration that cannot be
/// read.
pub fn serve(config: Config, listening: impl FnOnce(SocketAddr)) -> Result<()> {
    let file = match &config.games {
        Some(text) => {
            let file = GameFile::read(text.clone(), config.variant.name());
            Some(file.map_err(anyhow::Error::msg)?)
        }
        None => None,
    };
    play::begin(
        config.variant,
        config.fen.as_deref(),
        &[],
        crate::random::seed(),
    )?;
    if let Some(file) = &file {
        has_a_game(file)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no thread for the server")?;
    runtime.block_on(async move {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, config.port));
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| cannot_listen(address, error))?;
        let address = listener.local_addr()?;
        let board = Arc::new(Board {
            games: Games::new(EngineRoom::new(config.searches, config.pause)),
            follow: config.record.as_deref().map(RecordWatcher::new),
            files: Files::new(file),
            reading: Semaphore::new(FILES_AT_ONCE),
            config,
        });
        listening(address);
        accept(&listener, &routes(board, address.port())).await
    })
}

/// A game that cannot be played is refused when it is chosen; a file without any other has nothing to show.
///
/// # Errors
/// Why the first game cannot be played.
fn has_a_game(file: &GameFile) -> Result<()> {
    let first = |index| -> Result<()> {
        let game = file.game(index).map_err(anyhow::Error::msg)?;
        Games::new(EngineRoom::new(1, Duration::ZERO)).begin(&game, None)?;
        Ok(())
    };
    let mut games = (0..file.len()).map(first);
    match games.next() {
        Some(Err(refusal)) if games.all(|other| other.is_err()) => {
            Err(refusal.context("the first game of the file"))
        }
        _ => Ok(()),
    }
}

/// Why no page can be served at an address.
fn cannot_listen(address: SocketAddr, error: std::io::Error) -> anyhow::Error {
    if error.kind() == std::io::ErrorKind::AddrInUse {
        let port = address.port();
        return anyhow::anyhow!(
            "port {port} is in use, perhaps by another `fauve board`; `--port 0` takes a free one"
        );
    }
    anyhow::Error::from(error).context(format!("cannot listen on {address}"))
}

/// Takes connections, each with bounds on what it may send and how long that may take.
async fn accept(listener: &TcpListener, routes: &Router) -> Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await?;
        let Ok((stream, _)) = listener.accept().await else {
            // No more sockets for the moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_PATIENCE)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(stream), service);
            // What goes wrong with a connection concerns its other end only.
            let _ = connection.await;
            drop(place);
        });
    }
}

fn routes(board: Arc<Board>, port: u16) -> Router {
    let mut router = Router::new().route("/", get(home));
    for file in ASSETS {
        router = router.route(file.path, get(page));
    }
    router
        .route("/api/games", post(begin))
        .route("/api/games/{id}", get(state).post(action))
        .route("/api/games/{id}/pgn", get(game_pgn))
        .route("/api/games/{id}/events", get(events))
        .route("/api/check", post(check))
        .route(
            FILES,
            post(open_file).layer(DefaultBodyLimit::max(LONGEST_FILE as usize)),
        )
        .route("/api/files/{id}", get(list_file))
        .route("/api/match/events", get(match_events))
        .route("/api/rules/{variant}", get(rules))
        .fallback(|| async { refuse(StatusCode::NOT_FOUND, &"there is no such page") })
        .method_not_allowed_fallback(|| async {
            refuse(
                StatusCode::METHOD_NOT_ALLOWED,
                &"this is not done by this method",
            )
        })
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(axum::middleware::from_fn_with_state(
            Names::of_port(port),
            guard,
        ))
        .with_state(board)
}

/// A refusal that says why.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// What a request is answered with.
type Answer = Result<Response, Refused>;

fn refuse(status: StatusCode, why: &dyn Display) -> Refused {
    Refused(status, why.to_string())
}

/// A request's JSON that has what was asked for.
type Body<T> = Result<Json<T>, JsonRejection>;

impl From<JsonRejection> for Refused {
    /// Too long, not read in time, or not what is asked for.
    fn from(why: JsonRejection) -> Self {
        Self(why.status(), why.body_text())
    }
}

impl From<NewGameError> for Refused {
    fn from(why: NewGameError) -> Self {
        let status = match why {
            NewGameError::Full => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        refuse(status, &why)
    }
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        let status = match why {
            Refusal::Bad(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::Not(_) => StatusCode::CONFLICT,
        };
        refuse(status, &why)
    }
}

async fn page(uri: Uri) -> Answer {
    let asset =
        asset(uri.path()).ok_or_else(|| refuse(StatusCode::NOT_FOUND, &"there is no such page"))?;
    let headers = [
        (header::CONTENT_TYPE, asset.mime),
        (header::CONTENT_ENCODING, "gzip"),
    ];
    Ok((headers, Bytes::from_static(asset.packed)).into_response())
}

/// The page, with what the program was started with in it: the board is drawn without a further request.
async fn home(State(board): Shared) -> Response {
    // Within a page `<` could end the element that holds it; in JSON it stands in strings only.
    let start = start(&board).to_string().replace('<', "\\u003c");
    let mime = [(header::CONTENT_TYPE, HTML)];
    (mime, HOME.replacen("{start}", &start, 1)).into_response()
}

/// What the program was started with.
fn start(board: &Board) -> serde_json::Value {
    let variant = board
        .follow
        .as_ref()
        .and_then(RecordWatcher::variant)
        .and_then(|name| Variant::from_name(&name))
        .unwrap_or(board.config.variant);
    let levels: serde_json::Map<_, _> = Variant::ALL
        .iter()
        .map(|&variant| {
            (
                variant.name().to_owned(),
                StrengthScale::of(variant).levels().into(),
            )
        })
        .collect();
    json!({
        "variant": variant.name(),
        "variants": Variant::ALL.iter().map(|variant| variant.name()).collect::<Vec<_>>(),
        "levels": levels,
        "fen": board.config.fen,
        "opening": opening(variant, board.config.fen.as_deref()),
        "file": board.files.first(),
        "match": board.follow.is_some(),
        "threads": std::thread::available_parallelism().map_or(1, usize::from),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// The position that a new game begins with, where no dice decide about it.
fn opening(variant: Variant, fen: Option<&str>) -> Option<View> {
    let (game, _) = play::begin(variant, fen, &[], fauve_engine::rules::DiceSeed(0)).ok()?;
    game.seed().is_none().then(|| game.view())
}

async fn begin(State(board): Shared, new: Body<NewGame>) -> Answer {
    let Json(mut new) = new?;
    if let Some(wanted) = &new.file {
        let file = board.files.get(&wanted.id).ok_or_else(file_is_gone)?;
        let game = file.game(wanted.index).map_err(|why| cannot(&why))?;
        // The file says what was played, this request the players from here on.
        new = NewGame {
            variant: game.variant,
            fen: game.fen,
            pgn: game.pgn,
            names: new.names.or(game.names),
            file: None,
            ..new
        };
    }
    let seat = board.games.begin(&new, board.follow.as_ref())?;
    Ok(shown(&seat))
}

/// The state of a game.
fn shown(seat: &Arc<GameSession>) -> Response {
    let state = seat.state(&mut seat.table());
    Json(state).into_response()
}

/// The game of a name.
fn seat(board: &Board, id: &str) -> Result<Arc<GameSession>, Refused> {
    board
        .games
        .get(id)
        .ok_or_else(|| refuse(StatusCode::NOT_FOUND, &"there is no such game"))
}

async fn state(State(board): Shared, Path(id): Path<String>) -> Answer {
    Ok(shown(&seat(&board, &id)?))
}

async fn action(State(board): Shared, Path(id): Path<String>, wanted: Body<Action>) -> Answer {
    let seat = seat(&board, &id)?;
    let Json(wanted) = wanted?;
    // Some of it thinks: not on the thread of the connections.
    let done = tokio::task::spawn_blocking(move || act(&seat, wanted)).await;
    let answer = done.map_err(|_| refuse(StatusCode::INTERNAL_SERVER_ERROR, &"this broke down"))?;
    Ok(Json(answer?).into_response())
}

async fn game_pgn(State(board): Shared, Path(id): Path<String>) -> Answer {
    let text = import::export(&seat(&board, &id)?.table());
    let mime = "application/x-chess-pgn; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, mime)], text).into_response())
}

/// A position string, read as the engine's protocol reads it.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    variant: String,
    fen: String,
    /// The rule switches that differ from the default.
    #[serde(default)]
    rules: Vec<(String, String)>,
}

async fn check(wanted: Body<Check>) -> Answer {
    let Json(Check {
        variant,
        fen,
        rules,
    }) = wanted?;
    let variant = names::variant(&variant).map_err(NewGameError::Variant)?;
    // The seed is not looked at: it only rolls dice that the string does not have.
    let seed = fauve_engine::rules::DiceSeed(0);
    let (game, warnings) =
        play::begin(variant, Some(&fen), &rules, seed).map_err(NewGameError::Play)?;
    Ok(Json(json!({ "view": game.view(), "warnings": warnings })).into_response())
}

/// How a file is opened, and which of its games are listed.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FileQuery {
    /// The game where the file does not name one.
    #[serde(default)]
    variant: String,
    /// Words that are looked for.
    #[serde(default)]
    search: String,
}

/// A value that cannot be.
fn cannot(why: &dyn Display) -> Refused {
    refuse(StatusCode::UNPROCESSABLE_ENTITY, why)
}

fn file_is_gone() -> Refused {
    refuse(StatusCode::NOT_FOUND, &"this file is no longer open")
}

async fn open_file(
    State(board): Shared,
    Query(query): Query<FileQuery>,
    request: Request,
) -> Answer {
    let too_long = || {
        let why = format!("a file of games has up to {} MB", LONGEST_FILE >> 20);
        refuse(StatusCode::PAYLOAD_TOO_LARGE, &why)
    };
    // What says that it is too long is not waited for.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > LONGEST_FILE) {
        return Err(too_long());
    }
    let _turn = board.reading.acquire().await;
    let read = Bytes::from_request(request, &()).await;
    let bytes = read.map_err(|why| match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_long(),
        status => refuse(status, &why.body_text()),
    })?;
    // To read it takes a while: not on the thread of the connections.
    let work = move || GameFile::unpack(bytes.into(), &query.variant);
    let file = tokio::task::spawn_blocking(work).await;
    let file = file.map_err(|_| refuse(StatusCode::INTERNAL_SERVER_ERROR, &"this broke down"))?;
    let file = file.map_err(|why| cannot(&why))?;
    Ok(Json(board.files.add(file)).into_response())
}

async fn list_file(
    State(board): Shared,
    Path(id): Path<String>,
    Query(query): Query<FileQuery>,
) -> Answer {
    let list = board.files.list(&id, &query.search);
    Ok(Json(list.ok_or_else(file_is_gone)?).into_response())
}

/// The rules of a game, and what its lessons are called.
#[derive(Serialize)]
struct Rules {
    text: &'static str,
    lessons: Vec<&'static str>,
}

async fn rules(Path(variant): Path<String>) -> Answer {
    let variant = names::variant(&variant).map_err(|why| refuse(StatusCode::NOT_FOUND, &why))?;
    Ok(Json(Rules {
        text: with_game!(variant, G => G::RULES),
        lessons: lessons(variant)
            .iter()
            .map(|lesson| lesson.title.as_str())
            .collect(),
    })
    .into_response())
}

/// A stream of events that keeps a game's searches alive while it lasts.
struct Watched {
    watcher: Watcher,
    messages: broadcast::Receiver<Message>,
    pace: tokio::time::Interval,
    lines_seen: u64,
    greeted: bool,
}

async fn events(State(board): Shared, Path(id): Path<String>) -> Answer {
    let seat = seat(&board, &id)?;
    let (watcher, messages) = seat.watch();
    let watched = Watched {
        watcher,
        messages,
        pace: tokio::time::interval(LINES_PACE),
        lines_seen: 0,
        greeted: false,
    };
    Ok(stream(unfold(watched, |mut watched| async move {
        let event = next_event(&mut watched).await?;
        Some((Ok(event), watched))
    })))
}

fn stream(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    Sse::new(events)
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
        .into_response()
}

fn whole_state(seat: &Arc<GameSession>) -> Event {
    let state = seat.state(&mut seat.table());
    let json = serde_json::to_string(&state).expect("numbers and text are JSON");
    Event::default().event("state").data(json)
}

async fn next_event(watched: &mut Watched) -> Option<Event> {
    if !std::mem::replace(&mut watched.greeted, true) {
        return Some(whole_state(&watched.watcher.0));
    }
    loop {
        tokio::select! {
            message = watched.messages.recv() => return match message {
                Ok((name, json)) => Some(Event::default().event(name).data(&*json)),
                Err(broadcast::error::RecvError::Lagged(_)) => Some(whole_state(&watched.watcher.0)),
                Err(broadcast::error::RecvError::Closed) => None,
            },
            _ = watched.pace.tick() => {
                if let Some(lines) = watched.watcher.0.lines_since(&mut watched.lines_seen) {
                    return Some(Event::default().event("lines").data(&*lines));
                }
            }
        }
    }
}

async fn match_events(State(board): Shared) -> Answer {
    if board.follow.is_none() {
        return Err(refuse(StatusCode::NOT_FOUND, &"no record is followed"));
    }
    let begin = (board, tokio::time::interval(FOLLOW_PACE), 0);
    Ok(stream(unfold(
        begin,
        |(board, mut pace, mut seen)| async move {
            loop {
                // A long record is read piece by piece, off the thread of the connections.
                let reader = Arc::clone(&board);
                let read = move || reader.follow.as_ref().map(RecordWatcher::refresh);
                let (json, version, has_more) = tokio::task::spawn_blocking(read).await.ok()??;
                if version != seen {
                    seen = version;
                    let event = Event::default().event("match").data(&*json);
                    return Some((Ok(event), (board, pace, seen)));
                }
                if !has_more {
                    pace.tick().await;
                }
            }
        },
    )))
}
