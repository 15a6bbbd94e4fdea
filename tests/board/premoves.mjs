// Premoves: a turn that is put together while the other side thinks; and the colours of the board and its pieces.

import { Board, browse, check, equal, runAll, serve, sleep } from './driver.mjs';

/** A program that thinks for a second, and answers by what was played. */
const tester = ['--engine', 'cmd=/bin/sh', 'name=Tester', 'args=-c "while read -r line; do case $line in uci) echo option name UCI_Variant type combo default chess var chess var twomove; echo uciok;; isready) echo readyok;; position*) at=$line;; go*) sleep 1; case $at in *h7h6) echo bestmove g7g6,f7f6;; *a7a6,b7b6*) echo bestmove h7h6,g7g6;; *twomove*|*e2e4) echo bestmove $REPLY1;; *a7a6*) echo bestmove h7h6;; esac;; quit) exit;; esac; done"'];

const queue = (board) => board.page.evaluate(() => window.fauve.premoves.queue.map(({ from, to }) => from + to));
const clicks = async (board, ...squares) => { for (const square of squares) await board.click(square); };
const thinks = (board) => board.until((now) => now.thinking, 'the other side thinks');

/** Begins a game of White against the tester. */
async function begin(board, fen) {
  const { id } = await board.state();
  if (fen) {
    await board.page.evaluate((from) => window.fauve.open({ variant: 'chess', fen: from, white: { kind: 'human' }, black: { kind: 'program', name: 'Tester' } }), fen);
  } else {
    await board.choose('Opponent', 'program Tester');
    await board.choose('I play', 'w');
    await board.page.evaluate(() => document.querySelector('.newgame [type=submit]').click());
    await sleep(80);
    await board.page.evaluate(() => document.querySelector('dialog[open] .primary')?.click());
  }
  return board.until((now) => now.id !== id && now.black.name === 'Tester', 'a game');
}

/** One move: by clicks, by dragging, taken back in four ways, and not possible. */
async function chess(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  let state = await begin(board);
  await board.step(state, 'e2e4');
  await thinks(board);
  await clicks(board, 'd2', 'd4');
  equal(await queue(board), ['d2d4'], 'the premove');
  check(await page.$('.arrow.premove'), 'its arrow');
  equal((await board.pieces()).d4, 'P', 'the pawn where it will stand');
  check(/d2–d4/.test(await page.$eval('.premoves', (one) => one.textContent)), 'it is said beside the board');
  state = await board.until((now) => now.turns.length === 3, 'the premove is made');
  equal(state.turns.map((turn) => turn.token), ['e2e4', 'a7a6', 'd2d4'], 'the turns');
  check(!(await page.$('.arrow.premove')) && !(await queue(board)).length, 'no premove any more');
  // Taken back: by Escape, the right button, the button, and a click elsewhere.
  await thinks(board);
  for (const [how, cancel] of [
    ['Escape', () => page.keyboard.press('Escape')],
    ['the right button', async () => page.mouse.click(...await board.point('h5'), { button: 'right' })],
    ['the button', () => board.press('Cancel it')],
    ['a click on an empty square', () => board.click('h5')],
  ]) {
    await clicks(board, 'g1', 'f3');
    equal(await queue(board), ['g1f3'], `a premove before ${how}`);
    await cancel();
    equal(await queue(board), [], `${how} takes it back`);
    equal((await board.pieces()).g1, 'N', 'the knight stands where it stood');
    if (how === 'the right button') check(!(await board.state()).turns.at(-1).shapes?.length, 'no circle is drawn by that');
    if (!(await board.state()).thinking) {
      await board.press('Take back');
      state = await board.until((now) => now.view.side === 'w', 'back');
      await board.step(state, 'd2d4');
      await thinks(board);
    }
  }
  await board.until((now) => now.turns.length === 4, 'the answer, and nothing more');
  await sleep(300);
  equal((await board.state()).turns.length, 4, 'a premove that was taken back is not made');
  // One that cannot be made is dropped with a word.
  state = await begin(board);
  await board.step(state, 'e2e4');
  await thinks(board);
  await board.drag('a1', 'a7');
  equal(await queue(board), ['a1a7'], 'by dragging');
  await board.until((now) => now.turns.length === 2, 'the answer');
  await page.waitForFunction(() => /not possible/.test(document.querySelector('#message').textContent));
  equal([(await board.state()).turns.length, (await board.pieces()).a1], [2, 'R'], 'nothing was played');
  // With the turn before it is taken back as well.
  state = await begin(board);
  await board.step(state, 'e2e4');
  await thinks(board);
  await clicks(board, 'd2', 'd4');
  await board.press('Take back');
  await board.until((now) => !now.turns.length, 'back at the beginning');
  await sleep(300);
  equal([(await board.state()).turns.length, await queue(board)], [0, []], 'the premove after the turn before it was taken back');
  await board.step(await board.state(), 'e2e4');
  await board.until((now) => now.turns.length === 2, 'the answer');
  // There are none while it is White's turn.
  await clicks(board, 'd2', 'd4');
  state = await board.until((now) => now.turns.length === 3, 'a turn');
  equal(await queue(board), [], 'no premove while it is White’s turn');
  // A pawn becomes the strongest piece.
  state = await begin(board, '7k/pP4p1/7p/8/8/8/4P3/4K3 w - - 0 1');
  await board.step(state, 'e2e4');
  await thinks(board);
  await clicks(board, 'b7', 'b8');
  state = await board.until((now) => now.turns.length === 3, 'a promotion ahead of the turn');
  equal(state.turns[2].token, 'b7b8q', 'what the pawn becomes');
  await board.close();
  return 'premoves: by clicks and dragging, taken back in four ways, dropped where they are not possible';
}

