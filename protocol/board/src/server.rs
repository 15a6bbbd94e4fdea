//! Connections, and how requests and messages travel on them.

use crate::assets::{ASSETS, HOME, HTML, asset};
use crate::board::{Answer, Board, FILES, LONGEST_BODY, Opening};
use crate::files::{GameFile, LONGEST_FILE};
use crate::follow::RecordWatcher;
use crate::games::Games;
use crate::guard::{Names, guard};
use crate::keep::Keeper;
use crate::opponent::Opponents;
use crate::play;
use crate::room::EngineRoom;
use crate::session::{Message, Watcher};
use anyhow::{Context, Result};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use fauve_engine::Variant;
use fauve_engine::search::Control;
use fauve_referee::player::spec::EngineSpec;
use futures_util::stream::{Stream, unfold};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::MissedTickBehavior;

/// The most connections at once; more wait in the system's queue.
const MOST_CONNECTIONS: usize = 512;
/// Time that a connection has to send a request's header, and that it may be idle.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// How many files of games are read at once; each may be as long as [`LONGEST_FILE`].
const FILES_AT_ONCE: usize = 2;
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
    /// Whether other machines reach the board, by all addresses of this one; everything then needs a key.
    pub lan: bool,
    /// The game that the page opens with.
    pub variant: Variant,
    /// A position string to begin with.
    pub fen: Option<String>,
    /// The text of a file of games to begin with.
    pub games: Option<String>,
    /// A match record to follow, which may be growing.
    pub record: Option<PathBuf>,
    /// The folder in which games are kept; without it they go with the program.
    pub keep: Option<PathBuf>,
    /// Searches at once.
    pub searches: usize,
    /// Other programs that can be played against.
    pub engines: Vec<EngineSpec>,
    /// The least time that the engine takes for a turn against a person, so that the turn before can be seen.
    pub pause: Duration,
}

/// Where the board is, as addresses for a browser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addresses {
    /// On this machine.
    pub local: String,
    /// For other machines, as far as they reach this one: by the address that this machine has towards the network.
    pub network: Option<String>,
}

impl Addresses {
    fn of(port: u16, key: Option<&str>) -> Self {
        let end = key.map_or_else(String::new, |key| format!("?key={key}"));
        let address = |ip: IpAddr| format!("http://{}/{end}", SocketAddr::new(ip, port));
        Self {
            local: address(Ipv4Addr::LOCALHOST.into()),
            network: key.and_then(|_| Some(address(network_address()?))),
        }
    }
}

/// The address from which this machine would send to others; nothing is sent to find that out.
fn network_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address of documentation: nobody has it.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

/// The board, and the places for reading files.
struct Served {
    board: Board,
    reading: Semaphore,
}

type Shared = State<Arc<Served>>;

/// Serves until the program ends; calls `listening` with the addresses once it does.
///
/// # Errors
/// When the port is taken, or the system gives no thread or socket; a program that cannot be played against; a position or games of the configuration that cannot be
/// read.
pub fn serve(config: Config, listening: impl FnOnce(&Addresses)) -> Result<()> {
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
    let keeper = match &config.keep {
        Some(folder) => Some(
            Keeper::new(folder)
                .with_context(|| format!("games cannot be kept in {}", folder.display()))?,
        ),
        None => None,
    };
    let opponents = Opponents::meet(config.engines, config.variant)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no thread for the server")?;
    runtime.block_on(async move {
        let ip = if config.lan {
            Ipv4Addr::UNSPECIFIED
        } else {
            Ipv4Addr::LOCALHOST
        };
        let address = SocketAddr::from((ip, config.port));
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| cannot_listen(address, error))?;
        let port = listener.local_addr()?.port();
        let key = config.lan.then(crate::random::id);
        let opening = Opening {
            variant: config.variant,
            fen: config.fen,
        };
        let room = EngineRoom::of_server(config.searches, config.pause, keeper, opponents);
        let mut board = Board::new(opening, room, file);
        board.follow = config.record.as_deref().map(RecordWatcher::new);
        listening(&Addresses::of(port, key.as_deref()));
        let reading = Semaphore::new(FILES_AT_ONCE);
        let served = Arc::new(Served { board, reading });
        if served.board.follow.is_some() {
            tokio::spawn(feed(Arc::clone(&served)));
        }
        accept(&listener, &routes(served, Names::of_port(port, key))).await
    })
}

