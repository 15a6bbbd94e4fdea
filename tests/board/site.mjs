// The page without a server, from a plain server of files: the engine answers in all five games, analysis, lessons, explanations, files, games
// that the browser keeps, with the network cut, in two pages at once, in browsers that lack something, and the package beside it.
// SITE names another folder than dist; words after the file's name choose some of its tests.

import { cpSync, existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Board, browse, check, downloads, equal, runAll, scratch, serveFolder, sleep, withoutJspi } from './driver.mjs';
import { Files } from './files.mjs';

const SITE = process.env.SITE ?? 'dist';
const GAMES = { chess: 'Chess', superchess: 'Superchess', twomove: 'Two-move chess', dicechess: 'DiceChess', cubes4d: 'Cubes 4D' };
/** The most bytes that come before the first turn, packed by Brotli. */
const FIRST = 1.1e6;
const folder = scratch();

/** Whether a person is to move, or the game is over. */
const isMine = (state) => Boolean(state.end) || (!state.thinking && state[state.view.side === 'w' ? 'white' : 'black'].kind === 'human');

/** Steps by clicks until the engine has answered this many turns. */
async function playTurns(board, count) {
  let state = await board.until(isMine, 'a person to move');
  const begun = state.turns.length;
  while (!state.end && state.turns.length < begun + 2 * count) {
    const { steps } = state.view;
    await board.step(state, steps[Math.floor(steps.length / 3)].token);
    state = await board.until(isMine, 'the answer');
  }
  return state;
}

/** The time from nothing to the first answered turn, at level 1. */
async function first(browser, url) {
  const board = await Board.open(browser, url);
  await board.page.evaluate(() => localStorage.setItem('fauve', JSON.stringify({ level: 1 })));
  await board.close();
  const times = [];
  for (let i = 0; i < 3; i++) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.evaluateOnNewDocument(() => localStorage.setItem('fauve', JSON.stringify({ level: 1 })));
    const begun = performance.now();
    await page.goto(url, { waitUntil: 'load' });
    const own = new Board(page, context);
    await own.ready();
    const ready = performance.now() - begun;
    await own.click('e2');
    await own.click('e4');
    await page.waitForFunction(() => window.fauve.state.turns.length === 2);
    times.push([ready, performance.now() - begun].map(Math.round));
    await own.close();
  }
  return `ready, and the first turn answered, in ms, three times: ${JSON.stringify(times)}`;
}

async function allGames(board) {
  const said = [];
  for (const [variant, name] of Object.entries(GAMES)) {
    if ((await board.state()).variant !== variant) await board.press(name);
    await board.page.waitForFunction((wanted) => window.fauve.state.variant === wanted, {}, variant);
    await board.choose('Level', '1');
    const { id } = await board.state();
    await board.page.evaluate(() => document.querySelector('.newgame [type=submit]').click());
    await sleep(60);
    await board.page.evaluate(() => document.querySelector('dialog[open] .primary')?.click());
    await board.page.waitForFunction((old) => window.fauve.state.id !== old, {}, id);
    const { turns } = await playTurns(board, 3);
    check(turns.length >= 6, `${variant}: ${turns.length} turns`);
    said.push(`${variant} ${turns.length}`);
  }
  return `turns played by clicks, against the engine: ${said.join(', ')}`;
}

/** Analysis with lines while the engine plays and gives hints, and its end. */
async function analysis(board) {
  const { page } = board;
  await page.evaluate(() => { location.hash = 'game=chess&turns=e2e4;e7e5'; });
  await page.waitForFunction(() => window.fauve.state.turns.length === 2 && window.fauve.state.variant === 'chess');
  await page.evaluate(() => window.fauve.act({ do: 'players', white: { kind: 'human' }, black: { kind: 'engine', level: 2 } }));
  await board.press('Analyse');
  await (await page.waitForSelector('#panel ::-p-xpath(.//button[text()="Analyse"])')).click();
  const deep = () => page.waitForFunction(() => window.fauve.lines.length === 3 && window.fauve.lines[0].depth >= 8, { timeout: 60_000 });
  await deep();
  const state = await board.state();
  await board.step(state, 'g1f3');
  await board.until((now) => now.turns.length === 4 && isMine(now), 'the answer during the analysis');
  await deep();
  await page.evaluate(() => window.fauve.hint());
  check(await page.evaluate(() => window.fauve.hinted?.san), 'a hint during the analysis');
  const begun = performance.now();
  await page.evaluate(() => window.fauve.analyse(false));
  const stopped = Math.round(performance.now() - begun);
  check((await board.state()).analysis === undefined, 'the analysis is off');
  await page.evaluate(() => window.fauve.ask({ do: 'review', nodes: 500 }));
  await page.waitForFunction(() => window.fauve.assessed.filter(Boolean).length === 4, { timeout: 60_000 });
  await reported(board);
  return `analysis beside a game; stopped in ${stopped} ms`;
}

