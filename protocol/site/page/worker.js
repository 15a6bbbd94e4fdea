// Answers the page in a thread of its own: the board and the engine as WebAssembly. Searches let requests in: where WebAssembly can wait for
// a promise (JSPI) every few milliseconds, elsewhere between the pieces into which they are cut.

import * as kept from './kept.js';

/** How long a search runs before it lets others work, and how often a page wants new lines of an analysis, in ms. */
const LOOK = 10;
const LINES = 80;

// The smallest module with a vector in it: a browser that does not know it cannot run the engine.
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const canWait = typeof WebAssembly === 'object' && typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {any} The functions of the module. */
let board;
/** @type {() => Promise<bigint>} */
let answered;
/** @type {() => Promise<number>} */
let searched;
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
  return canWait && performance.now() - looked >= LOOK ? wait(moment) : 0;
}

/** @param {number} ms */
function rest(ms) {
  if (canWait) return wait(() => new Promise((done) => { setTimeout(done, ms); }));
  const begun = performance.now();
  while (performance.now() - begun < ms);
  return undefined;
}

// What goes in and out.

/** @param {Uint8Array} bytes */
function put(bytes) {
  const at = board.fauve_input(bytes.length);
  if (at === 0 && bytes.length) throw new Error(`there is no memory for ${bytes.length} bytes`);
  new Uint8Array(board.memory.buffer, at, bytes.length).set(bytes);
}

/** @param {string} text */
function say(text) {
  put(encoder.encode(text));
}

/** Text that the module gives, `null` if it gives none. @param {bigint} bytes @returns {string | null} */
function taken(bytes) {
  // A number of 64 bits comes signed.
  const all = BigInt.asUintN(64, bytes);
  if (all === 0n) return null;
  const text = decoder.decode(new Uint8Array(board.memory.buffer, Number(all >> 32n), Number(all & 0xffffffffn)));
  board.fauve_free(all);
  return text;
}

/** @param {string} text */
function headed(text) {
  const end = text.indexOf('\n');
  return [text.slice(0, end), text.slice(end + 1)];
}

async function load() {
  if (typeof WebAssembly !== 'object') throw new Error('This browser has no WebAssembly, which the engine needs.');
  if (!WebAssembly.validate(VECTORS)) {
    throw new Error('This browser’s WebAssembly has no vectors (SIMD), which the engine needs; browsers have them since 2021 (Safari since 16.4).');
  }
  const random = new BigUint64Array(1);
  /** @param {(...words: any[]) => any} call */
  const suspending = (call) => (canWait ? new /** @type {any} */ (WebAssembly).Suspending(call) : call);
  const imports = {
    now: () => performance.now(),
    calendar: () => Date.now(),
    random: () => crypto.getRandomValues(random)[0],
    stop_wanted: suspending(stopWanted),
    rest: suspending(rest),
    failed: (/** @type {number} */ at, /** @type {number} */ length) => fail(decoder.decode(new Uint8Array(board.memory.buffer, at, length))),
  };
  const response = await fetch(new URL('fauve.wasm', import.meta.url));
  if (!response.ok) throw new Error(`The engine cannot be loaded: ${response.status} ${response.statusText}`);
  let module;
  try {
    // A server that does not know the type of the file does not keep it from being read.
    module = await (response.headers.get('Content-Type') === 'application/wasm' ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes)));
  } catch (error) {
    throw new Error(`The engine is damaged or not whole: ${error.message}`, { cause: error });
  }
  const instance = await WebAssembly.instantiate(module, { fauve: imports });
  board = instance.exports;
  const promising = (/** @type {any} */ call) => (canWait ? /** @type {any} */ (WebAssembly).promising(call) : async () => call());
  answered = promising(board.fauve_request);
  searched = promising(board.fauve_run);
  board.fauve_begin(canWait ? 1 : 0);
}

const loaded = load();
loaded.catch((error) => fail(error.message));

// The endgame tables of two-move chess: fetched when that game is played, and done without where they cannot be had.

let tables = false;

async function loadTables() {
  if (tables) return;
  tables = true;
  try {
    const response = await fetch(new URL('twomove.tables', import.meta.url));
    if (!response.ok) throw new Error(response.statusText);
    const bytes = new Uint8Array(await response.arrayBuffer());
    while (isGoingOn) await null;
    put(bytes);
    const wrong = taken(board.fauve_tables());
    if (wrong) throw new Error(wrong);
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
      const message = taken(board.fauve_message(watcher)) ?? (lines ? taken(board.fauve_lines(watcher)) : null);
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
    say(id);
    const saved = taken(board.fauve_save());
    const wrong = saved && (await kept.put(id, saved));
    if (wrong) postMessage({ notice: wrong });
  }
}

/** Takes a game up that the browser has kept, if it has; gives the name by which it is played here. @param {string} id */
async function takeUp(id) {
  if (known.has(id)) return id;
  const saved = await kept.get(id);
  if (!saved || known.has(id)) return id;
  let [own, text] = [id, saved];
  if (!(await kept.claim(id))) {
    // Another page plays it: two could not both be kept.
    own = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    text = JSON.stringify({ ...JSON.parse(saved), id: own });
    await kept.claim(own);
    postMessage({ notice: 'This game is open in another page: here is a copy of it.' });
  }
  while (isGoingOn) await null;
  say(text);
  const wrong = taken(board.fauve_restore());
  if (wrong) postMessage({ notice: `The game that was kept cannot be read: ${wrong}` });
  else known.add(own);
  return wrong ? id : own;
}

/** Runs the searches that are due. */
async function search() {
  while (!isOver && (await entered(searched))) {
    deliver();
    if (!canWait) await moment();
  }
  // A search that has come to its end has no later lines.
  deliver(true);
}

/** @param {string} method @param {string} path @param {string | Uint8Array} body */
async function answer(method, path, body) {
  const game = /^\/api\/games\/([0-9a-f]{32})(\/.*)?$/.exec(path);
  let asked = path;
  if (game) asked = `/api/games/${await takeUp(game[1])}${game[2] ?? ''}`;
  const line = encoder.encode(`${method} ${asked}\n`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const request = new Uint8Array(line.length + tail.length);
  request.set(line);
  request.set(tail, line.length);
  const [head, text] = headed(taken(await entered(answered, () => put(request))) ?? '');
  const [, status, mime] = /^(\d+) (.*)$/.exec(head) ?? [];
  if (method === 'POST' && path === '/api/games' && status === '200') {
    const { id, variant } = JSON.parse(text);
    known.add(id);
    kept.claim(id);
    if (variant === 'twomove') loadTables();
  }
  return { status: Number(status), mime, body: text };
}

/** @param {number} stream @param {string} path */
async function watch(stream, path) {
  const [, id] = /^\/api\/games\/([0-9a-f]{32})\/events$/.exec(path) ?? [];
  const own = id && (await takeUp(id));
  while (isGoingOn) await null;
  if (own) say(own);
  const watcher = own ? board.fauve_watch() : -1;
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

onmessage = async ({ data: { id, method, path, body, watch: opened, unwatch: closed } }) => {
  try {
    if (path === '/api/kept') {
      postMessage({ id, answer: { status: 200, mime: 'application/json', body: JSON.stringify(await kept.list()) } });
      return;
    }
    await loaded;
    const done = closed !== undefined ? unwatch(closed) : opened !== undefined ? await watch(opened, path) : await answer(method, path, body);
    postMessage({ id, answer: done });
    await search();
  } catch (error) {
    fail(error.message);
  }
};