/// A game that cannot be played is refused when it is chosen; a file without any other has nothing to show.
///
/// # Errors
/// Why the first game cannot be played.
fn has_a_game(file: &GameFile) -> Result<()> {
    let first = |index| -> Result<()> {
        let game = file.game(index).map_err(anyhow::Error::msg)?;
        Games::new(EngineRoom::new(1, Duration::ZERO)).begin(&game)?;
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
                .header_read_timeout(HEADER_TIMEOUT)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(stream), service);
            // What goes wrong with a connection concerns its other end only.
            let _ = connection.await;
            drop(place);
        });
    }
}

fn routes(served: Arc<Served>, names: Names) -> Router {
    let mut router = Router::new().route("/", get(home));
    for file in ASSETS {
        router = router.route(file.path, get(page));
    }
    router
        .route("/api/games/{id}/events", get(events))
        .route("/api/match/events", get(match_events))
        .route(
            FILES,
            post(open_file).layer(DefaultBodyLimit::max(LONGEST_FILE as usize)),
        )
        .route("/api/{*path}", any(request))
        .fallback(|| async { refuse(StatusCode::NOT_FOUND, "there is no such page") })
        .method_not_allowed_fallback(|| async {
            refuse(
                StatusCode::METHOD_NOT_ALLOWED,
                "this is not done by this method",
            )
        })
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(axum::middleware::from_fn_with_state(names, guard))
        .with_state(served)
}

/// A refusal that says why.
fn refuse(status: StatusCode, why: &str) -> Response {
    let json = [(header::CONTENT_TYPE, "application/json")];
    (
        status,
        json,
        serde_json::json!({ "error": why }).to_string(),
    )
        .into_response()
}

/// An answer of the board.
fn sent(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mime = [(header::CONTENT_TYPE, answer.mime)];
    (status, mime, answer.body).into_response()
}

async fn request(
    State(served): Shared,
    method: Method,
    uri: Uri,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        // Too long, or not read in time.
        Err(why) => return refuse(why.status(), &why.body_text()),
    };
    let method = if method == Method::HEAD {
        Method::GET
    } else {
        method
    };
    answered(served, method, uri, body).await
}

/// The path of a request with what stands behind it.
fn asked(uri: &Uri) -> String {
    uri.path_and_query()
        .map_or_else(String::new, ToString::to_string)
}

/// Somebody waits for an answer; what it needs is not searched any more when the connection is closed.
struct Waits(Arc<Control>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Answers a request: not on the thread of the connections, since it may search, or read the files of games that are kept.
async fn answered(served: Arc<Served>, method: Method, uri: Uri, body: Bytes) -> Response {
    let wanted = Arc::new(Control::default());
    let _waits = Waits(Arc::clone(&wanted));
    let work = move || {
        let board = &served.board;
        board.request_while(&wanted, method.as_str(), &asked(&uri), &body)
    };
    match spawn_blocking(work).await {
        Ok(answer) => sent(answer),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "this broke down"),
    }
}

async fn open_file(State(served): Shared, request: Request) -> Response {
    let too_long = || {
        let why = format!("a file of games has up to {} MB", LONGEST_FILE >> 20);
        refuse(StatusCode::PAYLOAD_TOO_LARGE, &why)
    };
    // What says that it is too long is not waited for.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > LONGEST_FILE) {
        return too_long();
    }
    let own = Arc::clone(&served);
    let _turn = own.reading.acquire().await;
    let (method, uri) = (request.method().clone(), request.uri().clone());
    match Bytes::from_request(request, &()).await {
        Ok(bytes) => answered(served, method, uri, bytes).await,
        Err(why) if why.status() == StatusCode::PAYLOAD_TOO_LARGE => too_long(),
        Err(why) => refuse(why.status(), &why.body_text()),
    }
}

async fn page(uri: Uri) -> Response {
    let Some(asset) = asset(uri.path()) else {
        return refuse(StatusCode::NOT_FOUND, "there is no such page");
    };
    let headers = [
        (header::CONTENT_TYPE, asset.mime),
        (header::CONTENT_ENCODING, "gzip"),
    ];
    (headers, Bytes::from_static(asset.packed)).into_response()
}

