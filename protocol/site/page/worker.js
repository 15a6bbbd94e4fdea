// Answers the page in a thread of its own: the board and the engine as WebAssembly. Where WebAssembly can wait for a promise (JSPI), searches
// run here and let requests in every few milliseconds; elsewhere they run in workers of their own.

import * as kept from './kept.js';
import { Instance, fetched, headed } from './module.js';
import { Lacking, Networks } from './networks.js';
import { Searchers } from './searchers.js';

/** How long a search runs before it lets others work, and how often a page wants new lines of an analysis, in ms. */
const LOOK = 10;
const LINES = 80;

const canWait = typeof WebAssembly === 'object' && typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function';
const encoder = new TextEncoder();

/** @type {Instance} */
let instance;
/** @type {any} The functions of the module. */
let board;
/** @type {() => Promise<bigint>} */
let answered;
/** @type {() => Promise<number>} Runs a search here. */
let searched;
/** Where searches run elsewhere. @type {Searchers | undefined} */
let searchers;
let isOver = false;

/** @param {string} why */
function fail(why) {
  if (!isOver) postMessage({ failed: why });
  isOver = true;
}

// Letting others work. The calls into the module that can wait have one stack: only the last of them goes on, the others after it.

/** The calls that are under way, the last one at the end. @type {object[]} */
const calls = [];
/** The one that runs, or ran last. @type {object | null} */
let current = null;
/** Whether a call is about to begin or to go on: until it does, no other begins, and nothing is put where it reads. */
let isGoingOn = false;
/** @type {(() => void)[]} */
let waiting = [];
let looked = 0;
let linesTold = 0;

const { port1, port2 } = new MessageChannel();
/** @type {((nothing: null) => void)[]} */
const moments = [];
port1.onmessage = () => moments.shift()?.(null);

/** Lets the messages in that are there. */
function moment() {
  return new Promise((done) => {
    moments.push(done);
    port2.postMessage(null);
  });
}

/** Begins a call that can wait; `prepare` gives the module what it reads. @template R @param {() => Promise<R>} call @param {() => void} [prepare] @returns {Promise<R>} */
async function entered(call, prepare) {
  while (isGoingOn) await null;
  const own = {};
  calls.push(own);
  current = own;
  isGoingOn = true;
  try {
    prepare?.();
    return await call();
  } finally {
    calls.splice(calls.indexOf(own), 1);
    isGoingOn = false;
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  }
}

/** Waits, and then for the calls that have begun meanwhile. @param {() => Promise<unknown>} pause */
async function wait(pause) {
  const own = current;
  isGoingOn = false;
  deliver();
  await pause();
  while (isGoingOn || calls.at(-1) !== own) await new Promise((resume) => { waiting.push(() => resume(null)); });
  isGoingOn = true;
  current = own;
  looked = performance.now();
  return 0;
}

function stopWanted() {
  return performance.now() - looked >= LOOK ? wait(moment) : 0;
}

/** @param {number} ms */
function rest(ms) {
  return wait(() => new Promise((done) => { setTimeout(done, ms); }));
}

/** @param {WebAssembly.Module} module */
async function load(module) {
  if (canWait) {
    const { Suspending, promising } = /** @type {any} */ (WebAssembly);
    instance = await Instance.of(module, { failed: fail, stopWanted: new Suspending(stopWanted), rest: new Suspending(rest) });
    board = instance.board;
    answered = promising(board.fauve_request);
    searched = promising(board.fauve_run);
  } else {
    instance = await Instance.of(module, { failed: fail });
    board = instance.board;
    answered = async () => board.fauve_request();
    searchers = new Searchers({
      make: (number, port) => postMessage({ searcher: number, port }, [port]),
      end: (number) => postMessage({ ended: number }),
    });
  }
  board.fauve_begin(canWait ? 1 : 0);
  evaluated = instance.networks();
}

/** @type {(module: WebAssembly.Module) => void} */
let receive;
/** Once the page has given the module. */
const loaded = new Promise((done) => { receive = done; }).then(load);
loaded.catch((error) => fail(error.message));

