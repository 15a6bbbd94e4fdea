// A game is looked into as on an analysis board, by clicks: what is shown is one thing, and everything on the page follows it.

import { writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Board, FAUVE, browse, check, equal, piecesOf, runAll, scratch, serve, sleep, sorted, wants } from './driver.mjs';

const folder = scratch();

/** The fields of a position string that are on the board. */
const placement = (/** @type {string} */ fen) => fen.split(' ').slice(0, 2).join(' ');

/** The place that the page shows, in the tree of the game. */
const here = (board) => board.page.evaluate(() => window.fauve.here());
const shown = (board) => board.page.evaluate(() => document.body.dataset.fen);

/** Waits until the page shows a place, and its position is drawn. */
async function at(board, path) {
  await board.page.waitForFunction((wanted) => window.fauve.here() === wanted && !window.fauve.heading, { timeout: 8000 }, path).catch(async () => {
    throw new Error(`the page shows ${await here(board)}, not ${path}; it says "${await board.message()}"`);
  });
  await sleep(30);
  const fen = await shown(board);
  equal(sorted(await board.pieces()), sorted(piecesOf(fen)), `the pieces at ${path}`);
  return fen;
}

const press = async (board, key) => {
  await board.page.evaluate(() => document.activeElement?.blur());
  await board.page.keyboard.press(key);
};

/** Makes a whole turn by clicks where the board stands: whatever is allowed, the step of this number at each choice. */
async function turn(board, which = 0) {
  const before = await board.page.evaluate(() => window.fauve.here());
  for (let i = 0; i < 4; i++) {
    const state = await board.page.evaluate(() => ({ view: window.fauve.shown(), steps: window.fauve.placed().steps?.length ?? 0 }));
    const steps = state.view.steps.filter((one) => one.from && one.kind !== 'cube' && (!one.piece || one.piece.toUpperCase() === 'Q'));
    const step = steps[which % steps.length];
    check(step, `no step to be clicked at ${state.view.fen}`);
    await board.click(step.from);
    await board.click(step.to);
    if (step.piece) {
      await board.page.waitForSelector('dialog[open]');
      await board.press(`${state.view.side === 'w' ? 'white' : 'black'} queen`);
    }
    await board.page.waitForFunction((path, made) => window.fauve.here() !== path || (window.fauve.placed().steps?.length ?? 0) !== made, { timeout: 8000 }, before, state.steps).catch(async () => {
      throw new Error(`${step.token} was not made at ${state.view.fen}: ${await board.message()}`);
    });
    if ((await here(board)) !== before) return step;
  }
  throw new Error('a turn of more than four steps');
}

/** Analysis searches what is shown, at every place: lines, arrows, bar and status line belong to it. */
async function searches(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  for (const token of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) await board.step(await board.state(), token);
  await board.press('Analyse');
  await page.waitForSelector('#lines');
  check(/^0-1 – /.test(await board.message()), `the end is said: ${await board.message()}`);
  await page.evaluate(() => [...document.querySelectorAll('#panel button')].find((one) => one.textContent === 'Analyse').click());
  await board.until((state) => state.analysis, 'the analysis of an ended game');
  // After mate the bar is full, and nothing is searched.
  await page.waitForFunction(() => !document.querySelector('#eval').hidden && document.querySelector('#evaltext').textContent === '0' && document.querySelector('#evalfill').style.height === '0%');
  for (const [key, path, first] of [['ArrowLeft', '3', '…'], ['ArrowLeft', '2', '2.'], ['ArrowLeft', '1', '1…'], ['Home', '0', '1.']]) {
    await press(board, key);
    const fen = await at(board, path);
    await page.waitForFunction((want) => document.querySelector('.line .pv button')?.textContent.includes(want) && window.fauve.lines.length, { timeout: 20_000 }, first);
    const side = fen.split(' ')[1] === 'w' ? 'White' : 'Black';
    check((await board.message()).startsWith(`${side} to move`), `the status line at ${path}: ${await board.message()}`);
    const [token, legal] = await page.evaluate(() => [window.fauve.lines[0].turns[0].token, window.fauve.shown().steps.map((step) => step.token)]);
    check(legal.includes(token), `${token} is not a move of ${fen}`);
    equal((await board.state()).analysis.place, { path }, 'what the server searches');
    check(await page.evaluate(() => document.querySelector('.seatbar .disc.on')?.classList.contains(window.fauve.shown().side)), 'the side to move of what is shown');
    check(!(await page.$('.seatbar .points')), 'no result beside a position of the game');
    if (path === '3') {
      // Black mates: the best line says so, and hint, values and danger are of this position, too.
      equal(await page.evaluate(() => window.fauve.lines[0].turns[0].token), 'd8h4', 'the mate is found');
      await press(board, 'h');
      await page.waitForFunction(() => window.fauve.hinted?.steps[0] === 'd8h4', { timeout: 20_000 });
      await page.evaluate(() => window.fauve.fetchStatics());
      await page.waitForFunction(() => window.fauve.staticEval?.pieces.some((piece) => piece.square === 'd8'));
    }
  }
  await board.press('Stop');
  await board.until((state) => !state.analysis, 'the end of the analysis');
  await board.close();
  return 'analysis, bar, status, seats, hint and values are those of the position that is shown, in an ended game too';
}