/** The report of a game of four turns that was assessed, a turn that is weighed, and one that is typed. */
async function reported(board) {
  const ask = (action) => board.page.evaluate((what) => window.fauve.ask(what), action);
  const { turns, sides } = await ask({ do: 'report' });
  equal([turns.length, sides.map((side) => side.turns)], [4, [2, 2]], 'the report');
  const { san, accepted } = await ask({ do: 'weigh', place: { path: '0', steps: ['e2e4'] }, nodes: 500 });
  equal([san, accepted], ['e4', true], 'a turn that is weighed');
  equal(await ask({ do: 'read', text: '1. e4', place: { path: '0' } }), ['e2e4'], 'a turn that is typed');
}

async function lessonsAndReasons(board) {
  const { page } = board;
  await board.press('Play');
  await board.begin('chess');
  await board.click('e2');
  await board.click('e5');
  await page.waitForFunction(() => /e2|pawn|Pawn/.test(document.querySelector('#message').textContent));
  await board.press('Learn');
  await page.waitForFunction(() => document.querySelector('#panel').textContent.includes('The back rank'));
  await board.press('Begin the lesson');
  await page.waitForFunction(() => window.fauve.state.lesson?.status === 'open');
  return 'lessons and explanations';
}

/** A puzzle of the game that is on the board, solved by clicks. */
async function puzzle(board) {
  const { page } = board;
  await board.press('Puzzles');
  await page.waitForFunction(() => [...document.querySelectorAll('.puzzle button')].some((button) => button.textContent === 'Begin'));
  await board.press('Begin');
  await page.waitForFunction(() => window.fauve.state.puzzle?.status === 'open');
  let state = await board.state();
  while (state.puzzle.status === 'open') {
    for (const { token } of state.puzzle.solution[state.turns.length].steps) state = await board.step(state, token);
  }
  equal(state.puzzle.status, 'done', 'a puzzle');
  return 'puzzles';
}

/** A game is saved as PGN and opened again. */
async function files(board) {
  const { page } = board;
  await board.press('Play');
  await board.begin('twomove');
  await playTwo(board);
  const before = await board.state();
  const saved = await downloads(board, folder);
  await board.press('Games');
  await page.waitForSelector('#kept');
  const path = await saved('Save as PGN', 'twomove.pgn');
  const text = readFileSync(path, 'utf8');
  check(/\[Variant "twomove"\]/.test(text) && /\[Date "20\d\d\.\d\d\.\d\d"\]/.test(text), text);
  await (await page.$('#file')).uploadFile(path);
  await page.waitForFunction((id) => window.fauve.state.id !== id, {}, before.id);
  const after = await board.state();
  equal(after.turns.map((turn) => turn.token), before.turns.map((turn) => turn.token), 'the turns of the file');
  // A game that is opened is shown. A record of a match belongs to the program.
  await board.press('Games');
  await page.waitForSelector('#paste');
  await page.evaluate(() => { document.getElementById('paste').value = '{"type":"tournament"}'; });
  await board.press('Read');
  await page.waitForFunction(() => /records of matches are read by the program/.test(document.querySelector('#message').textContent));
  return 'a game saved as PGN and opened again';
}

async function playTwo(board) {
  for (let i = 0; i < 3; i++) {
    const state = await board.state();
    await board.step(state, state.view.steps[i].token);
  }
}