// Networks: no game is begun or taken up without its own, so that everything that is asked of a game finds it there. The first game's comes
// together with the module, the others after it, one after the other.

const networks = new Networks(async (game, network) => {
  await loaded;
  while (isGoingOn) await null;
  const wrong = instance.takeNetwork(game, network);
  if (!wrong) searchers?.giveNetwork(game, network);
  return wrong;
});
/** The games that have networks. @type {string[]} */
let evaluated = [];
/** Ends once every network is there or was not to be had. @type {Promise<void>} */
let settled = Promise.resolve();

/** What the page begins with, as far as it knows that itself: its address, the games of its tab, the shown one first, and the game that it was made for. @typedef {{ hash: string, tab: { id: string, variant: string }[], variant: string }} Beginning */

/** Loads all networks, that of the game first that the page begins with. @param {Beginning} page */
async function loadNetworks(page) {
  const first = networks.of(await firstGame(page)).catch(() => {});
  await loaded;
  await first;
  // A request that needs one that could not be had asks for it again, and answers why it is missing.
  for (const game of evaluated) await networks.of(game).catch(() => {});
  postMessage({ settled: true });
}

/** The game that a page begins with. @param {Beginning} page @returns {Promise<string>} */
async function firstGame({ hash, tab, variant }) {
  const id = /^#\/([0-9a-f]{32})/.exec(hash)?.[1];
  const game = id ? tab.find((one) => one.id === id)?.variant : (new URLSearchParams(hash.slice(1)).get('game') ?? tab[0]?.variant);
  const likely = game ?? variantOf((await (id ? kept.get(id) : kept.last())) ?? '');
  // An address may say anything.
  return /^[a-z0-9]+$/.test(likely ?? '') ? likely : variant;
}

/** Waits for what a game needs. @param {string} [variant] of the game, if that is known: if not, it may be any */
async function ready(variant) {
  if (variant !== undefined && evaluated.includes(variant)) await networks.of(variant);
  else for (const game of evaluated) await networks.of(game);
}

/** Which game a new one is, or one that was kept; nothing where that is not said, or a file says it. @param {string | Uint8Array} text @returns {string | undefined} */
function variantOf(text) {
  try {
    const { variant, file } = JSON.parse(typeof text === 'string' ? text : '');
    return file ? undefined : variant;
  } catch {
    return undefined;
  }
}

// The endgame tables of two-move chess: fetched when that game is played, and done without where they cannot be had.

let tables = false;

async function loadTables() {
  if (tables) return;
  tables = true;
  try {
    const bytes = await fetched('twomove.tables');
    while (isGoingOn) await null;
    const wrong = instance.takeTables(bytes);
    if (wrong) throw new Error(wrong);
    searchers?.giveTables(bytes);
  } catch {
    tables = false;
  }
}

// Games.

/** The streams of the page: the number of each here and in the module, and its game. @type {Map<number, { watcher: number, id: string }>} */
const streams = new Map();
/** Games that the module has. @type {Set<string>} */
const known = new Set();

/** Sends what there is to be told; the lines of an analysis not too often, unless they are the last. @param {boolean} [areLast] */
function deliver(areLast = false) {
  const now = performance.now();
  const lines = areLast || now - linesTold >= LINES;
  if (lines) linesTold = now;
  for (const [stream, { watcher, id }] of streams) {
    for (;;) {
      const message = instance.taken(board.fauve_message(watcher)) ?? (lines ? instance.taken(board.fauve_lines(watcher)) : null);
      if (message === null) break;
      const [name, json] = headed(message);
      postMessage({ stream, name, json });
      if (name === 'state') keep(id);
      if (name === 'lines') break;
    }
  }
}

/** Games that have changed. @type {Set<string>} */
const changed = new Set();

/** Lets the browser keep a game as it is soon. @param {string} id */
function keep(id) {
  if (!changed.size) setTimeout(store, 50);
  changed.add(id);
}

