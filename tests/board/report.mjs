// What follows a game: its result with what can be done next, its report, and learning from its mistakes; and turns that are typed.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Board, FAUVE, browse, check, equal, runAll, scratch, serve, sleep } from './driver.mjs';

const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
const folder = scratch();

const buttons = (board) => board.page.$$eval('.result button', (all) => all.map((one) => one.textContent));

/** Confirms what the page asks. */
async function agree(board) {
  await board.page.waitForSelector('dialog[open]');
  await board.page.evaluate(() => document.querySelector('dialog[open] .primary').click());
}

/** A game that is over offers another one with the same settings, one with exchanged sides, and its analysis. */
async function afterwards(browser, url) {
  const board = await Board.open(browser, url);
  await board.choose('I play', 'b');
  await board.choose('Level', '2');
  await board.choose('Clock', '1+1');
  await board.page.evaluate(() => document.querySelector('.newgame [type=submit]').click());
  await board.until((now) => now.white.level === 2 && now.turns.length === 1, 'a game against the engine');
  check(!(await board.page.$('.result')), 'no result before the end');
  await board.press('Resign');
  await agree(board);
  let state = await board.until((now) => now.end, 'the resignation');
  equal(await buttons(board), ['Rematch', 'Switch sides', 'Analyse this game'], 'what a game that is over offers');
  // What the form says now is not what was played.
  await board.choose('Clock', '3+2');
  await board.choose('Level', '1');
  const settings = (/** @type {any} */ { white, black, clock, start }) => ({ white, black, control: clock.control, start });
  const first = settings(state);
  await board.press('Rematch');
  let next = await board.until((now) => now.id !== state.id, 'the rematch');
  equal(settings(next), first, 'the settings of the rematch');
  equal(first.control, { minutes: 1, increment: 1 }, 'the clock');
  await board.until((now) => now.turns.length === 1, 'the engine begins again');
  await board.press('Resign');
  await agree(board);
  state = await board.until((now) => now.end, 'the second resignation');
  await board.press('Switch sides');
  next = await board.until((now) => now.id !== state.id, 'the game with exchanged sides');
  equal(settings(next), { ...first, white: first.black, black: first.white }, 'sides are exchanged, and nothing else');
  // The same position where the game began with one.
  const fen = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';
  await board.begin('chess', fen);
  await board.press('Resign');
  await agree(board);
  state = await board.until((now) => now.end, 'the end of a game of two people');
  equal(await buttons(board), ['Rematch', 'Analyse this game'], 'two people at one board have no sides to switch');
  await board.press('Rematch');
  next = await board.until((now) => now.id !== state.id, 'the rematch from a position');
  equal(next.start, state.start, 'its first position');
  await board.close();
  return 'end of a game: rematch with the same settings, sides exchanged, from the same position';
}

/** The figures that `fauve analyse` prints for White and Black, by the names of its rows. */
function printed(file, nodes) {
  const { stdout, status, stderr } = spawnSync(FAUVE, ['analyse', '--nodes', String(nodes), file], { encoding: 'utf8' });
  equal(status, 0, stderr);
  const row = (/** @type {string} */ name) => new RegExp(`^${name}\\s{2,}(.*?)\\s{2,}(.*?)$`, 'm').exec(stdout)?.slice(1) ?? [];
  return Object.fromEntries(['accuracy', 'best turns', 'inaccuracies', 'mistakes', 'blunders'].map((name) => [name, row(name)]));
}

/** The table of the report on the page. */
const table = (board) => board.page.$$eval('.sums tbody tr', (rows) => Object.fromEntries(rows.map((row) => [row.children[0].textContent, [row.children[1].textContent, row.children[2].textContent]])));

