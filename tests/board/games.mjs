// Whole games by clicks in a real browser, compared with the library: the games of a match replayed step by step to their end,
// then what such games may not have: prologue with a swap, promotion, en passant, castling, passes, cubes, taking back, giving up.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Board, FAUVE, Library, browse, check, equal, piecesOf, runAll, scratch, serve, sorted, wants } from './driver.mjs';

/** What is played: the turns of a whole game come from a match of the program with itself. */
const WHOLE = [
  { variant: 'chess', seed: 3 }, { variant: 'superchess', seed: 1 }, { variant: 'twomove', seed: 2 }, { variant: 'dicechess', seed: 5 }, { variant: 'cubes4d', seed: 4 },
];

/** Turns that show a rule each, from a position; `drags` by dragging. */
const RULES = [
  { what: 'castling and en passant', variant: 'chess', turns: ['e2e4', 'a7a6', 'e4e5', 'd7d5', 'e5d6', 'g8f6', 'g1f3', 'h7h6', 'f1e2', 'h6h5', 'e1g1'] },
  { what: 'promotion to a knight, by dragging', variant: 'chess', fen: '8/2P4k/8/8/8/7P/6K1/8 w - - 0 1', turns: ['c7c8n', 'h7g6', 'c8b6'], drags: true },
  { what: 'the prologue with a swap, then castling', variant: 'superchess', turns: ['E@g1', 'V@b8', 'A@f1', 'S@c8,b8c8', 'e2e4', 'e7e5', 'f1e2', 'a7a6', 'g1f3', 'a6a5', 'e1g1'] },
  { what: 'promotion to what is available', variant: 'superchess', fen: '8/P6k/8/8/8/8/6K1/8[RNn] w - - 0 1', turns: ['a7a8r', 'h7g6', 'a8a6'] },
  { what: 'two moves a turn, en passant, castling', variant: 'twomove', turns: ['e2e3', 'a7a5,a5a4', 'b2b4,g1f3', 'a4b3,b8c6', 'f1e2,e1g1'] },
  { what: 'dice, castling for two of them, and a pass', variant: 'dicechess', fen: 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1 NRK seed:0', turns: ['e1g1', null, null] },
  { what: 'en passant as a later move', variant: 'dicechess', fen: 'r2q2r1/ppp1nk1p/2B2p2/3p3b/1P1Pp2P/4P2N/PP3P2/RNB4K b - d3 0 1 pqq', turns: ['d8d6,d6c6,e4d3'] },
  { what: 'pieces, a bridge, a cube by dragging, castling, a promotion', variant: 'cubes4d', turns: ['left', 'e6e8', 'k8@j7', 'k6j6', 'e10f10'], lenient: true },
  { what: 'a Pawn becomes a Grand Pawn', variant: 'cubes4d', fen: 'e10:2r1n1q1k1g1n2b/011p1p110p/21101p12/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', turns: ['h7i8g'] },
];

const RESULTS = { '1-0': 'p1win', '0-1': 'p2win', '1/2-1/2': 'draw' };

/** A finished game of the program with itself. */
function play(variant, seed) {
  const record = join(scratch(), 'record.jsonl');
  const words = ['match', '--variant', variant, '--engine', 'cmd=self', 'name=a', 'nodes=4000', '--engine', 'cmd=self', 'name=b', 'nodes=30', '--games', '6', '--seed', String(seed), '--record', record, '--max-turns', '160'];
  const done = spawnSync(FAUVE, words, { encoding: 'utf8' });
  check(done.status === 0, `fauve ${words.join(' ')}: ${done.stderr}`);
  const games = readFileSync(record, 'utf8').trim().split('\n').slice(1).map((line) => JSON.parse(line));
  // The shortest that the rules ended, but none that is over before it has begun.
  const rank = (/** @type {any} */ game) => (game.termination === 'rules' ? 0 : 1000) + (game.turns.length < 12 ? 500 : 0) + game.turns.length;
  return games.sort((a, b) => rank(a) - rank(b))[0];
}

/** Compares what is drawn with the position string. */
async function compare(board, fen, what) {
  equal(sorted(await board.pieces()), sorted(piecesOf(fen)), what);
}

async function whole(board, { variant, seed }) {
  const game = play(variant, seed);
  const library = new Library(variant);
  const start = game.dice_seed ? `${game.start.replace(/ seed:\w+/, '')} seed:${game.dice_seed}` : game.start;
  await board.begin(variant, start);
  let state = await board.state();
  let number = 0;
  for (const turn of game.turns) {
    number++;
    if (turn.roll) equal(state.view.dice.rolled, turn.roll, `the roll of turn ${number}`);
    for (const token of turn.token === '0000' ? ['0000'] : turn.token.includes('@') && variant === 'superchess' ? [turn.token] : turn.token.split(',')) state = await board.step(state, token);
    equal(state.turns.length, number, 'turns');
    equal(state.turns.at(-1).token, turn.token, 'the turn');
    if (number % 5 === 0) await compare(board, state.view.fen, `${variant}, turn ${number}`);
  }
  await compare(board, state.view.fen, `${variant}, the end`);
  const tokens = game.turns.map((turn) => (turn.roll ? `${turn.roll}:${turn.token}` : turn.token));
  const should = await library.after(`fen ${start}`, tokens);
  const bare = (/** @type {string} */ fen) => fen.replace(/ seed:\w+/, '');
  // The page has rolled for the turn that would come next.
  if (variant !== 'dicechess' || state.end) equal(bare(state.view.fen), bare(should.fen), `${variant}: the last position`);
  if (game.termination === 'rules') {
    equal(state.end?.result, game.result, `${variant}: the result`);
    equal(RESULTS[state.end.result], should.result, `${variant}: the library's result`);
  } else {
    check(!state.end, `${variant}: not over`);
    await board.press('Resign');
    await board.page.waitForSelector('dialog[open]');
    await board.page.evaluate(() => document.querySelector('dialog[open] .primary').click());
    state = await board.until((now) => now.end, 'the resignation');
    equal(state.end.result, state.view.side === 'w' ? '0-1' : '1-0', 'the side to move has resigned');
  }
  library.stop();
  return `${variant}: a whole game of ${game.turns.length} turns, ${game.termination === 'rules' ? game.reason : 'then given up'}`;
}

async function rules(board, { what, variant, fen, turns, drags = false, lenient = false }) {
  const library = new Library(variant);
  await board.begin(variant, fen);
  const base = fen ? `fen ${fen}` : 'startpos';
  const played = [];
  let state = await board.state();
  if (!fen && state.view.dice) throw new Error('dice need a seed');
  for (const wanted of turns) {
    const { dice } = state.view;
    // Without a turn that is asked for: whatever is allowed first, step by step.
    const tokens = wanted === null ? [null] : variant === 'superchess' && wanted.includes('@') ? [wanted] : wanted.split(',');
    const length = state.turns.length;
    for (const [i, token] of tokens.entries()) {
      let next = token ?? state.view.steps[0].token;
      if (lenient && !state.view.steps.some((step) => step.token === next)) next = state.view.steps.find((step) => step.kind === (token.includes('@') ? 'cube' : 'move')).token;
      const is = state.view.steps.find((step) => step.token === next);
      state = await board.step(state, next, { drags: drags || is?.kind === 'cube' });
      // Half of a turn is taken back once, and made again.
      if (i === 0 && tokens.length > 1 && state.partial_turn.length) {
        const before = state.version;
        await board.press('Take this step back');
        state = await board.until((now) => now.version > before && now.partial_turn.length === 0, 'the step taken back');
        state = await board.step(state, next, { drags });
      }
      if (token === null && state.turns.length === length) tokens.push(null);
      if (state.turns.length > length) break;
    }
    played.push(dice ? `${dice.rolled || state.turns.at(-1).roll}:${state.turns.at(-1).token}` : state.turns.at(-1).token);
    await compare(board, state.view.fen, `${what}, ${played.at(-1)}`);
    const should = await library.after(base.replace(/ (NRK|pqq)( |$)/, ' - '), played.map((turn, n) => (n === 0 && fen && dice ? turn : turn)));
    const board0 = (/** @type {string} */ text) => text.split(' ').slice(0, 4).join(' ');
    if (!state.end) equal(board0(state.view.fen), board0(should.fen), `${what}: position`);
  }
  const shown = state.version;
  await board.press('Take back');
  state = await board.until((now) => now.version > shown, 'taken back');
  equal(state.turns.length, turns.length - 1, 'turns after one was taken back');
  library.stop();
  return `${variant}: ${what}`;
}

/** Premature and illegal tries say why. */
async function tries(board) {
  const said = [];
  const attempt = async (variant, fen, from, to, words) => {
    await board.begin(variant, fen);
    const before = await board.message();
    if (from.startsWith('tray:')) await (await board.page.waitForSelector(`[data-tray="${from.slice(5)}"]`)).click();
    else await board.click(from);
    if (to) await board.click(to);
    // The first click may be answered as well: what is waited for is the answer to the last.
    await board.page.waitForFunction((text, wanted) => {
      const shown = document.querySelector('#message').textContent;
      return shown !== text && new RegExp(wanted).test(shown);
    }, { timeout: 5000 }, before, words.source).catch(() => {});
    const message = await board.message();
    check(words.test(message), `${variant} ${from} ${to}: "${message}" does not say ${words}`);
    said.push(message);
  };
  await attempt('chess', undefined, 'e2', 'e5', /pawn goes one square/);
  await attempt('chess', '4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1', 'a1', 'a5', /check/);
  await attempt('superchess', undefined, 'tray:A', 'a1', /f1, g1 or h1/);
  await attempt('superchess', '8/P6k/8/8/8/8/6K1/8[] w - - 0 1', 'a7', null, /no legal move|becomes only what is available/);
  await attempt('twomove', 'rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 1 1 1:f6g8', 'f6', 'g8', /may not undo/);
  await attempt('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB', 'a2', 'a3', /As many dice as possible/);
  await attempt('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PBK', 'b1', null, /No knight die left/);
  await attempt('cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', 'e8', 'h8', /colour/);
  return `tries are answered: ${said.length}`;
}

/** A piece in flight does not take the clicks that are meant for the squares beneath him. */
async function flight(board) {
  const { page } = board;
  const devtools = await page.createCDPSession();
  await devtools.send('Animation.enable');
  for (const [variant, fen, step, square] of [
    ['twomove', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2', 'b1c3', 'c2'],
    ['cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', 'e6e8', null],
  ]) {
    await board.begin(variant, fen);
    // Slow enough to be stopped half-way.
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    const state = await board.step(await board.state(), step);
    const taken = await page.evaluate(() => {
      const [one] = document.querySelector('#board').getAnimations({ subtree: true });
      one.pause();
      one.currentTime = one.effect.getComputedTiming().duration * 0.4;
      const piece = one.effect.target.getBoundingClientRect();
      let points = 0;
      for (let x = piece.left; x < piece.right; x += 4) {
        for (let y = piece.top; y < piece.bottom; y += 4) points += one.effect.target.contains(document.elementFromPoint(x, y));
      }
      return points;
    });
    equal(taken, 0, `points of the piece who flies ${step} that take clicks`);
    if (square) {
      await board.click(square);
      await page.waitForFunction((name) => document.querySelector('.wash.selected')?.closest('[data-square]').dataset.square === name, { timeout: 5000 }, square);
    }
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 });
    check(state.view.fen === (await board.state()).view.fen, 'nothing was played');
  }
  await devtools.detach();
  return 'a piece in flight is no target: the squares beneath him are';
}