async function store() {
  const ids = [...changed];
  changed.clear();
  for (const id of ids) {
    while (isGoingOn) await null;
    instance.say(id);
    const isKept = board.fauve_is_worth_keeping();
    instance.say(id);
    const saved = isKept ? instance.taken(board.fauve_save()) : null;
    const wrong = await (saved ? kept.put(id, saved) : kept.remove(id));
    if (wrong) postMessage({ notice: wrong });
  }
}

/** Takes a game up that the browser has kept, if it has; gives the name by which it is played here. @param {string} id */
async function takeUp(id) {
  if (known.has(id)) return id;
  const saved = await kept.get(id);
  if (saved) await ready(variantOf(saved));
  if (!saved || known.has(id)) return id;
  let [own, text] = [id, saved];
  if (!(await kept.claim(id))) {
    // Another page plays it: two could not both be kept.
    own = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    text = JSON.stringify({ ...JSON.parse(saved), id: own });
    await kept.claim(own);
    postMessage({ notice: 'This game is open in another page: here is a copy of it.' });
  }
  const wrong = await restored(text);
  if (wrong) {
    postMessage({ notice: `The game that was kept cannot be read: ${wrong}` });
    return id;
  }
  known.add(own);
  if (variantOf(saved) === 'twomove') loadTables();
  return own;
}

/** The module serves a bounded number of games: one that it has dropped is taken up again as the browser has kept it. Gives whether that was done. @param {string} id @returns {Promise<boolean>} */
async function takeUpAgain(id) {
  const saved = known.has(id) ? await kept.get(id) : null;
  if (!saved) return false;
  await ready(variantOf(saved));
  return !(await restored(saved));
}

/** Gives a kept game to the module; gives what is wrong with it, if anything is. @param {string} saved */
async function restored(saved) {
  while (isGoingOn) await null;
  instance.say(saved);
  return instance.taken(board.fauve_restore());
}

/** Runs the searches that are due. */
async function search() {
  if (searchers) {
    manage();
    return;
  }
  while (!isOver && (await entered(searched))) deliver();
  // A search that has come to its end has no later lines.
  deliver(true);
}

// Searches that run elsewhere.

/** The workers of those that have a number. @type {Map<number, import('./searchers.js').Searcher>} */
const searching = new Map();
let managing = 0;

/** Ends the searches that are over or not wanted any more, begins those that are due, and tells what is new. */
function manage() {
  let hasEnded = false;
  for (let number = board.fauve_settle(); number; number = board.fauve_settle()) {
    const worker = searching.get(number);
    if (worker) searchers?.end(worker);
    searching.delete(number);
    hasEnded = true;
  }
  for (let next = instance.taken(board.fauve_next_search()); next !== null; next = instance.taken(board.fauve_next_search())) {
    const [number, text] = headed(next);
    begin(Number(number), text);
  }
  deliver(hasEnded);
  const left = board.fauve_rest();
  clearTimeout(managing);
  // Lines that came too soon after others go out later.
  if (left >= 0 || searching.size) managing = setTimeout(manage, left < 0 ? LINES : Math.min(left, LINES));
}

/** @param {number} number @param {string} text */
function begin(number, text) {
  if (!searchers) return;
  const worker = searchers.begin(text, {
    said: (said) => {
      instance.say(said);
      board.fauve_heard(number);
      deliver();
    },
    done: (why) => {
      searching.delete(number);
      if (why === undefined) board.fauve_finished(number);
      else board.fauve_broke_down(number);
      manage();
    },
  });
  searching.set(number, worker);
}

/** Ends with the searches of answers that were begun before. @type {Promise<unknown>} */
let asking = Promise.resolve();

/** What a search says last that an answer waits for; one after the other. @param {string} text @returns {Promise<string>} */
function found(text) {
  const own = asking.then(() => new Promise((done, broken) => {
    let last = '';
    searchers?.begin(text, { said: (said) => { last = said; }, done: (why) => (why === undefined ? done(last) : broken(new Error(why))) });
  }));
  asking = own.catch(() => {});
  return own;
}

