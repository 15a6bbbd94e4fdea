// Sessions of a person who does anything: clicks, drags, keys, words, reloads, windows of any size, a server that is killed, all at random
// from a seed. After each event the page shows what the server has, nothing is said in the console, and no game is lost.
// SESSIONS, EVENTS and SEED set how much and which; a session that fails prints the line that repeats it. SOAK is the number of events of a
// last session without a reload, in which the memory of page and server has to stay bounded: 3600 are an hour of a busy person.

import { readFileSync } from 'node:fs';
import { Board, browse, check, equal, scratch, serve, sleep } from './driver.mjs';

const SESSIONS = Number(process.env.SESSIONS ?? 5);
const EVENTS = Number(process.env.EVENTS ?? 50);
const FIRST = Number(process.env.SEED ?? 1);
const SOAK = Number(process.env.SOAK ?? 0);
/** How long the page may take until it shows what the server has, in ms. */
const TIMEOUT = 25_000;

const VARIANTS = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'f', 'a', 'h', '/', '?', 'Escape', 'Enter', 'Backspace', 'Tab', 'Space', 'q', 'e'];
const WORDS = ['e4', 'Nf3', 'e2e4', 'e7e5', 'A@h1', 'right', 'O-O', 'e4 e5', 'Zz9', '', '🎲', '<b>', 'PNB:e2e4', 'f6-f7'];
const SIZES = [[1280, 900], [1280, 720], [900, 500], [390, 844], [844, 390], [1920, 1200], [700, 900]];
/** What is done, and how often. */
const EVENTS_OF = [['step', 34], ['click', 12], ['drag', 6], ['key', 14], ['press', 18], ['choose', 4], ['type', 4], ['wheel', 2], ['resize', 2], ['reload', 3], ['travel', 2], ['kill', 1]];
/** What ends the page that is soaked, or its server. */
const ENDS = ['reload', 'kill'];
/** Buttons that open what is no part of the page: a choice of files, a file that is saved. */
const OUTSIDE = /^(Open PGN|Save as PGN)/;

let server;
const folder = scratch();

