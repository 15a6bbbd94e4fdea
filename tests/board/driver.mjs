// Starts the program and a browser, and does on the page what a person does.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import readline from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { Files } from './files.mjs';

const require = createRequire(`${process.env.TOOLS}/`);
const puppeteer = require('puppeteer-core');
export const axe = require('axe-core');

export const FAUVE = process.env.FAUVE ?? 'target/release/fauve';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A folder whose scripts and styles take the place of those in the program: what is being changed is tried without a build. */
const PAGE = process.env.PAGE;
/** What answers the page: the program, or with ADAPTER=worker the page's own worker, from a folder of static files (SITE), and with ADAPTER=plain
 * the same as in a browser without JSPI; with ADAPTER=offline the server of these files goes away as soon as a page is there. */
export const ADAPTER = process.env.ADAPTER ?? 'program';
const SITE = process.env.SITE ?? 'dist';
/** The servers that are away while no page is loaded for the first time, by their addresses. @type {Map<string, Files>} */
const absent = new Map();

/** The file of a path, where there is one in PAGE. */
function local(path) {
  const types = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const type = types[extname(path)];
  if (!type) return null;
  const file = [join(PAGE, path), ...['preact', 'three'].map((folder) => join(PAGE, folder, `${path}.gz`))].find((name) => existsSync(name));
  if (!file) return null;
  const body = readFileSync(file);
  return { contentType: type, body: file.endsWith('.gz') ? gunzipSync(body) : body };
}

export const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** Ends the test with what is wrong. */
export function check(is, what) {
  if (!is) throw new Error(what);
}

export function equal(is, should, what) {
  const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
  check(a === b, `${what}: ${a}, and should be ${b}`);
}

/** The programs that run: a test that fails leaves none behind. */
const started = new Set();
process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')));

/** The program serving the board on a free port. */
export async function serve(...words) {
  if (ADAPTER !== 'program') return serveSite(words);
  const child = spawn(FAUVE, ['board', '--no-open', ...(words.includes('--port') ? [] : ['--port', '0']), ...(words.includes('--pause') ? [] : ['--pause', '0']), ...(words.includes('--keep') ? [] : ['--no-keep']), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((done, fail) => {
    child.once('exit', (status) => fail(new Error(`fauve board ended with ${status}`)));
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\S+/.exec(line);
      if (found) done(found[0]);
    });
  });
  child.removeAllListeners('exit');
  started.add(child);
  child.once('exit', () => started.delete(child));
  return { url, port: Number(new URL(url).port), pid: child.pid, child, stop: () => { child.kill('SIGINT'); return new Promise((done) => { child.once('exit', done); }); } };
}

/** What takes the program's place where the page answers itself. @param {string[]} words */
async function serveSite(words) {
  check(!words.length, `fauve board ${words.join(' ')}: the page without a server has no such words`);
  if (ADAPTER === 'worker') return serveFolder(SITE);
  if (ADAPTER === 'plain') return serveFolder(withoutJspi(SITE));
  const server = await new Files(SITE).start();
  const { url } = server;
  await server.stop();
  absent.set(url, server);
  return { url, stop: () => Promise.resolve() };
}

/** A new folder for files of a test; it goes with the test. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'fauve-board-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A copy of the site as a browser has it whose WebAssembly cannot wait for a promise; it goes with the test.
 * @param {string} site @param {(worker: string) => string} [change] what else is different in the worker
 */
export function withoutJspi(site, change = (worker) => worker) {
  const place = scratch();
  cpSync(site, place, { recursive: true, filter: (path) => !path.startsWith(join(site, 'npm')) });
  const file = join(place, 'worker.js');
  const worker = readFileSync(file, 'utf8');
  const plain = worker.replace("typeof WebAssembly.Suspending === 'function'", 'false');
  check(plain !== worker, 'the worker looks for JSPI');
  writeFileSync(file, change(plain));
  return place;
}

/** A folder of static files, served on a free port. */
export async function serveFolder(folder) {
  const child = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((done, fail) => {
    child.once('exit', (status) => fail(new Error(`http.server ended with ${status}`)));
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:[^)\s]+/.exec(line);
      if (found) done(found[0]);
    });
  });
  child.removeAllListeners('exit');
  const gone = new Promise((done) => { child.once('exit', done); });
  return { url, stop: () => { child.kill('SIGKILL'); return gone; } };
}