/** The answer to a request, as the module gives it: the status, the type, and the text. @param {Uint8Array} bytes @returns {Promise<[number, string, string]>} */
async function requested(bytes) {
  for (;;) {
    const [head, text] = headed(instance.taken(await entered(answered, () => instance.put(bytes))) ?? '');
    const [, status, mime] = /^(\d+) (.*)$/.exec(head) ?? [];
    if (status !== '202') return [Number(status), mime, text];
    let said;
    try {
      said = await found(text);
    } catch {
      return [500, 'application/json', JSON.stringify({ error: 'The search broke down; please report the position.' })];
    }
    instance.say(`${text}\n${said}`);
    board.fauve_answered();
  }
}

/** @param {string} method @param {string} path @param {string | Uint8Array} body */
async function answer(method, path, body) {
  const game = /^\/api\/games\/([0-9a-f]{32})(\/.*)?$/.exec(path);
  let asked = path;
  let own = '';
  if (game) {
    own = await takeUp(game[1]);
    asked = `/api/games/${own}${game[2] ?? ''}`;
  } else if (method === 'POST' && path === '/api/games') await ready(variantOf(body));
  else await settled;
  const line = encoder.encode(`${method} ${asked}\n`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const request = new Uint8Array(line.length + tail.length);
  request.set(line);
  request.set(tail, line.length);
  let [status, mime, text] = await requested(request);
  if (status === 404 && own && (await takeUpAgain(own))) [status, mime, text] = await requested(request);
  if (method === 'POST' && path === '/api/games' && status === 200) {
    const { id, variant } = JSON.parse(text);
    known.add(id);
    kept.claim(id);
    if (variant === 'twomove') loadTables();
  }
  return { status, mime, body: text };
}

/** @param {number} stream @param {string} path */
async function watch(stream, path) {
  const [, id] = /^\/api\/games\/([0-9a-f]{32})\/events$/.exec(path) ?? [];
  const own = id && (await takeUp(id));
  const watched = async (/** @type {string} */ name) => {
    while (isGoingOn) await null;
    instance.say(name);
    return board.fauve_watch();
  };
  let watcher = own ? await watched(own) : -1;
  if (watcher < 0 && own && (await takeUpAgain(own))) watcher = await watched(own);
  if (watcher < 0) return { status: 404, mime: 'text/plain', body: '' };
  streams.set(stream, { watcher, id: own });
  return { status: 200, mime: 'text/plain', body: '' };
}

/** @param {number} stream */
function unwatch(stream) {
  const watched = streams.get(stream);
  if (watched) board.fauve_unwatch(watched.watcher);
  streams.delete(stream);
  return { status: 200, mime: 'text/plain', body: '' };
}

/** @param {any} message of the page @returns {Promise<{ status: number, mime: string, body: string }>} */
async function serve({ method, path, body, watch: opened, unwatch: closed }) {
  try {
    return closed !== undefined ? unwatch(closed) : opened !== undefined ? await watch(opened, path) : await answer(method, path, body);
  } catch (error) {
    if (!(error instanceof Lacking)) throw error;
    return { status: 503, mime: 'application/json', body: JSON.stringify({ error: error.message }) };
  }
}

onmessage = async ({ data }) => {
  const { id, path, page, module, lost, why } = data;
  try {
    if (module) {
      receive(module);
      return;
    }
    // The first message.
    if (page) {
      settled = loadNetworks(page);
      // That the module cannot be loaded is said already.
      settled.catch(() => {});
      return;
    }
    if (lost !== undefined) {
      searchers?.hearOfLoss(lost, why);
      return;
    }
    if (path === '/api/kept') {
      postMessage({ id, answer: { status: 200, mime: 'application/json', body: JSON.stringify(await kept.list()) } });
      return;
    }
    await loaded;
    postMessage({ id, answer: await serve(data) });
    await search();
  } catch (error) {
    fail(error.message);
  }
};