/** The network is cut: the page comes again with its game, plays on, and another page finds the game as well. */
async function offline(server, board) {
  const { page } = board;
  await board.press('Play');
  await board.press('Chess');
  const id = await page.evaluate(async () => { await window.fauve.open({ variant: 'chess', black: { kind: 'engine', level: 1 } }); return window.fauve.state.id; });
  let state = await playTurns(board, 2);
  const report = () => page.evaluate(() => window.fauve.ask({ do: 'report' }));
  await page.evaluate(() => window.fauve.ask({ do: 'review', nodes: 500 }));
  await page.waitForFunction(() => window.fauve.assessed.filter(Boolean).length === 4, { timeout: 60_000 });
  const assessed = await report();
  await sleep(300);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await server.stop();
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  const again = await board.state();
  equal([again.id, again.turns.map((turn) => turn.token)], [id, state.turns.map((turn) => turn.token)], 'the game after the network was cut');
  equal(await report(), assessed, 'its report');
  state = await playTurns(board, 2);
  await board.press('Cubes 4D');
  await page.waitForFunction(() => window.fauve.state.variant === 'cubes4d');
  await page.evaluate(() => window.fauve.open({ variant: 'chess', turns: ['d2d4'] }));
  const last = await board.state();
  await sleep(300);
  // Another page while this one is open has a copy of its game, and what is played there stays there.
  const other = new Board(await board.context.newPage(), board.context);
  await other.page.setViewport({ width: 1280, height: 900 });
  await other.page.goto(page.url(), { waitUntil: 'load' });
  await other.ready();
  const copy = await other.state();
  check(copy.id !== last.id && copy.turns.length === 1, 'a copy');
  await other.step(copy, 'd7d5');
  equal((await board.state()).turns.length, 1, 'the first page has its own game');
  await page.close();
  await sleep(300);
  // A new page finds the last game, without knowing its name.
  const third = new Board(await board.context.newPage(), board.context);
  await other.page.close();
  await third.page.goto(server.url, { waitUntil: 'load' });
  await third.ready();
  equal((await third.state()).turns.map((turn) => turn.token), ['d2d4', 'd7d5'], 'the last game in a new page');
  await third.page.close();
  return 'without a network: the game and its report as they were, played on; a second page has a copy';
}

/** A folder like the site, with some of its files changed. */
function changed(name, changes) {
  const place = join(folder, name);
  cpSync(SITE, place, { recursive: true, filter: (path) => !/npm|tables|service\.js/.test(path.slice(SITE.length)) });
  for (const [file, change] of Object.entries(changes)) writeFileSync(join(place, file), change(readFileSync(join(place, file))));
  return place;
}

/** Where WebAssembly cannot wait for promises, searches have workers of their own. */
async function plain(browser) {
  const server = await serveFolder(withoutJspi(SITE));
  const context = await browser.createBrowserContext();
  const board = new Board(await context.newPage(), context);
  const { page } = board;
  await page.goto(server.url, { waitUntil: 'load' });
  await board.ready();
  await allGames(board);
  await analysis(board);
  // A turn at full strength on no clock takes ten seconds: until then the page answers, and the turn is made when that is asked for.
  await page.evaluate(() => window.fauve.open({ variant: 'chess', turns: ['e2e4'], black: { kind: 'engine', level: 19 } }));
  await page.waitForFunction(() => window.fauve.state.thinking);
  await sleep(500);
  const asked = await page.evaluate(async () => {
    const begun = performance.now();
    const why = await window.fauve.ask({ do: 'why', from: 'e7', to: 'e4' });
    return [why, performance.now() - begun];
  });
  check(asked[0] && asked[1] < 200, `an answer while the engine thinks: ${asked}`);
  const begun = performance.now();
  await page.evaluate(() => window.fauve.ask({ do: 'move_now' }));
  const { turns } = await board.until((now) => now.turns.length === 2 && isMine(now), 'the turn that was known');
  const took = Math.round(performance.now() - begun);
  check(took < 300, `the turn was made after ${took} ms`);
  // A turn that loses nothing against the best that a short search knows is no move at random.
  const { error } = await page.evaluate(() => window.fauve.ask({ do: 'weigh', place: { path: '1', steps: window.fauve.state.turns[1].steps.map((step) => step.token) }, nodes: 20_000 }));
  check(error < 0.05, `${turns[1].token} loses ${error}`);
  // A draw that waits for its search.
  await page.evaluate(() => window.fauve.open({ variant: 'chess', fen: '4k3/8/8/8/8/8/8/QQ2K3 w - - 0 5', black: { kind: 'engine', level: 1 } }));
  await page.evaluate(() => window.fauve.ask({ do: 'draw' }));
  await board.until((now) => now.end, 'a draw that is agreed');
  await context.close();
  await server.stop();
  return 'without JSPI: games, an analysis, a report, a hint, a draw, and a turn at once, with searches in workers of their own';
}