/** A browser. */
export async function browse(...words) {
  return puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', ...words] });
}

/** Firefox. @param {string} program */
export async function browseFirefox(program) {
  return puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true });
}

/** The answers of the program on its protocol: what the page is compared with. */
export class Library {
  constructor(variant) {
    this.child = spawn(FAUVE, ['--variant', variant], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = [];
    this.waiting = null;
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.waiting?.();
    });
  }

  /** The lines that follow commands. */
  async ask(...commands) {
    this.lines.length = 0;
    this.child.stdin.write(`${commands.join('\n')}\nisready\n`);
    while (!this.lines.includes('readyok')) await new Promise((done) => { this.waiting = done; });
    return this.lines.slice(0, this.lines.indexOf('readyok'));
  }

  /** The position string and the result after turns. */
  async after(base, turns) {
    const lines = await this.ask(`position ${base}${turns.length ? ` moves ${turns.join(' ')}` : ''}`, 'd', 'query result');
    const error = lines.find((line) => line.includes('Error'));
    check(!error, error);
    const fen = lines.find((line) => line.startsWith('Fen: ')).slice(5);
    const result = lines.find((line) => line.startsWith('response ')).slice(9);
    return { fen, result };
  }

  stop() {
    this.child.stdin.end('quit\n');
  }
}