/** Random numbers of a seed (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 4294967296) * n);
  };
}

/** What the page has and shows, and what the server says to that, as texts that are to be equal by pairs. */
function compare() {
  const app = window.fauve;
  // Clocks run, and searches come and go.
  const ordered = (value) => (value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value);
  const text = (value) => JSON.stringify(value, (_, inner) => ordered(inner));
  const plain = (state) => text({ ...state, clock: null, thinking: null });
  const { get, post } = window.fuzzed;
  const { state, place, looked } = app;
  return (async () => {
    const pairs = [];
    const kept = JSON.parse(sessionStorage.getItem('fauve'));
    pairs.push(['the game of the tab', kept.id, state.id]);
    const own = await get(`/api/games/${state.id}`);
    pairs.push(['the game', plain(state), plain(own)]);
    if (place) {
      const there = await post(`/api/games/${state.id}`, { do: 'look', place });
      pairs.push(['the place', text(looked.view), text(there.view)]);
    }
    // The game or its place has changed while the server was asked: what follows would compare two of them.
    if (app.state !== state || app.place !== place) return [['the page', 'goes on', 'rests']];
    const shown = app.shown();
    pairs.push(['the board', document.body.dataset.fen, shown.fen]);
    if (!place && app.isLive() && !app.premoves.queue.length && !app.input.placing) pairs.push(['the position', shown.fen, own.view.fen]);
    const solid = document.querySelector('#board canvas');
    if (!solid) {
      const drawn = {};
      for (const square of document.querySelectorAll('#board [data-square]')) {
        const piece = square.querySelector('.piece');
        if (!piece) continue;
        const letter = piece.getAttribute('href').replace('#piece-', '');
        drawn[square.dataset.square] = piece.classList.contains('white') ? letter : letter.toLowerCase();
      }
      const meant = Object.fromEntries(shown.pieces.map((one) => [one.square, one.letter]));
      pairs.push(['the pieces', text(drawn), text(meant)]);
    }
    if (app.tabName === 'play' || app.tabName === 'analyse') {
      // The turns of the game itself, and those of its variations.
      const count = (turns) => turns.reduce((sum, turn) => sum + 1 + (turn.variations ?? []).reduce((all, line) => all + count(line.turns), 0), 0);
      pairs.push(['the list', String(document.querySelectorAll('#panel .turn[data-path]').length), String(count(state.turns))]);
    }
    const words = document.body.innerText.match(/undefined|NaN|\[object|\bnull\b/);
    pairs.push(['the words', words ? document.body.innerText.slice(Math.max(0, words.index - 60), words.index + 60) : '', '']);
    pairs.push(['ghosts', String(document.querySelectorAll('.ghost').length), '0']);
    pairs.push(['dialogs', String(document.querySelectorAll('dialog:not([open])').length), '0']);
    return pairs.filter(([, is, should]) => is !== should);
  })();
}

/** A session: a page, and what is done on it. */
class Session {
  constructor(board, seed) {
    Object.assign(this, { board, page: board.page, random: randomOf(seed), log: [], games: new Set() });
  }

  pick(list) {
    return list[this.random(list.length)];
  }

  async begin() {
    const variant = this.pick(VARIANTS);
    await this.page.evaluate((text) => localStorage.setItem('fauve', text), JSON.stringify({ nodes: 1000, hash: 4, lines: 1 + this.random(3), level: 1, relief: this.pick(['cubes', 'numbers']) }));
    await this.page.goto(`${server.url}#game=${variant}`);
    await this.page.reload({ waitUntil: 'load' });
    await this.board.ready();
    this.log.push(variant);
    const players = this.pick(['person', 'engine', 'engine', 'watch']);
    if (players === 'person') return;
    this.log.push(players);
    await this.page.evaluate((how, clock) => {
      const engine = { kind: 'engine', level: 1 };
      const white = how === 'watch' ? engine : { kind: 'human' };
      return window.fauve.newGame({ white, black: engine, clock });
    }, players, this.random(3) ? undefined : { minutes: 0.2 + this.random(5), increment: 1 });
  }

  /** A step that is allowed, by clicks or by dragging. */
  async step() {
    const step = await this.page.evaluate((n) => {
      const app = window.fauve;
      const steps = app.canMove() ? app.shown().steps.filter((one) => one.from) : [];
      return steps.length ? steps[Math.floor(n * steps.length)] : null;
    }, this.random(1000) / 1000);
    if (!step) return 'no step';
    const [from, to] = await this.points([step.from, step.to]);
    if (!from || !to) return 'hidden';
    if (this.random(3)) {
      await this.page.mouse.click(...from);
      await this.page.mouse.click(...to);
    } else {
      await this.page.mouse.move(...from);
      await this.page.mouse.down();
      await this.page.mouse.move(...to, { steps: 3 });
      await this.page.mouse.up();
    }
    return step.token;
  }

  /** The middles of squares. */
  points(squares) {
    return this.page.evaluate((names) => names.map((name) => {
      const part = document.querySelector(`#board [data-square="${name}"] .tile, #board [data-square="${name}"] .top, #board [data-square="${name}"]`);
      if (!part) return null;
      const { left, top, width, height } = part.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }), squares);
  }

  /** A point of the board, wherever. */
  async point() {
    const box = await this.page.$eval('#board', (one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return [left, top, width, height];
    });
    return [box[0] + (box[2] * this.random(1000)) / 1000, box[1] + (box[3] * this.random(1000)) / 1000];
  }

  async click() {
    const at = await this.point();
    await this.page.mouse.click(...at, { button: this.random(6) ? 'left' : 'right' });
    return at.map(Math.round);
  }

  async drag() {
    const [from, to] = [await this.point(), await this.point()];
    const button = this.random(4) ? 'left' : 'right';
    await this.page.mouse.move(...from);
    await this.page.mouse.down({ button });
    await this.page.mouse.move(...to, { steps: 2 });
    if (!this.random(5)) await this.page.keyboard.press('Escape');
    await this.page.mouse.up({ button });
    return `${button} ${from.map(Math.round)} ${to.map(Math.round)}`;
  }

  async key() {
    const key = this.pick(KEYS);
    await this.page.keyboard.press(key);
    return key;
  }

  /** A button that can be seen. */
  async press() {
    const found = await this.page.evaluate((n, outside) => {
      const top = document.querySelector('dialog[open]') ?? document;
      const all = [...top.querySelectorAll('button, summary, input[type=checkbox]')].filter((one) => !one.disabled && one.checkVisibility() && !new RegExp(outside).test(one.textContent));
      const one = all[Math.floor(n * all.length)];
      if (!one) return null;
      one.scrollIntoView({ block: 'nearest' });
      const { left, top: above, width, height } = one.getBoundingClientRect();
      return { label: one.getAttribute('aria-label') ?? one.textContent, at: [left + width / 2, above + height / 2] };
    }, this.random(1000) / 1000, OUTSIDE.source);
    if (!found) return 'nothing';
    await this.page.mouse.click(...found.at);
    return found.label;
  }

  /** Another value of a choice. */
  async choose() {
    return this.page.evaluate((n, m) => {
      const all = [...document.querySelectorAll('select')].filter((one) => one.checkVisibility());
      const select = all[Math.floor(n * all.length)];
      if (!select) return 'nothing';
      select.selectedIndex = Math.floor(m * select.options.length);
      select.dispatchEvent(new Event('change', { bubbles: true }));
      return `${select.closest('label')?.textContent.slice(0, 12)} ${select.value}`;
    }, this.random(1000) / 1000, this.random(1000) / 1000);
  }

  /** Words into a field. */
  async type() {
    const fields = await this.page.$$('#typed, .remark, #paste, #search, #setupfen');
    const field = this.pick(fields);
    if (!field) return 'no field';
    const word = this.pick(WORDS);
    const done = await field.type(word).then(() => field.press('Enter')).then(() => true, () => false);
    await this.page.evaluate(() => document.activeElement?.blur());
    // A handle would keep the field in memory, with all that was around it.
    await Promise.all(fields.map((one) => one.dispose()));
    return done ? word : 'gone';
  }

  async wheel() {
    await this.page.mouse.move(...await this.point());
    const deltaY = this.pick([-120, 120, -40, 300]);
    await this.page.mouse.wheel({ deltaY });
    return deltaY;
  }

  async resize() {
    const [width, height] = this.pick(SIZES);
    await this.page.setViewport({ width, height });
    return `${width}x${height}`;
  }

  async reload() {
    await this.page.reload({ waitUntil: 'load' });
    await this.board.ready();
    return '';
  }

  async travel() {
    const way = this.pick(['back', 'forward']);
    // That may lead to the page as it was opened, which is loaded then.
    await this.page.evaluate((name) => { if (location.hash.startsWith('#/')) history[name](); }, way).catch(() => {});
    await sleep(100);
    if (!this.page.url().startsWith(server.url)) await this.page.goForward({ waitUntil: 'load' });
    await this.board.ready();
    return way;
  }

  /** The server is killed, and another one takes its place. */
  async kill() {
    await new Promise((done) => { server.child.once('exit', done).kill('SIGKILL'); });
    if (this.random(2)) await this.page.waitForFunction(() => document.body.classList.contains('gone'), { timeout: TIMEOUT });
    server = await serve('--keep', folder, '--port', String(server.port));
    await this.page.waitForFunction(() => !document.body.classList.contains('gone') && window.fauve?.state?.id, { timeout: TIMEOUT });
    return '';
  }

  /** One event. */
  async event(events = EVENTS_OF) {
    let n = this.random(events.reduce((sum, [, weight]) => sum + weight, 0));
    const [name] = events.find(([, weight]) => {
      n -= weight;
      return n < 0;
    });
    this.log.push(name);
    const what = await this[name]();
    this.log[this.log.length - 1] = `${name} ${what}`;
  }

  /** Waits until the page shows what the server has. */
  async settle() {
    const begun = Date.now();
    const end = begun + TIMEOUT;
    let wrong;
    do {
      wrong = await this.page.evaluate(compare).catch((error) => [['the comparison', error.message, '']]);
      if (!wrong.length) break;
      await sleep(30);
    } while (Date.now() < end);
    if (Date.now() > begun + 1000) this.log.push(`settled after ${Date.now() - begun} ms`);
    check(!wrong.length, wrong.map(([what, is, should]) => `${what}: ${difference(is, should)}`).join('; '));
    const state = await this.page.evaluate(() => ({ id: window.fauve.state.id, turns: window.fauve.state.turns.length, task: Boolean(window.fauve.task()) }));
    if (state.turns && !state.task) this.games.add(state.id);
  }

  /** Whether all games are there in which something was played and not taken back. */
  async keeps() {
    const lost = [];
    for (const id of this.games) {
      const answer = await fetch(`${server.url}api/games/${id}`);
      if (!answer.ok) lost.push(id);
    }
    return lost;
  }
}

/** Where two texts part. */
function difference(is, should) {
  let at = 0;
  while (at < Math.min(is.length, should.length) && is[at] === should[at]) at += 1;
  const near = (text) => text.slice(Math.max(0, at - 40), at + 80);
  return `…${near(is)}… and should be …${near(should)}…`;
}

/** A page for a session. */
async function open(browser, seed) {
  const board = await Board.open(browser, server.url);
  // What the page asks the server, also after a reload.
  await board.page.evaluateOnNewDocument(() => {
    const answer = async (response) => {
      if (!(await response).ok) throw new Error(`${(await response).status}`);
      return (await response).json();
    };
    window.fuzzed = {
      get: (path) => answer(fetch(path)),
      post: (path, body) => answer(fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })),
    };
  });
  return new Session(board, seed);
}