/** A whole session: open, step, vary, comment, adopt a line, save, open again: the same tree. */
async function session(browser, url, variant) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin(variant, variant === 'superchess' ? 'rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1' : variant === 'dicechess' ? 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:2a' : variant === 'cubes4d' ? 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1' : undefined);
  // The game: six turns by the first steps that are allowed.
  while ((await board.state()).turns.length < 6) {
    const state = await board.state();
    await board.step(state, state.view.steps[Math.min(3, state.view.steps.length - 1)].token);
  }
  const game = await board.state();
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  // Back by keys; the list and the board follow.
  for (const path of ['5', '4', '3']) {
    await press(board, 'ArrowLeft');
    await at(board, path);
    equal(await page.$eval('.turn.current', (one) => one.dataset.path), path, 'the turn that is marked in the list');
  }
  // Any other turn begins a variation, which goes on.
  const other = await page.evaluate((next) => {
    const steps = window.fauve.shown().steps.filter((one) => one.from && one.kind !== 'cube' && !one.piece);
    return steps.findIndex((step) => !next.startsWith(step.token));
  }, game.turns[3].token);
  await turn(board, other < 0 ? 0 : other);
  let path = await here(board);
  check(/^3\.\d\.1$/.test(path), `a variation at turn 4: ${path}`);
  await at(board, path);
  equal((await board.state()).turns.map((one) => one.token), game.turns.map((one) => one.token), 'the game itself is as it was');
  // A comment and signs beside it.
  await page.focus('.remark');
  await page.keyboard.type('what {if} this?');
  await page.evaluate(() => document.activeElement.blur());
  await board.until((state) => state.turns[3].variations?.[0].turns[0].comment === 'what {if} this?', 'the comment');
  await board.press('interesting');
  await board.until((state) => state.turns[3].variations[0].turns[0].nags?.[0] === 5, 'the sign');
  check(await page.evaluate(() => document.querySelector('.variation .turn.current').textContent.includes('!?')), 'the sign in the list');
  // An arrow and a circle by the right button.
  const [from, to] = variant === 'cubes4d' ? ['e6', 'e10'] : ['d2', 'd4'];
  await page.mouse.move(...await board.point(from));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...await board.point(to), { steps: 3 });
  await page.mouse.up({ button: 'right' });
  await board.until((state) => state.turns[3].variations[0].turns[0].shapes?.[0] === `G${from}${to}`, 'the arrow');
  await page.waitForSelector('.own.green');
  if (variant === 'dicechess') {
    // The dice of a turn that was never played are given by hand.
    await page.waitForFunction(() => /rolls the dice/.test(document.querySelector('#message').textContent));
    await board.press('Roll');
    await page.waitForFunction(() => window.fauve.shown().steps.length > 0);
  }
  // A line of the engine is shown under the pointer, and adopted by a click.
  await page.evaluate(() => [...document.querySelectorAll('#panel button')].find((one) => one.textContent === 'Analyse').click());
  await page.waitForFunction(() => window.fauve.lines[0]?.turns.length >= 1 && document.querySelector('.line .pv button'), { timeout: 30_000 });
  const deep = await page.evaluate(() => Math.min(1, window.fauve.lines[0].turns.length - 1));
  const seen = await shown(board);
  const button = (await page.$$('.line:first-child .pv button'))[deep];
  await button.hover();
  await page.waitForFunction((fen) => document.body.dataset.fen !== fen, { timeout: 8000 }, seen);
  // The list may have moved under the pointer once more: what counts is what is seen when it is clicked.
  await sleep(400);
  const previewed = await shown(board);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction((old) => window.fauve.here() !== old && !window.fauve.preview, { timeout: 8000 }, path);
  await sleep(150);
  path = await here(board);
  const adopted = await at(board, path);
  const after = await page.evaluate(() => window.fauve.state.turns[3].variations[0].turns.map((one) => one.san));
  check(after.length >= 2, `the line is in the variation: ${after}`);
  equal(placement(adopted), placement(previewed), 'what was previewed');
  await board.press('Stop');
  // A variation in the variation, and comments at the beginning.
  await page.evaluate(() => window.fauve.goTo('3.0.1'));
  await at(board, '3.0.1');
  if (variant !== 'dicechess') {
    const others = await page.evaluate((token) => {
      const steps = window.fauve.shown().steps.filter((one) => one.from && one.kind !== 'cube' && !one.piece);
      return steps.findIndex((step) => !token.startsWith(step.token));
    }, (await board.state()).turns[3].variations[0].turns[1].token);
    await turn(board, Math.max(0, others));
    await at(board, '3.0.1.0.1');
  }
  // Stepping stays in the variation and goes back to where it left the game.
  await press(board, 'Home');
  await at(board, variant === 'dicechess' ? '3' : '3.0.1');
  await page.evaluate(() => window.fauve.goTo('0'));
  await at(board, '0');
  await page.focus('.remark');
  await page.keyboard.type('Before the game');
  await page.evaluate(() => document.activeElement.blur());
  await board.until((state) => state.lead.comment === 'Before the game', 'the comment before the first turn');
  // Saved and opened: the same tree, and other programs of ours read it.
  const before = await board.state();
  const pgn = await board.pgn();
  const file = join(folder, `${variant}.pgn`);
  writeFileSync(file, pgn);
  const verified = spawnSync(FAUVE, ['verify', '--variant', variant, file], { encoding: 'utf8' });
  check(!/not legal|error/i.test(verified.stderr), `fauve verify: ${verified.stdout}${verified.stderr}`);
  await board.press('Games');
  await page.waitForSelector('#paste');
  await page.evaluate((text) => { document.querySelector('#paste').value = text; }, pgn);
  await board.press('Read');
  const opened = await board.until((state) => state.id !== before.id, 'the game that was saved');
  if (process.env.SHOW) { const [a, b] = [before, opened].map((one) => JSON.stringify(one.turns)); const i = [...a].findIndex((letter, n) => letter !== b[n]); console.log(i, a.slice(i - 80, i + 60), '|||', b.slice(i - 80, i + 60)); };
  equal(opened.turns, before.turns, 'the tree that was saved');
  equal(opened.lead, before.lead, 'what stood before it');
  await page.waitForFunction(() => document.querySelector('#tab-analyse').getAttribute('aria-selected') === 'true');
  // Promoted and deleted, by buttons.
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  await page.evaluate(() => document.querySelector('[data-path="3.0.1"]').click());
  await at(board, '3.0.1');
  await board.press('Promote the variation');
  await at(board, '4');
  let now = await board.state();
  equal(now.turns[3].token, before.turns[3].variations[0].turns[0].token, 'the variation is the game now');
  equal(now.turns[3].variations[0].turns.map((one) => one.token), before.turns.slice(3).map((one) => one.token), 'and the game a variation');
  await page.evaluate(() => document.querySelector('[data-path="3.0.1"]').click());
  await at(board, '3.0.1');
  await board.press('Delete from here');
  await at(board, '3');
  now = await board.state();
  check(!(now.turns[3].variations ?? []).some((line) => line.turns[0].token === before.turns[3].token), 'the variation is gone');
  await board.close();
  return `${variant}: opened, stepped, varied, commented, a line adopted, saved, opened again: the same tree; promoted and deleted`;
}