/** Without JSPI: a search that breaks down is said, and what is asked next has another worker. */
async function broken(browser) {
  const place = withoutJspi(SITE);
  const server = await serveFolder(place);
  const context = await browser.createBrowserContext();
  const board = new Board(await context.newPage(), context);
  const { page } = board;
  const searcher = readFileSync(join(place, 'searcher.js'), 'utf8');
  writeFileSync(join(place, 'searcher.js'), searcher.replace('await loaded;\n', "await loaded;\n  if (/depth-charge/.test(text)) throw new Error('broken');\n"));
  await page.goto(server.url, { waitUntil: 'load' });
  await board.ready();
  await page.evaluate(() => window.fauve.open({ variant: 'chess' }));
  const refused = await page.evaluate(() => window.fauve.ask({ do: 'weigh', place: { path: '0', steps: ['depth-charge'] }, nodes: 100 }).then(() => '', (error) => error.message));
  const notices = await page.evaluate(() => document.querySelector('#message').textContent);
  check(/broke down/.test(`${refused} ${notices}`), `a search that broke down: ${refused} ${notices}`);
  await page.evaluate(() => window.fauve.hint());
  check(await page.evaluate(() => window.fauve.hinted?.san), 'a hint afterwards');
  await context.close();
  await server.stop();
  return 'without JSPI: a search that breaks down is said, and the next one has another worker';
}

/** What is missing is said. */
async function lacks(browser) {
  const said = async (from, words) => {
    const server = await serveFolder(from);
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(server.url, { waitUntil: 'load' });
    await page.waitForFunction((text) => document.querySelector('#message').textContent.includes(text), { timeout: 20_000 }, words);
    const id = await page.evaluate(() => window.fauve.state?.id);
    await context.close();
    await server.stop();
    return id;
  };
  // What an older browser is, as far as the module's loader sees it.
  check(!(await said(changed('old', { 'module.js': (text) => `delete globalThis.WebAssembly;\n${text}` }), 'has no WebAssembly')), 'no game without WebAssembly');
  check(!(await said(changed('simd', { 'module.js': (text) => `WebAssembly.validate = () => false;\n${text}` }), 'has no vectors (SIMD)')), 'no game without vectors');
  check(!(await said(changed('half', { 'fauve.wasm': (bytes) => bytes.subarray(0, bytes.length / 2) }), 'damaged or not whole')), 'no game with half a module');
  const forbidden = changed('forbidden', { 'worker.js': (text) => `indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };\n${text}` });
  check(await said(forbidden, 'keeps nothing'), 'a game where nothing is kept');
  return 'no WebAssembly, no vectors, half a module, a browser that keeps nothing: a sentence each';
}

/** A server of files that answers in a way of its own where `handle` does. */
class Handled extends Files {
  /** @param {string} site @param {object} line @param {(name: string, response: any) => Promise<boolean> | boolean} handle */
  constructor(site, line, handle) {
    super(site, line);
    this.handle = handle;
    /** How often each file was asked for. @type {Record<string, number>} */
    this.asked = {};
  }

  async answer(request, response) {
    const name = new URL(request.url, this.url).pathname.slice(1);
    this.asked[name] = (this.asked[name] ?? 0) + 1;
    if (!(await this.handle(name, response))) await super.answer(request, response);
  }
}

/** @param {Files} server @param {string} [hash] @returns {Promise<Board>} a board in a context of its own, before it is ready */
async function visit(browser, server, hash = '') {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(server.url + hash, { waitUntil: 'load' });
  return new Board(page, context);
}

/** @param {Board} board @param {string} words */
const hears = (board, words) => board.page.waitForFunction((text) => document.querySelector('#message').textContent.includes(text), { timeout: 20_000 }, words);
/** @param {Board} board @param {object} wanted */
const opens = (board, wanted) => board.page.evaluate(async (what) => { await window.fauve.open({ black: { kind: 'engine', level: 1 }, ...what }); }, wanted);
/** @param {Board} board @param {object} wanted @returns {Promise<string>} why a game is refused */
const refusal = (board, wanted) => board.page.evaluate((what) => window.fauve.open(what).then(() => '', (error) => error.message), wanted);