/** Some events, each with its check; a failure names the events that led there. */
async function run(one, count, events) {
  try {
    await repeat(one, count, events);
  } catch (error) {
    throw new Error(`${error.message}\n  said: ${one.board.faults}\n  events: ${one.log.slice(-14).join(' | ')}`);
  }
}

async function repeat(one, count, events) {
  const { board } = one;
  for (let i = 0; i < count; i++) {
    await one.event(events);
    await one.settle();
    // A server that was killed is missed in the console, too.
    board.faults = board.faults.filter((fault) => !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load|Failed to fetch/.test(fault));
    equal(board.faults, [], 'faults on the page');
  }
}

async function session(browser, seed) {
  const one = await open(browser, seed);
  try {
    await one.begin();
    await one.settle();
    await run(one, EVENTS);
    await one.board.close();
    return one;
  } catch (error) {
    // A page that hangs does not close either.
    await Promise.race([one.board.context.close().catch(() => {}), sleep(3000)]);
    throw new Error(`${error.message}\n  again: SEED=${seed} SESSIONS=1 EVENTS=${EVENTS} node tests/board/fuzz.mjs`);
  }
}

/** A long session: what page and server hold is compared from one fifth of it to the end. */
async function soak(browser) {
  const one = await open(browser, FIRST);
  const devtools = await one.page.createCDPSession();
  const held = async () => {
    // What was a game of the page may be garbage only after the next one is drawn.
    await one.page.evaluate(() => {
      document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
      window.fauve.show('play');
      return window.fauve.open({ variant: 'chess', white: { kind: 'human' }, black: { kind: 'human' } });
    });
    await one.settle();
    for (let i = 0; i < 3; i++) {
      await devtools.send('HeapProfiler.collectGarbage');
      await sleep(200);
    }
    const { JSHeapUsedSize, Nodes, JSEventListeners } = await one.page.metrics();
    const server_ = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
    return { heap: JSHeapUsedSize / 2 ** 20, nodes: Nodes, listeners: JSEventListeners, server: server_ };
  };
  const events = EVENTS_OF.filter(([name]) => !ENDS.includes(name));
  await one.begin();
  const begun = Date.now();
  await run(one, Math.round(SOAK / 5), events);
  const before = await held();
  await run(one, SOAK - Math.round(SOAK / 5), events);
  const after = await held();
  await one.board.close();
  const text = (all) => `${all.heap.toFixed(1)} MB of scripts, ${all.nodes} nodes, ${all.listeners} listeners, server ${all.server.toFixed(0)} MB`;
  const said = `${SOAK} events in ${((Date.now() - begun) / 1000).toFixed(0)} s: ${text(before)} after a fifth, ${text(after)} at the end`;
  check(after.heap < before.heap + 8 && after.nodes < 2 * before.nodes + 2000 && after.listeners < 2 * before.listeners + 500 && after.server < before.server + 50, said);
  return said;
}

// Cubes 4D in three dimensions needs WebGL, which Chromium draws without a graphics card only with these switches.
const browser = await browse('--use-angle=swiftshader', '--enable-unsafe-swiftshader');
try {
  server = await serve('--keep', folder);
  const begun = Date.now();
  let events = 0;
  const faults = [];
  for (let seed = FIRST; seed < FIRST + SESSIONS; seed++) {
    try {
      const one = await session(browser, seed);
      events += EVENTS;
      // Turns that were taken back leave nothing to be kept.
      const lost = await one.keeps();
      if (lost.length && !one.log.some((line) => /Take back|kill/.test(line))) faults.push(`seed ${seed}: lost ${lost}`);
    } catch (error) {
      faults.push(error.message);
      if (!process.env.ALL) break;
    }
  }
  check(!faults.length, faults.join('\n\n'));
  if (SOAK) console.log(await soak(browser));
  console.log(`${SESSIONS} sessions of ${EVENTS} random events from seed ${FIRST}, ${events} in ${((Date.now() - begun) / 1000).toFixed(1)} s: the page shows what the server has, nothing in the console, no game is lost`);
} finally {
  await browser.close();
  await server.stop();
}