/** A page, and what a person does on it. */
export class Board {
  static async open(browser, url, { width = 1280, height = 900 } = {}) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width, height });
    const board = new Board(page, context);
    page.on('pageerror', (error) => board.faults.push(error.message));
    page.on('console', (message) => { if (message.type() === 'error' && !/status of (409|422|404)/.test(message.text())) board.faults.push(message.text()); });
    page.on('request', (request) => { if (!request.url().startsWith(new URL(url).origin) && !/^(data|blob):/.test(request.url())) board.faults.push(`fetches ${request.url()}`); });
    if (PAGE) {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const found = local(new URL(request.url()).pathname);
        if (found) request.respond(found);
        else request.continue();
      });
    }
    const away = absent.get(url);
    await away?.start();
    await page.goto(url, { waitUntil: 'load' });
    await board.ready();
    if (away) {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      await away.stop();
    }
    return board;
  }

  constructor(page, context) {
    this.page = page;
    this.context = context;
    this.faults = [];
  }

  async close() {
    equal(this.faults, [], 'faults on the page');
    await this.context.close();
  }

  /** Waits for a board whose game has begun: its position may be drawn before. */
  async ready() {
    // Not the square itself: what a test holds stays in memory, with the whole board around it.
    await this.page.waitForFunction(() => JSON.parse(sessionStorage.getItem('fauve') ?? '{}').id && document.querySelector('#board [data-square]') !== null);
  }

  /** The game as the server has it, or the worker in its place. */
  state() {
    return this.page.evaluate(async () => {
      const kept = JSON.parse(sessionStorage.getItem('fauve'));
      const { get } = await import(new URL('api.js', document.baseURI).href);
      return get(`/api/games/${kept.id}`).catch((error) => ({ error: error.message }));
    });
  }

  /** The game as PGN. */
  pgn() {
    return this.page.evaluate(async () => {
      const { getText } = await import(new URL('api.js', document.baseURI).href);
      return getText(`/api/games/${JSON.parse(sessionStorage.getItem('fauve')).id}/pgn`);
    });
  }

  /** Waits until the server's state of the game is as wanted. */
  async until(test, what) {
    for (let i = 0; i < 400; i++) {
      const state = await this.state();
      if (test(state)) {
        // What the server has is drawn, too, unless the page shows another place of the game.
        for (let n = 0; n < 200; n++) {
          const [drawn, played] = await this.page.evaluate(() => [document.body.dataset.fen, window.fauve?.isPlayed() ?? true]);
          if (!played || drawn === (await this.state()).view.fen) break;
          await sleep(25);
        }
        return state;
      }
      await sleep(25);
    }
    throw new Error(`waited in vain for ${what}: ${JSON.stringify(await this.state()).slice(0, 600)}`);
  }

  /** Begins a game of two people. */
  async begin(variant, fen) {
    const before = await this.page.evaluate(() => JSON.parse(sessionStorage.getItem('fauve'))?.id);
    const words = new URLSearchParams({ game: variant });
    if (fen) words.set('fen', fen);
    words.set('n', String(Math.random()));
    await this.page.evaluate((hash) => { location.hash = hash; }, words.toString());
    await this.page.waitForFunction((id) => JSON.parse(sessionStorage.getItem('fauve'))?.id !== id, { timeout: 5000 }, before).catch(async () => {
      throw new Error(`no game: ${await this.message()}`);
    });
    await this.ready();
  }

  /** A point of a square that is not covered, as a person would click it; cubes are turned until there is one. */
  async point(square) {
    for (let turn = 0; turn < 4; turn++) {
      const point = await this.page.evaluate((name) => {
        const group = document.querySelector(`#board [data-square="${name}"]`);
        if (!group) return null;
        group.scrollIntoView({ block: 'nearest' });
        // A piece in flight is drawn elsewhere: what is clicked is the square, or a piece who stands.
        const parts = [...group.querySelectorAll('.tile, .piece, .cube, .pit, .nothing')].filter((part) => part.getAnimations().length === 0);
        for (const box of parts.map((part) => part.getBoundingClientRect())) {
          for (const down of [0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9]) {
            for (const right of [0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9]) {
              const [x, y] = [box.left + box.width * right, box.top + box.height * down];
              if (document.elementFromPoint(x, y)?.closest('[data-square]') === group) return [x, y];
            }
          }
        }
        return null;
      }, square);
      if (point) return point;
      await this.press('Turn to the right');
    }
    throw new Error(`${square} is not to be seen from any side`);
  }

  async click(square) {
    await this.page.mouse.click(...await this.point(square));
  }

  async drag(from, to) {
    await this.page.mouse.move(...await this.point(from));
    await this.page.mouse.down();
    const goal = await this.point(to);
    await this.page.mouse.move(goal[0] + 3, goal[1] + 3, { steps: 4 });
    await this.page.mouse.move(...goal);
    await this.page.mouse.up();
  }

  /** Chooses in the form for a new game, by its labels. */
  async choose(label, value) {
    await this.page.evaluate((text, wanted) => {
      const select = [...document.querySelectorAll('label.choice')].find((one) => one.querySelector('span')?.textContent === text).querySelector('select');
      select.value = wanted;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }, label, value);
    await sleep(60);
  }

  /** Presses a button by its text or label. */
  async press(text, tries = 5) {
    const found = await this.page.evaluateHandle((name) => [...document.querySelectorAll('button')].find((button) =>
      !button.disabled && button.checkVisibility() && (button.textContent.trim() === name || button.getAttribute('aria-label') === name)), text);
    const element = found.asElement();
    check(element, `there is no button "${text}"`);
    try {
      await element.click();
    } catch (error) {
      // It was drawn anew just now: the person looks again.
      if (tries === 0) throw error;
      await sleep(50);
      await this.press(text, tries - 1);
    }
  }

  /** Makes one step by clicks (or by dragging), as its token says it. */
  async step(state, token, { drags = false } = {}) {
    const step = state.view.steps.find((one) => one.token === token);
    check(step, `${token} is not among the steps of ${state.view.fen}`);
    const { version } = state;
    if (step.kind === 'pass') await this.press('Pass');
    else if (step.kind === 'choose') await this.press(token === 'left' ? 'Left' : 'Right');
    else if (step.kind === 'place') await this.place(state, step);
    else if (drags) await this.drag(step.from, step.to);
    else {
      await this.click(step.from);
      await this.click(step.to);
    }
    if (step.piece && step.kind !== 'place') await this.promote(state, step);
    return this.until((now) => now.version > version, `the step ${token}`);
  }

  async place(state, step) {
    const letter = step.piece.toUpperCase();
    await (await this.page.waitForSelector(`[data-tray="${letter}"]`)).click();
    await this.click(step.to);
    if (!state.view.steps.some((one) => one.swap && one.to === step.to && one.piece === step.piece)) return;
    await this.page.waitForFunction(() => [...document.querySelectorAll('button')].some((button) => button.textContent === 'Keep them as they are'));
    if (!step.swap) return this.press('Keep them as they are');
    await this.click(step.swap[0]);
    await this.click(step.swap[1]);
  }

  async promote(state, step) {
    const choices = state.view.steps.filter((one) => one.from === step.from && one.to === step.to);
    if (choices.length < 2) return;
    const name = { Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', E: 'Empress', S: 'Princess', V: 'Veteran', G: 'Grand Pawn' }[step.piece.toUpperCase()];
    await this.page.waitForSelector('dialog[open]');
    await this.press(`${state.view.side === 'w' ? 'white' : 'black'} ${name}`);
  }

  /** The pieces as they are drawn: letters by squares. */
  pieces() {
    return this.page.evaluate(() => {
      const pieces = {};
      for (const square of document.querySelectorAll('#board [data-square]')) {
        const piece = square.querySelector('.piece');
        if (!piece) continue;
        const letter = piece.getAttribute('href').replace('#piece-', '');
        pieces[square.dataset.square] = piece.classList.contains('white') ? letter : letter.toLowerCase();
      }
      return pieces;
    });
  }

  /** What is said beneath the board. */
  message() {
    return this.page.$eval('#message', (element) => element.textContent);
  }
}