/** The networks but that of the first game do not come: its turns are answered, with few bytes, and another game waits for its network. */
async function early(browser) {
  let isOpen = false;
  /** @type {(() => void)[]} */
  const waiting = [];
  const server = new Handled(SITE, { packs: 'br' }, async (name) => {
    if (!isOpen && name.endsWith('.nn') && name !== 'chess.nn') await new Promise((done) => { waiting.push(() => done(null)); });
    return false;
  });
  server.prepare(['fauve.wasm']);
  await server.start();
  const board = await visit(browser, server);
  await board.ready();
  await opens(board, { variant: 'chess' });
  await playTurns(board, 2);
  const { sent } = server;
  check(sent <= FIRST, `${sent} bytes come before the first turn`);
  const begun = board.page.evaluate(async () => { await window.fauve.open({ variant: 'dicechess', black: { kind: 'engine', level: 1 } }); return window.fauve.state.variant; });
  equal(await Promise.race([begun, sleep(500)]), undefined, 'a game without its network');
  isOpen = true;
  for (const go of waiting) go();
  equal(await begun, 'dicechess', 'the game once its network is there');
  await playTurns(board, 2);
  await board.page.evaluate(() => navigator.serviceWorker.ready);
  await board.context.close();
  // What an address asks for comes first, and nothing else.
  [isOpen, server.asked] = [true, {}];
  const other = await visit(browser, server, '#game=cubes4d');
  await other.ready();
  equal((await other.state()).variant, 'cubes4d', 'the game of an address');
  const fetched = Object.keys(server.asked).filter((name) => name.endsWith('.nn'));
  equal(fetched[0], 'cubes4d.nn', 'the first network');
  await other.context.close();
  await server.stop();
  return `the first turns with ${sent} bytes, while the other networks are on their way; another game waits for its own`;
}

/** A network that is missing, or damaged: a sentence, the other games go on, and the next request finds what is there by then. */
async function networks(browser) {
  for (const [site, name, kind] of [[SITE, 'with JSPI', 'suspend'], [withoutJspi(SITE), 'without JSPI', 'plain']]) {
    /** @type {Record<string, string>} */
    const wrong = { 'superchess.nn': 'missing', 'twomove.nn': 'half', 'dicechess.nn': 'other', 'service.js': 'missing' };
    const server = await new Handled(site, {}, (file, response) => {
      const bytes = (/** @type {string} */ from) => readFileSync(join(site, from));
      if (wrong[file] === 'missing') response.writeHead(404).end();
      else if (wrong[file] === 'half') response.writeHead(200).end(bytes(file).subarray(0, bytes(file).length / 2));
      else if (wrong[file] === 'other') response.writeHead(200).end(bytes('chess.nn'));
      return file in wrong;
    }).start();
    const board = await visit(browser, server);
    await board.ready();
    for (const [variant, words] of [['superchess', /network superchess\.nn cannot be loaded: 404/], ['twomove', /network twomove\.nn is damaged or not whole/], ['dicechess', /network dicechess\.nn is damaged or not whole: it is that of chess/]]) {
      const said = await refusal(board, { variant });
      check(words.test(said), `${name}, ${variant}: ${said}`);
    }
    await board.press('Superchess');
    await hears(board, 'superchess.nn cannot be loaded');
    equal((await board.state()).variant, 'chess', 'the game that goes on');
    for (const variant of ['chess', 'cubes4d']) {
      await opens(board, { variant });
      await playTurns(board, 2);
    }
    // Other requests are answered.
    await board.press('Learn');
    await board.page.waitForFunction(() => document.querySelector('#panel').textContent.length > 200);
    for (const file of Object.keys(wrong).filter((one) => one.endsWith('.nn'))) delete wrong[file];
    for (const variant of ['superchess', 'twomove', 'dicechess']) {
      await opens(board, { variant });
      await playTurns(board, 1);
    }
    equal([server.asked['chess.nn'], server.asked['fauve.wasm']], [1, 1], `how often the network of chess and the module were fetched, ${kind}`);
    await board.context.close();
    // The network of the first game: another is chosen, and then that is there.
    wrong['chess.nn'] = 'missing';
    const late = await visit(browser, server);
    await hears(late, 'chess.nn cannot be loaded');
    await late.press('Cubes 4D');
    await late.page.waitForFunction(() => window.fauve.state.variant === 'cubes4d' && window.fauve.state.id);
    await playTurns(late, 1);
    // Another tab begins with the game that was played last: its network comes first.
    server.asked = {};
    const tab = await late.context.newPage();
    await tab.goto(server.url, { waitUntil: 'load' });
    await tab.waitForFunction(() => window.fauve?.state?.variant === 'cubes4d');
    equal(Object.keys(server.asked).find((file) => file.endsWith('.nn')), 'cubes4d.nn', 'the first network of another tab');
    await tab.close();
    delete wrong['chess.nn'];
    await late.press('Chess');
    await late.page.waitForFunction(() => window.fauve.state.variant === 'chess' && window.fauve.state.id);
    await playTurns(late, 1);
    await late.context.close();
    await server.stop();
  }
  return 'a network that is missing, half of one, and one of another game: a sentence each; other games go on, and later they are there';
}

