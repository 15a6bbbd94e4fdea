// Playing against the engine, analysing, setting up, files and matches: what the panel's tabs do, each compared with the library.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Board, FAUVE, Library, browse, check, equal, piecesOf, runAll, scratch, serve, sleep, sorted } from './driver.mjs';

const folder = scratch();

async function fresh(board) {
  const { id } = await board.state();
  await board.page.evaluate(() => document.querySelector('.newgame [type=submit]').click());
  // Beside a game that is not over the page asks.
  await sleep(60);
  await board.page.evaluate(() => document.querySelector('dialog[open] .primary')?.click());
  for (let i = 0; i < 200; i++) {
    const state = await board.state();
    if (state.id !== id) return state;
    await sleep(25);
  }
  throw new Error('no new game');
}

/** Against the engine: side, level, hint, taking back, draws, giving up, the clock; and to watch. */
async function play(browser, url) {
  const board = await Board.open(browser, url);
  await board.press('Two-move chess');
  await sleep(300);
  await board.choose('I play', 'b');
  await board.choose('Level', '1');
  let state = await fresh(board);
  equal([state.white, state.black.kind], [{ kind: 'engine', level: 1 }, 'human'], 'sides and level');
  state = await board.until((now) => now.turns.length === 1 && !now.thinking, 'the engine begins');
  // A hint is a legal turn of the library, shown by arrows.
  await board.press('Hint');
  await board.page.waitForSelector('.arrow.hint', { timeout: 20_000 });
  const hint = await board.page.$$eval('.arrow.hint', (arrows) => arrows.length);
  equal(hint, 2, 'the arrows of two moves');
  // An engine that does not blunder has no reason to agree to a draw so early. (In two-move chess White, with one move at first, stands worse and may.)
  await board.press('Chess');
  await sleep(300);
  await board.choose('I play', 'b');
  await board.choose('Level', '10');
  await fresh(board);
  await board.until((now) => now.variant === 'chess' && now.turns.length === 1 && !now.thinking, 'the engine begins in chess');
  await board.press('Offer a draw');
  state = await board.until((now) => now.notice, 'an answer to the offer');
  check(/declines/.test(state.notice) && !state.end, `not so early: ${state.notice}`);
  await board.press('Two-move chess');
  await sleep(300);
  await board.choose('Level', '10');
  await fresh(board);
  await board.until((now) => now.variant === 'twomove' && now.turns.length === 1 && !now.thinking, 'the engine begins again');
  for (const n of [1, 2]) {
    state = await board.state();
    await board.step(state, state.view.steps[n].token);
  }
  // The engine may have mated: that is taken back, too.
  state = await board.until((now) => now.turns.length === 3 && !now.thinking, 'the answer');
  await board.press('Take back');
  state = await board.until((now) => now.turns.length === 1 && now.view.side === 'b', 'back to where the person is to move');
  await board.press('Resign');
  await board.page.waitForSelector('dialog[open]');
  await board.page.evaluate(() => document.querySelector('dialog[open] .primary').click());
  state = await board.until((now) => now.end, 'the resignation');
  equal(state.end.result, '1-0', 'Black has resigned');

  // With a clock: the time of the side to move runs, after the first turn, and a flag falls.
  await board.choose('Level', '1');
  await board.choose('Clock', '1+1');
  await board.choose('I play', 'w');
  state = await fresh(board);
  state = await board.step(state, 'e2e4');
  state = await board.until((now) => now.turns.length === 2 && !now.thinking, 'an answer on the clock');
  check(state.clock.running === 'w' && state.clock.white <= 60_000, JSON.stringify(state.clock));
  const shown = await board.page.$eval('[data-clock=w]', (element) => element.textContent);
  check(/^0:5\d|^1:00/.test(shown), `the clock shows ${shown}`);
  // Another clock than those of the list; levels are named with their Elo.
  await board.choose('Clock', 'own');
  await board.page.waitForSelector('.own input');
  for (const [name, figure] of [['minutes', '2.5'], ['increment', '7']]) {
    await board.page.$eval(`.own input[name=${name}]`, (field, value) => {
      field.value = value;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }, figure);
  }
  state = await fresh(board);
  equal(state.clock.control, { minutes: 2.5, increment: 7 }, 'a clock of one’s own');
  const levels = await board.page.$$eval('.newgame option', (all) => all.map((one) => one.textContent).filter((text) => /Elo|full strength/.test(text)));
  check(levels.length > 8 && /^1 · \d+ Elo, for beginners$/.test(levels[0]) && /^\d+ · full strength$/.test(levels.at(-1)), `levels: ${levels}`);
  const flagged = await board.page.evaluate(async () => {
    const human = { kind: 'human' };
    const post = async (path, body) => (await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
    const game = await post('/api/games', { variant: 'chess', white: human, black: human, clock: { minutes: 0.01, increment: 0 } });
    await post(`/api/games/${game.id}`, { do: 'step', token: 'e2e4' });
    await new Promise((done) => { setTimeout(done, 800); });
    return (await fetch(`/api/games/${game.id}`)).json();
  });
  equal([flagged.end?.result, /has run out of time/.test(flagged.end?.text)], ['1-0', true], 'a flag has fallen');

  // Nobody plays: the engine goes on by itself as long as somebody looks.
  await board.choose('Clock', 'free');
  await board.choose('Opponent', 'watch');
  await fresh(board);
  state = await board.until((now) => now.turns.length >= 3, 'the engine against itself');
  const watched = state.id;
  await board.close();
  await sleep(1500);
  const turns = async () => (await (await fetch(`${url}api/games/${watched}`)).json()).turns.length;
  const [then, later] = [await turns(), (await sleep(2500), await turns())];
  check(later === then, `a game that nobody looks at goes on: ${then}, ${later}`);
  return 'play: sides, levels, hint, take back, draw, resignation, clock, flag; the engine against itself stops when nobody looks';
}

/** Analysis: lines that can be followed, legal ones; the bar; the graph with mistakes; what each piece is worth. */
async function analyse(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('superchess', 'rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1');
  await board.press('Analyse');
  await page.waitForSelector('.lines');
  await page.evaluate(() => [...document.querySelectorAll('#panel button')].find((one) => one.textContent === 'Analyse').click());
  await page.waitForFunction(() => document.querySelectorAll('.line').length === 3 && /depth [4-9]|depth \d\d/.test(document.querySelector('#depth').textContent), { timeout: 30_000 });
  const line = await page.$$eval('.line:first-child .pv button', (turns) => turns.map((turn) => turn.textContent));
  check(line.length > 1, `a line: ${line}`);
  check(await page.$eval('#eval', (bar) => !bar.hidden), 'the bar');
  check((await page.$$('.arrow.best')).length >= 1, 'arrows of the best turns');
  // The page is not held up by the search.
  const begun = Date.now();
  await page.evaluate(() => document.querySelector('#theme').click());
  check(Date.now() - begun < 500, 'the page waits for the search');
  // A line is adopted: the board shows what the library has, and goes back.
  await page.evaluate(() => document.querySelector('.line .pv button:nth-child(2)').click());
  await page.waitForFunction(() => window.fauve.state.turns.length === 2);
  await page.evaluate(() => window.fauve.goTo('1'));
  await page.waitForFunction(() => window.fauve.here() === '1' && !window.fauve.heading);
  const shown = await page.evaluate(() => document.body.dataset.fen);
  equal(sorted(await board.pieces()), sorted(piecesOf(shown)), 'the position of the line');
  await page.evaluate(() => window.fauve.goTo('0'));
  await page.waitForFunction(() => window.fauve.here() === '0' && !window.fauve.heading);
  await board.press('Stop');
  await board.until((state) => !state.analysis, 'the end of the analysis');
  await board.press('What each piece is worth here');
  await page.waitForSelector('.badge');
  equal((await page.$$('.badge')).length, 30, 'all pieces but the kings are valued');
  // Bad turns are marked in the game's graph.
  await board.begin('chess');
  for (const token of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) await board.step(await board.state(), token);
  await board.press('Assess the whole game');
  await page.waitForFunction(() => document.querySelector('.graph .mistake') && /4 of 4/.test(document.querySelector('#panel').textContent), { timeout: 60_000 });
  const mistakes = await page.$$eval('.mistakes button', (all) => all.map((one) => one.textContent));
  check(mistakes.some((text) => text.includes('g4??')), `the fool's mistake: ${mistakes}`);
  // In DiceChess luck and error are kept apart.
  await board.begin('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:2a');
  for (let turns = 0; turns < 2; turns = (await board.state()).turns.length) {
    const state = await board.state();
    await board.step(state, state.view.steps[0].token);
  }
  await page.select('label.choice:has(option[value="1000"]) select', '1000');
  await board.press('Assess the whole game');
  await page.waitForFunction(() => document.querySelectorAll('.graph .luckbar').length >= 1 && /2 of 2/.test(document.querySelector('#panel').textContent), { timeout: 60_000 });
  check(/Luck/.test(await page.$eval('#panel table', (table) => table.textContent)), 'luck beside error');
  // The dice are checked in the page against the seed.
  await board.press('Play');
  await board.press('Show seed and check');
  check(/^2a All 2 rolls|2a All 2 rolls/.test(await page.$eval('.seed', (one) => one.textContent)), 'the seed and its rolls');
  await board.close();
  return 'analysis: lines followed, bar, arrows, values of pieces, graph with mistakes, luck apart; dice checked against their seed';
}

/** A position set up by dragging, with the parser's words for what is wrong. */
async function setup(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  await board.press('Set up');
  await page.waitForSelector('#setupfen');
  const fen = () => page.$eval('#setupfen', (area) => area.value);
  const verdict = () => page.$eval('#verdict', (text) => text.textContent);
  await board.drag('e2', 'e4');
  await page.waitForFunction(() => document.querySelector('#setupfen').value.startsWith('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR'));
  await board.press('Clear the board');
  await page.waitForFunction(() => /0 kings/.test(document.querySelector('#verdict').textContent));
  const library = new Library('chess');
  const [said] = (await library.ask('position startpos', `position fen ${await fen()}`)).filter((line) => /invalid FEN/.test(line));
  library.stop();
  check(said.includes(await verdict()), `the parser's words: "${await verdict()}", "${said}"`);
  for (const [piece, square] of [['white king', 'e1'], ['black king', 'e8'], ['white queen', 'd1']]) {
    await board.press(piece);
    await board.click(square);
    await board.press(piece);
  }
  await page.waitForFunction(() => /can be played/.test(document.querySelector('#verdict').textContent), { timeout: 5000 }).catch(async () => { throw new Error(`${await fen()}: ${await verdict()}`); });
  const { id } = await board.state();
  await board.press('Play from here');
  const state = await board.until((now) => now.id !== id, 'the game from there');
  check(state.start.startsWith('4k3/8/8/8/8/8/8/3QK3 w'), state.start);
  // A cube is taken from one column to another, and the base is judged.
  await board.begin('cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1');
  await board.press('Set up');
  await page.waitForSelector('#setupfen');
  await sleep(200);
  await board.press('Take a cube away');
  await board.click('f8');
  await page.waitForFunction(() => /cubes/.test(document.querySelector('#verdict').textContent));
  await board.press('Add a cube');
  await board.click('f8');
  await page.waitForFunction(() => /can be played/.test(document.querySelector('#verdict').textContent));
  await board.close();
  return 'set-up: dragging, clearing, placing, cubes; the parser’s words';
}

/** Games from and to files, links, and a match that is followed while it is played. */
async function files(browser) {
  // A game is saved, read again by `fauve verify`, and opened.
  const server = await serve('--variant', 'superchess');
  const board = await Board.open(browser, server.url);
  const { page } = board;
  await board.begin('superchess');
  for (const token of ['A@h1', 'V@b8', 'E@f1', 'S@d8,b8d8', 'e2e4', 'e7e5', 'f1e3', 'b8c6']) await board.step(await board.state(), token);
  await board.press('Resign');
  await page.waitForSelector('dialog[open]');
  await page.evaluate(() => document.querySelector('dialog[open] .primary').click());
  const state = await board.until((now) => now.end, 'the end');
  const pgn = await (await fetch(`${server.url}api/games/${state.id}/pgn`)).text();
  const saved = join(folder, 'saved.pgn');
  writeFileSync(saved, pgn);
  const verified = spawnSync(FAUVE, ['verify', saved], { encoding: 'utf8' });
  check(verified.status === 0, `fauve verify: ${verified.stdout}${verified.stderr}${pgn}`);
  await board.press('Games');
  await page.waitForSelector('#fen');
  equal(await page.$eval('#fen', (code) => code.textContent), state.view.fen, 'the position string');
  await page.evaluate((text) => { document.querySelector('#panel textarea').value = text; }, pgn);
  await board.press('Read');
  const opened = await board.until((now) => now.id !== state.id, 'the game that was read');
  equal(opened.turns.map((turn) => turn.token), state.turns.map((turn) => turn.token), 'its turns');
  // A link holds the position.
  const link = `${server.url}#game=superchess&fen=${encodeURIComponent(opened.view.fen)}`;
  const other = await Board.open(browser, link);
  equal((await other.state()).view.fen, opened.view.fen, 'the position of the link');
  await other.close();
  await board.close();
  await server.stop();

  // A match is followed while it runs.
  const record = join(folder, 'match.jsonl');
  const match = spawn(FAUVE, ['match', '--variant', 'chess', '--engine', 'cmd=self', 'name=first', 'nodes=2000', '--engine', 'cmd=self', 'name=second', 'nodes=400', '--rounds', '12', '--seed', '5', '--sprt', 'elo0=0', 'elo1=100', '--record', record, '--max-turns', '80'], { stdio: 'ignore' });
  const over = new Promise((done) => { match.once('exit', done); });
  const games = () => {
    try {
      return readFileSync(record, 'utf8').trim().split('\n').length - 1;
    } catch {
      return -1;
    }
  };
  while (games() < 1) await sleep(50);
  const follow = await serve(record);
  const view = await Board.open(browser, follow.url);
  const count = () => view.page.evaluate(() => Number(/(\d+) of/.exec(document.querySelector('#panel [role=status]')?.textContent ?? '')?.[1] ?? -1));
  await view.page.waitForSelector('.standing');
  const first = await count();
  await over;
  const all = games();
  for (let i = 0; i < 100 && (await count()) !== all; i++) await sleep(50);
  equal(await count(), all, 'the games of the record');
  check(all > first, `the page has followed: ${first} and then ${all}`);
  check((await view.page.$$('.graph')).length === 2, 'the course of Elo and of the test');
  const merged = spawnSync(FAUVE, ['merge', record], { encoding: 'utf8' });
  const elo = /Elo: (-?[\d.]+|inf|-inf)/.exec(merged.stdout + merged.stderr)?.[1];
  const shown = await view.page.evaluate(() => document.querySelector('.standing tbody tr').textContent);
  if (Number.isFinite(Number(elo))) check(shown.includes(Math.abs(Number(elo)).toFixed(0)), `Elo ${elo}, the page: ${shown}`);
  await view.press('Look at it');
  const game = await view.until((now) => now.turns.length > 4, 'a game of the match');
  equal(game.names?.toSorted(), ['first', 'second'], 'the players of the match');
  const recorded = readFileSync(record, 'utf8').trim().split('\n').slice(1).map((line) => JSON.parse(line));
  check(recorded.some((one) => one.turns.map((turn) => turn.token).join() === game.turns.map((turn) => turn.token).join()), 'the turns of a recorded game');
  await view.page.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 3; i++) await view.page.keyboard.press('ArrowRight');
  await view.page.waitForFunction(() => [...document.querySelectorAll('[role=tab]')].length > 0);
  await view.close();
  await follow.stop();

  // Three players have a cross table: each one's points against each other.
  const three = join(folder, 'three.jsonl');
  const names = ['first', 'second', 'third'];
  const played = spawnSync(FAUVE, ['match', '--variant', 'chess', ...names.flatMap((name) => ['--engine', 'proto=random', `name=${name}`]), '--rounds', '2', '--seed', '6', '--max-turns', '300', '--record', three, '--quiet'], { encoding: 'utf8' });
  equal(played.status, 0, played.stderr);
  const results = readFileSync(three, 'utf8').trim().split('\n').slice(1).map((line) => JSON.parse(line));
  const points = (/** @type {string} */ own, /** @type {string} */ rival) => {
    const met = results.filter((one) => [one.white, one.black].toSorted().join() === [own, rival].toSorted().join());
    const won = met.map((one) => ({ '1-0': 1, '0-1': 0 }[one.result] ?? 0.5)).map((score, i) => (met[i].white === own ? score : 1 - score));
    return `${won.reduce((sum, score) => sum + score, 0)}/${met.length}`;
  };
  const crossed = await serve(three);
  const table = await Board.open(browser, crossed.url);
  await table.page.waitForSelector('.standing');
  const rows = await table.page.evaluate(() => [...document.querySelectorAll('table:not(.standing) tbody tr')].filter((row) => row.querySelector('th')).map((row) => [...row.children].map((cell) => cell.textContent)));
  equal(rows.length, 3, 'the rows of the cross table');
  for (const [name, ...cells] of rows) {
    const own = names.find((one) => name?.endsWith(one)) ?? '';
    const others = rows.map((row) => names.find((one) => row[0]?.endsWith(one)) ?? '');
    equal(cells, others.map((rival) => (rival === own ? '·' : points(own, rival))), `the cross table of ${name}`);
  }
  await table.close();
  await crossed.stop();
  return `files: saved, verified, opened, linked; a match followed from ${first} to ${all} games`;
}