/** The report: the figures of the terminal, a graph that answers the pointer, kept over a reload. */
async function report(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  for (const token of FOOLS_MATE) await board.step(await board.state(), token);
  await page.evaluate(() => { const kept = JSON.parse(localStorage.getItem('fauve') ?? '{}'); localStorage.setItem('fauve', JSON.stringify({ ...kept, nodes: 5000 })); });
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  await board.press('Analyse this game');
  await page.waitForFunction(() => window.fauve.sides && window.fauve.assessed.filter(Boolean).length === 4 && !window.fauve.notes.reviewing, { timeout: 60_000 });
  await page.waitForSelector('.sums');
  // What was asked for is seen without scrolling.
  const sees = await page.evaluate(() => {
    const [panel, graph] = ['#panel', '.graph'].map((what) => document.querySelector(what).getBoundingClientRect());
    return graph.top >= panel.top - 1 && graph.bottom <= panel.bottom + 1;
  });
  check(sees, 'the graph of the report lies in the panel');
  const file = join(folder, 'game.pgn');
  writeFileSync(file, await board.pgn());
  const [shown, said] = [await table(board), printed(file, 5000)];
  equal(shown.Accuracy, said.accuracy, 'the accuracy on the page and in the terminal');
  equal(shown['Best turns'].map((text) => text.split(' / ')[0]), said['best turns'], 'the best turns');
  for (const [page_, terminal] of [['Inaccuracies', 'inaccuracies'], ['Mistakes', 'mistakes'], ['Blunders', 'blunders']]) equal(shown[page_], said[terminal], terminal);
  check(Number.parseFloat(shown.Accuracy[0]) < 60 && shown.Accuracy[1] === '100.0 %', `a fool's mate: ${shown.Accuracy}`);
  // The pointer over the graph reads a value; a click goes there.
  const spot = async (/** @type {number} */ turn) => {
    const box = await (await page.$('.graph .hit')).boundingBox();
    return /** @type {const} */ ([box.x + (box.width * (8 + (turn * 344) / 4)) / 360, box.y + box.height / 2]);
  };
  await page.$eval('.graph', (one) => one.scrollIntoView({ block: 'center' }));
  await page.mouse.move(...await spot(3));
  const tip = await page.$eval('.graph text.probe', (one) => one.textContent);
  check(/^2\. g4\?\?: 0\.\d %$/.test(tip), `the value under the pointer: ${tip}`);
  check(await page.$eval('.graph line.probe', (one) => one.getAttribute('visibility') === 'visible'), 'a line under the pointer');
  await page.mouse.click(...await spot(1));
  await page.waitForFunction(() => window.fauve.here() === '1' && !window.fauve.heading);
  await page.mouse.move(5, 5);
  equal(await page.$eval('.graph text.probe', (one) => one.textContent), '', 'nothing where no pointer is');
  // The report is there after a reload, where a worker is begun anew with its page and has what the browser keeps of a game. That is kept soon.
  await sleep(300);
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  await page.waitForFunction(() => document.querySelectorAll('.sums tbody tr').length > 0 && !window.fauve.notes.reviewing, { timeout: 8000 });
  equal(await table(board), shown, 'the report after a reload');
  await board.close();
  return `report: accuracy ${shown.Accuracy.join(' and ')} as in the terminal, graph under the pointer, kept over a reload`;
}

/** Waits for what is said of the turn that was tried. */
const says = (board, words) => board.page.waitForFunction((text) => new RegExp(text).test(document.querySelector('.retry .said')?.textContent ?? ''), { timeout: 20_000 }, words.source).catch(async () => {
  throw new Error(`it says "${await said(board)}", and should say ${words}`);
});
const said = (board) => board.page.$eval('.retry .said', (one) => one.textContent);
const clicks = async (board, ...squares) => { for (const square of squares) await board.click(square); };
const status = (board, wanted) => board.page.waitForFunction((one) => window.fauve.retry?.status === one, { timeout: 20_000 }, wanted).catch(async () => {
  throw new Error(`not ${wanted}, but ${await board.page.evaluate(() => window.fauve.retry?.status)}: ${await board.message()}`);
});