/** The tests of a file that are to run: words after the file's name choose some of them. */
const only = process.argv.slice(2);
export const wants = (/** @type {string} */ name) => !only.length || only.includes(name);

/**
 * Runs those of these tests that are wanted, each with the same arguments, and says what it has seen.
 * @param {((...given: any[]) => Promise<string>)[]} tests @param {any[]} given
 */
export async function runAll(tests, ...given) {
  for (const test of tests) if (wants(test.name)) console.log(await test(...given));
}

/** The pieces of a position string, whatever the game: letters by squares. */
export function piecesOf(fen) {
  const [board] = fen.split(' ');
  const relief = /^([a-o])(\d+):(.*)$/.exec(board);
  const pieces = {};
  if (relief) {
    const [left, top] = [relief[1].charCodeAt(0) - 97, Number(relief[2])];
    relief[3].split('/').forEach((row, i) => {
      [...row.matchAll(/\d([A-Za-z]?)/g)].forEach(([, letter], x) => { if (letter) pieces[String.fromCharCode(97 + left + x) + (top - i)] = letter; });
    });
  } else {
    board.replace(/\[.*/, '').split('/').forEach((row, i) => {
      let file = 0;
      for (const letter of row.replaceAll('~', '')) {
        if (/\d/.test(letter)) file += Number(letter);
        else pieces[String.fromCharCode(97 + file++) + (8 - i)] = letter;
      }
    });
  }
  return pieces;
}

/** The same, in the order of the squares, to be compared. */
export function sorted(pieces) {
  return Object.fromEntries(Object.entries(pieces).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Lets a page save files into a folder. Gives a function that presses a button and gives the path of the file, with the name that it should
 * have, once it is whole: the browser gives a file its name before it has written it.
 * @param {Board} board @param {string} folder
 */
export async function downloads(board, folder) {
  const devtools = await board.page.browser().target().createCDPSession();
  await devtools.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: folder, browserContextId: board.context.id, eventsEnabled: true });
  return async (/** @type {string} */ button, /** @type {string} */ name) => {
    const names = new Map();
    const begun = (/** @type {any} */ { guid, suggestedFilename }) => names.set(guid, suggestedFilename);
    /** @type {(event: any) => void} */
    let hear = () => {};
    const whole = new Promise((done) => {
      hear = ({ guid, state }) => {
        if (state === 'completed' && names.get(guid) === name) done(guid);
      };
    });
    devtools.on('Browser.downloadWillBegin', begun);
    devtools.on('Browser.downloadProgress', hear);
    try {
      await board.press(button);
      const guid = await Promise.race([whole, sleep(10_000)]);
      if (!guid) throw new Error(`${button} saves no ${name}`);
      renameSync(join(folder, guid), join(folder, name));
      return join(folder, name);
    } finally {
      devtools.off('Browser.downloadWillBegin', begun);
      devtools.off('Browser.downloadProgress', hear);
    }
  };
}