/** A whole turn of two moves, the second with what the first has moved. */
async function twomove(browser, url) {
  const board = await Board.open(browser, url);
  await board.press('Two-move chess');
  await board.until((now) => now.variant === 'twomove', 'the game');
  let state = await begin(board);
  await board.step(state, 'e2e4');
  await thinks(board);
  await clicks(board, 'g1', 'f3');
  equal((await board.pieces()).f3, 'N', 'the knight after the first move');
  await clicks(board, 'f3', 'd4');
  equal(await queue(board), ['g1f3', 'f3d4'], 'two moves of one knight');
  state = await board.until((now) => now.turns.length === 3, 'both moves');
  equal(state.turns[2].token, 'g1f3,f3d4', 'the turn');
  await board.close();
  return 'premoves of two moves: a whole turn';
}

/** Nobody prepares a turn whose dice are not known, or in a game of two people. */
async function none(browser, url) {
  const board = await Board.open(browser, url);
  const side = () => board.page.evaluate(() => window.fauve.premoves.side());
  await board.begin('chess');
  await board.step(await board.state(), 'e2e4');
  equal(await side(), null, 'in a game of two people');
  await board.press('DiceChess');
  await board.until((now) => now.variant === 'dicechess', 'the game');
  equal(await side(), null, 'with dice');
  await board.close();
  // A person that tries it reads why.
  const slow = await serve('--pause', '4');
  const other = await Board.open(browser, slow.url);
  await other.page.evaluate(() => window.fauve.open({ variant: 'dicechess', seed: '2a', white: { kind: 'human' }, black: { kind: 'engine', level: 1 } }));
  let state = await other.until((now) => now.variant === 'dicechess', 'a game with dice');
  while (state.turns.length < 1) state = await other.step(state, state.view.steps[0].token);
  await other.click('d2');
  check(/dice of your turn are not rolled/.test(await other.message()), await other.message());
  await other.close();
  await slow.stop();
  return 'no premoves between two people, nor with dice';
}

/** Colours and pieces change at once, on every board, and stay. */
async function looks(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const seen = () => page.evaluate(() => ({ light: getComputedStyle(document.querySelector('.tile.light, .cube.light .top')).fill, king: document.querySelector('#piece-K').innerHTML }));
  const choose = async (/** @type {string} */ label, /** @type {string} */ value) => {
    await page.click('#looks');
    await page.waitForSelector('dialog[open] .looks');
    await page.select(`dialog[open] .choice:has(option[value=${value}]) select`, value);
    await board.press('Close');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  };
  const first = await seen();
  for (const colours of ['wood', 'forest', 'contrast']) {
    await choose('Colours', colours);
    check((await seen()).light !== first.light, `${colours}: ${first.light}`);
  }
  await choose('Pieces', 'letters');
  const letters = await seen();
  check(/>K<\/text>/.test(letters.king), 'the letter of the king');
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  equal(await seen(), letters, 'after a reload');
  // The cubes, too, and in three dimensions nothing breaks.
  await board.press('Cubes 4D');
  await page.waitForSelector('.cube.light .top');
  const cube = (await seen()).light;
  await choose('Colours', 'slate');
  check((await seen()).light !== cube, 'the cubes have the colours, too');
  await choose('Pieces', 'drawn');
  equal((await seen()).king, first.king, 'the figures again');
  await board.close();
  return 'four colours of the board and two sets of pieces, kept';
}

process.env.REPLY1 = 'a7a6';
const browser = await browse();
const server = await serve(...tester);
process.env.REPLY1 = 'a7a6,b7b6';
const two = await serve(...tester);
try {
  await runAll([chess, none, looks], browser, server.url);
  await runAll([twomove], browser, two.url);
} finally {
  await browser.close();
  await server.stop();
  await two.stop();
}
