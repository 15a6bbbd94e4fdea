// Puzzles by clicks, in every game: a wrong turn is refused and can be tried again, hints and the solution are shown, the right turn
// solves the puzzle, replies are made, and what was solved is kept over a reload.

import { Board, browse, check, equal, serve } from './driver.mjs';

const GAMES = ['Chess', 'Superchess', 'Two-move chess', 'DiceChess', 'Cubes 4D'];

const said = (board) => board.page.$eval('.puzzle .said', (one) => one.textContent).catch(() => '');
const standing = (board) => board.page.$$eval('#panel .note', (all) => all.map((one) => one.textContent).find((text) => /solved/.test(text)));
const buttons = (board) => board.page.$$eval('.puzzle button', (all) => all.filter((one) => !one.disabled).map((one) => one.textContent));

/** The solver's turn that is due, as tokens of steps. */
const due = (state) => state.puzzle.solution[state.turns.length].steps.map((step) => step.token);

async function solve(board, state) {
  let now = state;
  for (const token of due(state)) now = await board.step(now, token);
  return now;
}

async function wrong(board, state) {
  const { steps } = state.puzzle.solution[0];
  // A first step that no order of the solution begins with.
  const other = state.view.steps.find((step) => step.kind === 'move' && !step.piece && !steps.some((one) => one.token === step.token));
  if (!other || state.variant === 'dicechess' || state.variant === 'twomove') return null;
  return board.step(state, other.token);
}

async function through(board, name) {
  if (name !== 'Chess') await board.press(name);
  await board.page.waitForFunction((game) => document.querySelector('#games [aria-current]')?.textContent === game, {}, name);
  await board.press('Puzzles');
  await board.page.waitForFunction(() => [...document.querySelectorAll('.puzzle button')].some((one) => one.textContent === 'Begin'));
  await board.press('Begin');
  let state = await board.until((now) => now.puzzle?.number === 0 && now.puzzle.status === 'open', `the first puzzle of ${name}`);
  const count = Number(/of (\d+) solved/.exec(await standing(board))?.[1]);
  check(count >= 150, `${name} has ${count} puzzles`);
  state = await solve(board, state);
  while (state.puzzle.status === 'open') state = await solve(board, await board.until((now) => now.turns.length % 2 === 0, 'the reply'));
  equal(state.puzzle.status, 'done', `the solution of ${name}`);
  await board.page.waitForSelector('.puzzle .said.done');
  check((await standing(board)).startsWith('1 of '), `one is solved: ${await standing(board)}`);
  // The next one: a hint, a wrong turn, and once more.
  await board.press('Next puzzle');
  state = await board.until((now) => now.puzzle?.number === 1, 'the second puzzle');
  await board.press('Hint');
  await board.page.waitForFunction(() => document.querySelector('.puzzle .said')?.textContent.match(/Look at|It begins/));
  const failed = await wrong(board, state);
  if (failed) {
    equal(failed.puzzle.status, 'failed', 'a wrong turn');
    await board.page.waitForSelector('.puzzle .said.failed');
    await board.press('Try again');
    state = await board.until((now) => now.turns.length === 0 && now.puzzle.status === 'open', 'once more');
  }
  // The solution is played on the board; nothing more can be done then.
  await board.press('Show the solution');
  await board.page.waitForFunction(() => /^The solution is/.test(document.querySelector('.puzzle .said')?.textContent ?? ''));
  await board.page.waitForFunction((fen) => document.body.dataset.fen !== fen, {}, state.view.fen);
  check(!(await buttons(board)).includes('Hint'), 'no hint behind the solution');
  check((await standing(board)).startsWith('1 of ') && (await standing(board)).includes('In a row: 0'), `what was shown is not solved: ${await standing(board)}`);
  return state;
}

/** A mate in two: the reply is made by itself, another mate at the end is as good. */
async function reply(board) {
  for (let n = 0; n < 200; n++) {
    const state = await board.state();
    if (state.puzzle.mate === 2) {
      await solve(board, state);
      const answered = await board.until((now) => now.turns.length === 2, 'the reply');
      equal(answered.puzzle.status, 'open', 'half of the solution');
      check(/^Right/.test(await said(board)), await said(board));
      const done = await solve(board, answered);
      equal([done.puzzle.status, Boolean(done.end)], ['done', true], 'the mate');
      return;
    }
    const { number } = state.puzzle;
    await board.press('Next puzzle');
    await board.until((now) => now.puzzle && now.puzzle.number !== number, 'another puzzle');
  }
  check(false, 'there is no mate in two');
}

/** Where the puzzles cannot be fetched, that is said, and they are fetched when they are looked for again. */
async function unreachable(board) {
  const { page } = board;
  await page.setRequestInterception(true);
  const cut = (request) => (request.url().includes('/puzzles-') && request.url().endsWith('.txt') ? request.abort() : request.continue());
  page.on('request', cut);
  await board.press('Puzzles');
  await page.waitForFunction(() => /does not answer/.test(document.querySelector('#message').textContent));
  check(!(await page.$('.puzzle')) && !(await page.$eval('#panel', (panel) => panel.textContent)).includes('no puzzles'), 'nothing is said of puzzles that did not come');
  page.off('request', cut);
  await page.setRequestInterception(false);
  await board.press('Play');
  // The browser writes down what did not come.
  equal(board.faults.splice(0).filter((fault) => !/ERR_FAILED/.test(fault)), [], 'other faults');
}

const server = await serve();
const browser = await browse();
try {
  const board = await Board.open(browser, server.url);
  await unreachable(board);
  for (const name of GAMES) {
    await through(board, name);
    if (name === 'Superchess') await reply(board);
    const before = await standing(board);
    await board.page.reload({ waitUntil: 'load' });
    await board.ready();
    await board.page.waitForSelector('#panel .puzzle');
    equal(await standing(board), before, 'what was solved is kept');
  }
  await board.close();
  console.log('puzzles: solved, missed, hinted, shown and kept in all games');
} finally {
  await browser.close();
  await server.stop();
}