/** The page is loaded anew, and a second tab has its own game. */
async function tabs(browser, url) {
  const board = await Board.open(browser, url);
  await board.begin('twomove', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2');
  let state = await board.state();
  state = await board.step(state, 'g8f6');
  await board.page.evaluate(() => history.replaceState(null, '', '/'));
  await board.page.reload({ waitUntil: 'load' });
  await board.ready();
  const again = await board.state();
  equal([again.id, again.partial_turn.length], [state.id, 1], 'the game after a reload, in the middle of a turn');
  const other = await Board.open(browser, url);
  check((await other.state()).id !== state.id, 'another tab has another game');
  equal((await board.state()).version, again.version, 'the first tab is left alone');
  await board.close();
  await other.close();
  return 'a reload finds the game in the middle of a turn; tabs are apart';
}

/** A newcomer's way: from the first command to a game against level 1 that is played to its end by clicks, with hints, and its report. */
async function newcomer(browser, variant, name) {
  const own = await serve();
  const board = await Board.open(browser, own.url);
  const { page } = board;
  await page.evaluate(() => localStorage.setItem('fauve', JSON.stringify({ nodes: 1000 })));
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  await board.press(name);
  await board.until((now) => now.variant === variant, 'the game of the tab');
  await board.choose('Opponent', 'engine');
  await board.choose('I play', 'w');
  await board.choose('Level', '1');
  await page.evaluate(() => document.querySelector('.newgame [type=submit]').click());
  let state = await board.until((now) => now.variant === variant && now.black.level === 1, 'a game against level 1');
  const mine = (now) => now.end || (now.view.side === 'w' && now.view.steps.length);
  for (let made = 0; made < 300; made++) {
    state = await board.until(mine, 'a turn of White');
    if (state.end) break;
    // One step at a time, as the hint has it; what may be placed has a tray, and a pass its button.
    await board.press('Hint');
    const step = await page.waitForFunction((version) => window.fauve.state.version === version && window.fauve.hinted?.steps[0], { timeout: 30_000 }, state.version);
    state = await board.step(state, await step.jsonValue());
  }
  check(state.end, `the game is over after ${state.turns.length} turns`);
  // Dice may be against anybody.
  if (variant !== 'dicechess') equal(state.end.result, '1-0', 'who follows the hints beats level 1');
  // Its end is said, and its report follows.
  await page.waitForFunction((text) => document.querySelector('.result')?.textContent.startsWith(text), {}, state.end.result);
  await board.press('Analyse this game');
  await page.waitForFunction((count) => window.fauve.sides && window.fauve.assessed.filter(Boolean).length === count && !window.fauve.notes.reviewing, { timeout: 120_000 }, state.turns.length);
  await page.waitForSelector('.sums');
  const sums = await page.$$eval('.sums tbody tr', (rows) => Object.fromEntries(rows.map((row) => [row.children[0].textContent, [row.children[1].textContent, row.children[2].textContent]])));
  const [white, black] = sums.Accuracy.map(Number.parseFloat);
  check(white > black, `accuracy of who followed the hints and of level 1: ${sums.Accuracy}`);
  equal('Luck' in sums, variant === 'dicechess', 'luck');
  check(await page.$('.graph .hit'), 'the graph of the game');
  await board.close();
  await own.stop();
  return `${variant}: from the first command to the end (${state.end.text}, ${state.turns.length} turns) and its report, accuracy ${sums.Accuracy.join(' and ')}`;
}

const server = await serve();
const browser = await browse();
try {
  const board = await Board.open(browser, server.url);
  for (const game of RULES) if (wants(game.variant)) console.log(await rules(board, game));
  await runAll([tries], board);
  for (const game of WHOLE) if (wants(`whole-${game.variant}`)) console.log(await whole(board, game));
  for (const [variant, name] of [['superchess', 'Superchess'], ['dicechess', 'DiceChess']]) if (wants(`newcomer-${variant}`)) console.log(await newcomer(browser, variant, name));
  await runAll([flight], board);
  await board.close();
  await runAll([tabs], browser, server.url);
} finally {
  await browser.close();
  await server.stop();
}