/** A game of a match is watched while it is played: its turns come as they are made, and what is tried meanwhile is a variation. */
async function running(browser, variant) {
  const record = join(folder, `${variant}-live.jsonl`);
  const player = (/** @type {string} */ name) => ['--engine', 'cmd=self', `name=${name}`, 'movetime=300'];
  const match = spawn(FAUVE, ['match', '--variant', variant, ...player('first'), ...player('second'), '--rounds', '1', '--seed', '5', '--record', record, '--max-turns', '40', '--margin', '5000'], { stdio: 'ignore' });
  const over = new Promise((done) => { match.once('exit', done); });
  while (!existsSync(`${record}.live`)) await sleep(50);
  const server = await serve(record);
  const board = await Board.open(browser, server.url);
  const { page } = board;
  await (await page.waitForSelector('[data-watch="1"]')).click();
  let state = await board.until((now) => now.live && now.turns.length > 1, 'a game in progress');
  equal([state.names, state.variant, state.end], [['first', 'second'], variant, undefined], 'the game');
  // Its turns come by themselves, and the list and the board show them.
  const begun = state.turns.length;
  const seen = new Set();
  await page.waitForFunction((n) => {
    (window.seen ??= new Set()).add(document.querySelectorAll('#panel .turn[data-path]').length);
    return document.querySelectorAll('#panel .turn[data-path]').length >= n + 3;
  }, { timeout: 30_000 }, begun);
  for (const count of await page.evaluate(() => [...window.seen])) seen.add(count);
  check(seen.size >= 2, `turns came all at once: ${[...seen]}`);
  const buttons = await page.$$eval('#panel button', (all) => all.map((one) => one.textContent));
  check(!buttons.includes('Resign') && !buttons.includes('Take back'), `a game of others offers ${buttons}`);
  // It is not changed by those who look, whatever they ask for.
  for (const action of [{ do: 'resign' }, { do: 'undo_turn' }, { do: 'draw' }, { do: 'delete', path: '1' }, { do: 'step', token: state.view.steps[0]?.token ?? 'e2e4' }]) {
    const { id } = state;
    const status = await page.evaluate(async (game, body) => (await fetch(`/api/games/${game}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).status, id, JSON.stringify(action));
    equal(status, 409, action.do);
  }
  // Another turn in its beginning is a variation, beside which the game goes on.
  await page.evaluate(() => window.fauve.goTo('1'));
  await page.waitForFunction(() => window.fauve.here() === '1' && !window.fauve.heading);
  if (variant === 'chess') {
    const token = state.turns[1].token;
    const other = await page.evaluate((played) => window.fauve.shown().steps.find((one) => one.from && one.token !== played && !one.piece), token);
    await board.click(other.from);
    await board.click(other.to);
    state = await board.until((now) => now.turns[1].variations?.length === 1, 'the variation');
    // The server's word may come before the answer that leads there.
    await page.waitForFunction(() => window.fauve.here() === '1.0.1' && !window.fauve.heading, { timeout: 5000 });
  }
  const before = state.turns.length;
  state = await board.until((now) => now.turns.length > before + 1, 'the game goes on');
  check(await page.evaluate(() => window.fauve.place !== null), 'the page stays where it is');
  await page.keyboard.press('f');
  await page.evaluate(() => window.fauve.goTo(String(window.fauve.state.turns.length)));
  // To its end, as the record has it.
  for (let i = 0; i < 4 && (!state.end || state.live); i++) state = await board.until((now) => now.end && !now.live, 'the end').catch(() => state);
  const [game] = readFileSync(record, 'utf8').trim().split('\n').slice(1).map((line) => JSON.parse(line)).filter((one) => one.game === 1);
  equal(state.turns.map((turn) => [turn.token, turn.roll]), game.turns.map((turn) => [turn.token, turn.roll]), 'the turns of the record');
  equal([state.end?.result, state.live], [game.result, undefined], 'its end');
  await board.close();
  match.kill('SIGINT');
  await over;
  check(!existsSync(`${record}.live`), 'the file of the games in progress is gone');
  await server.stop();
  return `${variant}: a game of ${game.turns.length} turns watched while it was played`;
}

const server = await serve();
const browser = await browse();
try {
  await runAll([play, analyse, setup, files], browser, server.url);
  for (const variant of ['chess', 'dicechess']) await runAll([running], browser, variant);
} finally {
  await browser.close();
  await server.stop();
}