/** An ended game stays as it is; what is tried behind its end is a variation. */
async function ended(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  await board.step(await board.state(), 'e2e4');
  await board.step(await board.state(), 'e7e5');
  await board.press('Resign');
  await page.waitForSelector('dialog[open]');
  await page.evaluate(() => document.querySelector('dialog[open] .primary').click());
  await board.until((state) => state.end, 'the resignation');
  await board.click('g1');
  await board.click('f3');
  await at(board, '1.0.2');
  let state = await board.state();
  equal([state.turns.length, state.end.result], [2, '0-1'], 'the game as it ended');
  equal(state.turns[1].variations[0].turns.map((one) => one.token), ['e7e5', 'g1f3'], 'the variation behind its end');
  // A game that was opened keeps its result, too.
  await board.press('Games');
  await page.waitForSelector('#paste');
  await page.evaluate(() => { document.querySelector('#paste').value = '[White "A"]\n[Result "1-0"]\n\n1. d4 d5 1-0\n'; });
  await board.press('Read');
  state = await board.until((now) => now.turns[0]?.token === 'd2d4', 'the game that was opened');
  equal(state.end?.result, '1-0', 'its result');
  await page.evaluate(() => window.fauve.goTo('2'));
  await at(board, '2');
  check(/1-0/.test(await board.message()), `the result is said: ${await board.message()}`);
  await board.click('c2');
  await board.click('c4');
  await at(board, '1.0.2');
  equal((await board.state()).turns.length, 2, 'the turns of the game that was opened');
  await board.close();
  return 'ended games keep their result and their turns: what is tried behind the end is a variation';
}

const server = await serve();
const browser = await browse();
try {
  await runAll([searches, ended], browser, server.url);
  for (const variant of ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d']) if (wants(variant)) console.log(await session(browser, server.url, variant));
} finally {
  await browser.close();
  await server.stop();
}