/** Learning from mistakes: a turn that is no better is refused, a good one accepted, whatever the engine prefers; hint and solution. */
async function learning(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  // Both sides leave a queen to be taken.
  for (const token of ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'h5f7', 'e8f7', 'g1f3', 'd8g5', 'f3g5', 'f7e8']) await board.step(await board.state(), token);
  await board.press('Analyse');
  await page.waitForSelector('.notes');
  await board.press('Assess the whole game');
  await page.waitForFunction(() => window.fauve.assessed.filter(Boolean).length === 10 && !window.fauve.notes.reviewing, { timeout: 90_000 });
  const turns = (await board.state()).turns.map((turn) => turn.token);
  const begin = await page.$$eval('#panel button', (all) => all.map((one) => one.textContent).find((text) => /^Learn from \d+ mistakes? of Black$/.test(text)));
  check(begin, 'Black has something to learn');
  await board.press(begin);
  await page.waitForSelector('.retry');
  const count = Number(/\d+/.exec(begin)[0]);
  equal(await page.$eval('.retry h2', (one) => one.textContent), `Mistake 1 of ${count}`, 'the first mistake');
  // Onwards to the queen that Black leaves.
  while ((await page.evaluate(() => window.fauve.retry.path)) !== '7') {
    await board.press('Next');
    await sleep(50);
  }
  await page.waitForFunction(() => window.fauve.here() === '7' && !window.fauve.heading);
  check(/Qg5 lost \d+ %\. Find a better turn for Black/.test(await page.$eval('.retry', (one) => one.textContent)), 'what is to be found');
  check(!(await page.$('.mistakes')), 'the solution is not told beside it');
  await clicks(board, 'd8', 'g5');
  await says(board, /what was played/);
  await clicks(board, 'd8', 'h4');
  await says(board, /^Qh4 loses \d+ %\. Try again\.$/);
  await status(board, 'wrong');
  equal(await page.evaluate(() => window.fauve.here()), '7', 'back where it is to be found');
  await board.press('Hint');
  await page.waitForSelector('.circle.green');
  check(/^Look at the black \w+\.$/.test(await said(board)), `the hint: ${await said(board)}`);
  // A typed turn is an answer, too: what the engine holds best.
  const best = await page.evaluate(() => window.fauve.retry.assessed.best);
  await page.type('#typed', best);
  await page.keyboard.press('Enter');
  await status(board, 'right');
  check((await said(board)).startsWith(`${best} is good`), await said(board));
  check(!(await page.evaluate(() => window.fauve.retry.solved.size)), 'a hint is help');
  // To the end; the solution is shown where it is asked for.
  while ((await page.$eval('.retry', (one) => !/That was all/.test(one.textContent)))) {
    if (await page.evaluate(() => window.fauve.retry.status === 'find')) {
      await board.press('Show the solution');
      await status(board, 'shown');
      check(/ was best\.$/.test(await said(board)), await said(board));
    }
    await board.press('Next');
    await sleep(80);
  }
  check(new RegExp(`0 of ${count} found`).test(await said(board)), await said(board));
  await board.press('Stop learning');
  check(!(await page.$('.retry')), 'learning has ended');
  const after = await board.state();
  equal([after.turns.map((turn) => turn.token), after.turns.some((turn) => turn.variations?.length)], [turns, false], 'the game is as it was');
  await board.close();
  return `learning: ${count === 1 ? '1 mistake' : `${count} mistakes`}; the same turn and another bad one refused, a good one accepted, hint, solution, end`;
}

/** Turns of several steps, and with dice, are found again, too. */
async function games(browser, url) {
  const lines = [];
  for (const [variant, fen] of [['twomove', undefined], ['dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:2a'], ['superchess', 'rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1'], ['cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1']]) {
    const board = await Board.open(browser, url);
    const { page } = board;
    await page.evaluate(() => { const kept = JSON.parse(localStorage.getItem('fauve') ?? '{}'); localStorage.setItem('fauve', JSON.stringify({ ...kept, nodes: 1000 })); });
    await page.reload({ waitUntil: 'load' });
    // The address is heard once the page has its game.
    await page.waitForFunction(() => window.fauve?.state?.id);
    await sleep(200);
    await board.begin(variant, fen);
    let state = await board.state();
    while (state.turns.length < 6 && !state.end) {
      const steps = state.view.steps.filter((one) => !one.piece || one.kind === 'place');
      state = await board.step(state, steps[(7 * state.turns.length) % steps.length].token);
    }
    await board.press('Analyse');
    await page.waitForSelector('.notes');
    await board.press('Assess the whole game');
    await page.waitForFunction((n) => window.fauve.assessed.filter(Boolean).length === n && !window.fauve.notes.reviewing, { timeout: 120_000 }, state.turns.length);
    const table_ = await table(board);
    check(/^\d+\.\d %$|^–$/.test(table_.Accuracy[0]), `${variant}: ${JSON.stringify(table_)}`);
    equal('Luck' in table_, variant === 'dicechess', `luck in ${variant}`);
    const begin = await page.$$eval('#panel button', (all) => all.map((one) => one.textContent).find((text) => /^Learn from /.test(text)));
    if (begin) {
      await board.press(begin);
      await page.waitForSelector('.retry');
      await page.waitForFunction(() => window.fauve.here() === window.fauve.retry.path && !window.fauve.heading);
      const best = await page.evaluate(() => window.fauve.retry.assessed.best);
      await page.type('#typed', best);
      await page.keyboard.press('Enter');
      await status(board, 'right');
    }
    lines.push(`${variant} ${table_.Accuracy.join(' and ')}${begin ? ', a better turn typed' : ''}`);
    await board.close();
  }
  return `report of the other games: ${lines.join('; ')}`;
}