/** A search that comes to its end, as that of a prologue does, has told its lines, however short it was. */
async function ended(browser) {
  const server = await serveFolder(changed('seldom', { 'worker.js': (text) => text.toString().replace('const LINES = 80', 'const LINES = 1e9') }));
  const context = await browser.createBrowserContext();
  const board = new Board(await context.newPage(), context);
  await board.page.goto(server.url, { waitUntil: 'load' });
  await board.ready();
  await board.page.evaluate(async () => { await window.fauve.open({ variant: 'superchess' }); await window.fauve.analyse(true); });
  await board.page.waitForFunction(() => window.fauve.lines.length === 3, { timeout: 20_000 });
  await context.close();
  await server.stop();
  return 'a short analysis shows its lines';
}

/** The browser's storage is full: the page says so, and plays on. */
async function full(browser, url) {
  const context = await browser.createBrowserContext();
  const board = new Board(await context.newPage(), context);
  const { page } = board;
  // Before anything is kept, because Chromium counts on what it has seen to be free.
  await page.goto(new URL('icon.svg', url).href);
  const client = await page.createCDPSession();
  await client.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize: 1 });
  await page.evaluateOnNewDocument(() => {
    window.notices = [];
    addEventListener('notice', ({ detail }) => window.notices.push(detail));
  });
  await page.goto(url, { waitUntil: 'load' });
  await board.ready();
  await page.evaluate(() => window.fauve.open({ variant: 'chess', black: { kind: 'engine', level: 1 } }));
  await playTurns(board, 1);
  // Beneath the board the next turn takes its place.
  await page.waitForFunction(() => window.notices.some((text) => text.includes('keeps nothing')), { timeout: 20_000 });
  equal((await playTurns(board, 1)).turns.length, 4, 'turns played where nothing can be kept');
  await context.close();
  return 'a browser whose storage is full: a sentence, and the game goes on';
}

/** The browser keeps what a person has played and nothing else; a game of two-move chess that it has kept finds its endgame tables. */
async function keeps(browser) {
  // What is asked for comes from here.
  const server = await new Handled(SITE, {}, (name, response) => {
    if (name === 'service.js') response.writeHead(404).end();
    return name === 'service.js';
  }).start();
  const board = await visit(browser, server);
  const { page } = board;
  await board.ready();
  const human = { white: { kind: 'human' }, black: { kind: 'human' } };
  const kept = async () => {
    await sleep(300);
    return page.evaluate(async () => (await (await import(new URL('api.js', document.baseURI).href)).get('/api/kept')).map((game) => game.variant));
  };
  await opens(board, { variant: 'chess', ...human });
  await opens(board, { variant: 'chess', lesson: 1, ...human });
  await opens(board, { variant: 'dicechess', ...human });
  equal(await kept(), [], 'lessons and games in which nothing was done');
  await opens(board, { variant: 'twomove', ...human });
  await board.step(await board.state(), 'e2e4');
  equal(await kept(), ['twomove'], 'a game');
  // Nobody hears that a game is lost in which nothing was done.
  await opens(board, { variant: 'chess', ...human });
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  await page.waitForFunction(() => document.querySelector('#message').textContent === 'White to move');
  for (const act of ['undo_turn', 'annotate']) {
    await opens(board, { variant: 'cubes4d', ...human });
    const state = await board.state();
    if (act === 'annotate') {
      await page.evaluate(() => window.fauve.ask({ do: 'annotate', path: '0', comment: 'to be kept' }));
      equal(await kept(), ['cubes4d', 'twomove'], 'a game with a comment');
    } else {
      await board.step(state, state.view.steps[0].token);
      equal(await kept(), ['cubes4d', 'twomove'], 'a game with a turn');
      await page.evaluate(() => window.fauve.takeBack());
      equal(await kept(), ['twomove'], 'a game in which everything was taken back');
    }
  }
  await page.evaluate(() => window.fauve.change('twomove'));
  await board.until((now) => now.turns.length === 1, 'the game that was kept');
  server.asked = {};
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  equal((await board.state()).variant, 'twomove', 'the game after a reload');
  for (let i = 0; i < 40 && !server.asked['twomove.tables']; i++) await sleep(50);
  equal(server.asked['twomove.tables'], 1, 'its endgame tables');
  await board.context.close();
  await server.stop();
  return 'the browser keeps games in which something was done, no lessons; two-move chess finds its tables again';
}