/// The page, with what the program was started with in it: the board is drawn without a further request.
async fn home(State(served): Shared) -> Response {
    // Within a page `<` could end the element that holds it; in JSON it stands in strings only.
    let start = served.board.start().to_string().replace('<', "\\u003c");
    let mime = [(header::CONTENT_TYPE, HTML)];
    (mime, HOME.replacen("{start}", &start, 1)).into_response()
}

/// A watcher that goes off the thread of the connections: for that its game is locked, which may be being written to the disk.
struct Page(Option<Watcher>);

impl Drop for Page {
    fn drop(&mut self) {
        if let (Some(watcher), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn_blocking(move || drop(watcher));
        }
    }
}

impl Page {
    /// The next message, for which the game may have to be locked, too. Nothing where that breaks down.
    async fn message(&mut self) -> Option<Option<Message>> {
        let watcher = self.0.as_mut()?;
        if !watcher.wants_state() {
            return Some(watcher.message());
        }
        let mut page = Self(self.0.take());
        let look = move || {
            let message = page.0.as_mut().and_then(Watcher::message);
            (page.0.take(), message)
        };
        let message;
        (self.0, message) = spawn_blocking(look).await.ok()?;
        Some(message)
    }
}

/// A stream of events that keeps a game's searches alive while it lasts.
struct Watched {
    page: Page,
    /// Notified when there are messages.
    news: Arc<Notify>,
    pace: tokio::time::Interval,
}

async fn events(State(served): Shared, Path(id): Path<String>) -> Response {
    let news = Arc::new(Notify::new());
    let wakes = Arc::clone(&news);
    let watch = move || served.board.watch(&id, move || wakes.notify_one());
    let Ok(Some(watcher)) = spawn_blocking(watch).await else {
        return refuse(StatusCode::NOT_FOUND, "there is no such game");
    };
    let watched = Watched {
        page: Page(Some(watcher)),
        news,
        pace: tokio::time::interval(LINES_PACE),
    };
    stream(unfold(watched, |mut watched| async move {
        let (name, json) = next_message(&mut watched).await?;
        Some((Ok(Event::default().event(name).data(&*json)), watched))
    }))
}

fn stream(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    Sse::new(events)
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
        .into_response()
}

async fn next_message(watched: &mut Watched) -> Option<Message> {
    loop {
        if let Some(message) = watched.page.message().await? {
            return Some(message);
        }
        tokio::select! {
            () = watched.news.notified() => {}
            _ = watched.pace.tick() => {
                if let Some(lines) = watched.page.0.as_mut()?.lines() {
                    return Some(lines);
                }
            }
        }
    }
}

/// Lets the games that are watched go on as the match goes on.
async fn feed(served: Arc<Served>) {
    let mut pace = tokio::time::interval(FOLLOW_PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        let own = Arc::clone(&served);
        // A look that breaks down is followed by the next one.
        let _ = spawn_blocking(move || own.board.follow.as_ref().map(RecordWatcher::feed)).await;
    }
}

async fn match_events(State(served): Shared) -> Response {
    if served.board.follow.is_none() {
        return refuse(StatusCode::NOT_FOUND, "no record is followed");
    }
    let begin = (served, tokio::time::interval(FOLLOW_PACE), (0, 0));
    stream(unfold(begin, |(served, mut pace, mut seen)| async move {
        loop {
            // A long record is read piece by piece, off the thread of the connections.
            let reader = Arc::clone(&served);
            let read = move || reader.board.follow.as_ref().map(RecordWatcher::refresh);
            let news = spawn_blocking(read).await.ok()??;
            let (name, json) = if news.standing.1 != seen.0 {
                seen.0 = news.standing.1;
                ("match", news.standing.0)
            } else if news.running.1 != seen.1 {
                seen.1 = news.running.1;
                ("running", news.running.0)
            } else {
                if !news.has_more {
                    pace.tick().await;
                }
                continue;
            };
            let event = Event::default().event(name).data(&*json);
            return Some((Ok(event), (served, pace, seen)));
        }
    }))
}