/** Turns are typed, in any spelling; what is no turn is refused in the words of the rules. */
async function typed(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  const type = async (/** @type {string} */ text) => {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('/');
    await page.waitForFunction(() => document.activeElement?.id === 'typed');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  for (const [text, token] of [['e4', 'e2e4'], ['e7-e5', 'e7e5'], ['nf3', 'g1f3'], ['Knf', null], ['Nb8c6', 'b8c6'], ['Ke3', null], ['0-0', null], ['Bb5!', 'f1b5']]) {
    const before = (await board.state()).turns.length;
    await type(text);
    if (token) {
      const state = await board.until((now) => now.turns.length === before + 1, `the turn ${text}`);
      equal(state.turns.at(-1).token, token, `what ${text} means`);
      equal(await page.$eval('#typed', (one) => one.value), '', 'the field is empty again');
    } else {
      // The words that refused the turn before are there still: what is chosen in the field comes with the answer.
      await page.waitForFunction(() => {
        const field = document.querySelector('#typed');
        return field.selectionEnd > field.selectionStart && document.querySelector('#message').classList.contains('sharp');
      });
      check(/not legal/.test(await board.message()), `why ${text} is refused: ${await board.message()}`);
      equal(await page.$eval('#typed', (one) => [one.value, one.selectionEnd - one.selectionStart]), [text, text.length], 'what was typed can be changed');
      await page.$eval('#typed', (one) => { one.value = ''; });
    }
  }
  // As a variation where the game has been stepped back.
  await page.evaluate(() => window.fauve.goTo('1'));
  await page.waitForFunction(() => window.fauve.here() === '1' && !window.fauve.heading);
  await type('c5');
  await board.until((now) => now.turns[1].variations?.[0].turns[0].token === 'c7c5', 'the variation');
  // From another tab the key leads to the field.
  await board.press('Games');
  await type('Nf3');
  await board.until((now) => now.turns[1].variations?.[0].turns[1]?.token === 'g1f3', 'the next turn of the variation');
  // Two moves, dice, superpieces, cubes: each in the game's own notation.
  await board.begin('twomove');
  await type('e4');
  await board.until((now) => now.turns.length === 1, 'the first turn of one move');
  await type('e5 a5');
  await board.until((now) => now.turns[1]?.token === 'e7e5,a7a5', 'a turn of two moves');
  await board.begin('superchess');
  await type('A@h1');
  await board.until((now) => now.turns[0]?.token === 'A@h1', 'a superpiece');
  await board.begin('cubes4d');
  await type('left');
  await board.until((now) => now.turns[0]?.token === 'left', 'the side of the lateral Pawns');
  await board.begin('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:2a');
  const dice = await board.state();
  await type(dice.view.steps[0].san);
  await board.until((now) => now.version > dice.version, 'a turn with dice');
  // All keys are listed, by the key and by the button.
  for (const how of [() => page.keyboard.press('?'), () => page.click('#keys')]) {
    await page.evaluate(() => document.activeElement?.blur());
    await how();
    await page.waitForSelector('dialog[open] .keys');
    const listed = await page.$$eval('dialog[open] kbd', (all) => all.map((one) => one.textContent));
    check(['/', '?', 'f', 'a', 'h', 'Home End'].every((key) => listed.includes(key)), `the keys: ${listed}`);
    await board.press('Close');
  }
  await board.close();
  return 'typed turns: any spelling, all games, variations; refusals say why; keys listed';
}

const server = await serve();
const browser = await browse();
try {
  await runAll([afterwards, report, learning, games, typed], browser, server.url);
} finally {
  await browser.close();
  await server.stop();
}