/** A game that the module has dropped, since others were begun, is there again as the browser has kept it. */
async function dropped(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const human = { white: { kind: 'human' }, black: { kind: 'human' } };
  await opens(board, { variant: 'chess', ...human });
  const { id } = await board.step(await board.state(), 'e2e4');
  // It is kept a moment later.
  await sleep(300);
  await opens(board, { variant: 'chess', ...human });
  await page.evaluate(async (players) => {
    const { post } = await import(new URL('api.js', document.baseURI).href);
    for (let i = 0; i < 260; i++) await post('/api/games', { variant: 'chess', ...players });
  }, human);
  await page.evaluate((old) => { location.hash = `#/${old}`; }, id);
  const { turns } = await board.until((state) => state.id === id, 'the game that was dropped');
  equal(turns.length, 1, 'its turns');
  // Its stream of events is there, too.
  await board.step(await board.state(), 'e7e5');
  await board.close();
  return 'a game that was dropped for 260 others is taken up again';
}

/** What is fetched later is found where the site is a folder of another one, too. */
async function nested(browser) {
  symlinkSync(resolve(SITE), join(folder, 'nested'));
  const server = await serveFolder(folder);
  const board = await Board.open(browser, new URL('nested/', server.url).href);
  await board.page.evaluate(async () => (await import(new URL('solid.js', document.baseURI).href)).SolidBoard.load());
  await board.close();
  await server.stop();
  return 'the library of three dimensions comes from a site in a folder';
}

/** The package for pages: while a search waits in WebAssembly, what else is asked is answered after it, and its reports come on. */
async function npm(browser, url) {
  if (!existsSync(join(SITE, 'npm/fauve.mjs'))) return 'skipped: the package is not there';
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(`${url}npm/README.md`);
  const [mode, reports, turns, best] = await page.evaluate(async () => {
    const { FauveWorker } = await import(new URL('fauve.mjs', location.href).href);
    const fauve = await FauveWorker.start();
    const game = await fauve.game('chess');
    let count = 0;
    const thinking = game.search({ infinite: true }, () => { count += 1; });
    const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
    await wait(300);
    const state = game.state();
    const before = count;
    await wait(1500);
    fauve.stop();
    const answer = await thinking;
    return [fauve.stopsBy, count - before, (await state).turns, answer.best.token];
  });
  await context.close();
  equal([mode, turns], ['suspend', 0], 'the package in the browser');
  check(reports > 0 && best, `${reports} reports after another question`);
  return 'the package in a page: questions during a search';
}

const server = await serveFolder(SITE);
const browser = await browse();
try {
  console.log(`${readdirSync(SITE).length} files at ${server.url}`);
  await runAll([first, early, networks, npm, plain, broken, lacks, full, keeps, dropped, nested, ended], browser, server.url);
  const board = await Board.open(browser, server.url);
  await runAll([allGames, analysis, lessonsAndReasons, puzzle, files], board);
  await runAll([offline], server, board);
  await board.close();
} finally {
  await browser.close();
  await server.stop().catch(() => {});
}
