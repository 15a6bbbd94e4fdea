// Accessibility: axe-core finds nothing serious on any tab of any game, light and dark, wide and narrow; and a game is played
// with the keyboard alone, without the pointer touching the page.

import { Board, axe, browse, check, equal, serve } from './driver.mjs';

const GAMES = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
const TABS = ['Play', 'Analyse', 'Learn', 'Games', 'Set up'];

/** What axe finds. */
async function faults(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + node.failureSummary.slice(0, 200)) }));
  });
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

async function look(browser, url, variant, dark, width) {
  const board = await Board.open(browser, url, { width, height: 860 });
  await board.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await board.begin(variant);
  let looked = 0;
  for (const tab of TABS) {
    await board.press(tab);
    await board.page.waitForFunction((name) => document.querySelector('[role=tab][aria-selected=true]').textContent === name && document.querySelector('#panel').childElementCount > 0, {}, tab);
    const found = await faults(board.page);
    check(!found.length, `${variant}, ${tab}${dark ? ', dark' : ''}: ${JSON.stringify(found, null, 1)}`);
    looked++;
  }
  if (['superchess', 'cubes4d'].includes(variant)) {
    // Behind the prologue there are pools to be filled.
    await board.choose('Phase', 'game');
    await board.page.waitForSelector('.pools select');
    const found = await faults(board.page);
    check(!found.length, `${variant}, Set up, game${dark ? ', dark' : ''}: ${JSON.stringify(found, null, 1)}`);
    looked++;
  }
  await board.close();
  return looked;
}

/** The report of a game, learning from its mistakes, and the dialogs. */
async function more(browser, url, dark) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await board.begin('chess');
  for (const token of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) await board.step(await board.state(), token);
  const sound = async (/** @type {string} */ name) => {
    const found = await faults(page);
    check(!found.length, `${name}${dark ? ', dark' : ''}: ${JSON.stringify(found, null, 1)}`);
  };
  await sound('the end of a game');
  await board.press('Analyse this game');
  await page.waitForFunction(() => window.fauve.assessed.filter(Boolean).length === 4 && !window.fauve.notes.reviewing, { timeout: 60_000 });
  await page.waitForSelector('.sums');
  await sound('the report');
  await page.evaluate(() => [...document.querySelectorAll('#panel button')].find((one) => one.textContent.startsWith('Learn from')).click());
  await page.waitForSelector('.retry');
  await board.press('Hint');
  await sound('learning from mistakes');
  for (const id of ['looks', 'keys']) {
    await page.click(`#${id}`);
    await page.waitForSelector('dialog[open]');
    await sound(`the dialog of #${id}`);
    await board.press('Close');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  }
  await board.close();
  return 5;
}

/** Plays Superchess's prologue and some turns with keys alone: the tray by Tab, the board by arrows. */
async function keys(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('superchess');
  const press = (key) => page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-square]')?.dataset.square ?? document.activeElement?.dataset?.tray ?? document.activeElement?.textContent ?? '');
  const tabTo = async (wanted) => {
    for (let i = 0; i < 80; i++) {
      if (wanted.includes(await focused())) return;
      await press('Tab');
    }
    throw new Error(`Tab does not reach ${wanted}`);
  };
  const toBoard = async () => {
    for (let i = 0; i < 80; i++) {
      if (/^[a-o]\d+$/.test(await focused())) return;
      await press('Tab');
    }
    throw new Error('Tab does not reach the board');
  };
  const go = async (square) => {
    await toBoard();
    for (let i = 0; i < 40; i++) {
      const here = await focused();
      if (here === square) return;
      const [dx, dy] = [square.charCodeAt(0) - here.charCodeAt(0), Number(square.slice(1)) - Number(here.slice(1))];
      await press(dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    throw new Error(`the arrows do not reach ${square}`);
  };
  let state = await board.state();
  const done = async () => {
    const { version } = state;
    state = await board.until((now) => now.version > version, 'a step by keys');
  };
  for (const [letter, square] of [['A', 'f1'], ['V', 'b8'], ['E', 'g1'], ['S', 'c8']]) {
    await tabTo([letter]);
    await press('Enter');
    await go(square);
    await press('Enter');
    if (letter === 'S') {
      await tabTo(['Keep them as they are']);
      await press('Enter');
    }
    await done();
  }
  equal(state.view.tray, undefined, 'the prologue is over');
  for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['f2', 'f4'], ['e5', 'f4']]) {
    await go(from);
    await press('Enter');
    await go(to);
    await press(' ');
    await done();
  }
  equal(state.turns.map((turn) => turn.token).slice(4), ['e2e4', 'e7e5', 'f2f4', 'e5f4'], 'turns by keys');
  // On to the end: White is mated with keys, too.
  await tabTo(['Resign']);
  await press('Enter');
  await tabTo(['Resign']);
  await press('Enter');
  state = await board.until((now) => now.end, 'the resignation by keys');
  equal(state.end.result, '0-1', 'White has resigned');
  // The game is read with the arrow keys.
  await page.evaluate(() => document.activeElement.blur());
  await press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.turn.current')?.textContent === 'f4');
  await press('Home');
  await page.waitForFunction(() => !document.querySelector('.turn.current'));
  await board.close();
  return 'a game of Superchess by keys alone, prologue and resignation included';
}

/** Turns by clicks that no pointer has made, as screen readers send them, and by clicks of a pointer in between. */
async function clicks(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  const clickOn = (square) => page.evaluate((name) => {
    document.querySelector(`[data-square="${name}"]`).dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true }));
  }, square);
  const pointTo = async (square) => {
    const { x, y, width, height } = await page.evaluate((name) => document.querySelector(`[data-square="${name}"]`).getBoundingClientRect().toJSON(), square);
    await page.mouse.click(x + width / 2, y + height / 2);
  };
  let { version } = await board.state();
  for (const [from, to, choose] of [['e2', 'e4', clickOn], ['e7', 'e5', pointTo], ['g1', 'f3', clickOn], ['b8', 'c6', pointTo]]) {
    await choose(from);
    // Long enough for a click of the pointer to be taken for one without.
    await new Promise((done) => { setTimeout(done, 400); });
    await choose(to);
    ({ version } = await board.until((now) => now.version > version, `${from}${to} by clicks`));
    await new Promise((done) => { setTimeout(done, 400); });
  }
  equal((await board.state()).turns.map((turn) => turn.token), ['e2e4', 'e7e5', 'g1f3', 'b8c6'], 'turns by clicks');
  await board.close();
  return 'turns by clicks without a pointer, and with one';
}

/** A game of Cubes 4D by keys: along the edges of the cells. */
async function cubeKeys(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1');
  await page.evaluate(() => document.querySelector('[data-square][tabindex="0"]').focus());
  const here = () => page.evaluate(() => document.activeElement.dataset.square);
  const go = async (square) => {
    for (let i = 0; i < 40 && (await here()) !== square; i++) {
      const from = await here();
      const [dx, dy] = [square.charCodeAt(0) - from.charCodeAt(0), Number(square.slice(1)) - Number(from.slice(1))];
      await page.keyboard.press(dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    equal(await here(), square, 'the arrows along the cubes');
  };
  for (const [from, to] of [['e6', 'e8'], ['e10', 'f10']]) {
    const before = (await board.state()).version;
    await go(from);
    await page.keyboard.press('Enter');
    await go(to);
    await page.keyboard.press('Enter');
    await board.until((now) => now.version > before, `${from}${to} by keys`);
  }
  await board.close();
  return 'Cubes 4D by keys: a bridge and a castling';
}

const server = await serve();
const browser = await browse();
try {
  let looked = 0;
  for (const variant of GAMES) looked += await look(browser, server.url, variant, false, 1280);
  for (const variant of ['superchess', 'dicechess', 'cubes4d']) looked += await look(browser, server.url, variant, true, 390);
  for (const dark of [false, true]) looked += await more(browser, server.url, dark);
  console.log(`axe-core: ${looked} views, nothing serious`);
  console.log(await keys(browser, server.url));
  console.log(await clicks(browser, server.url));
  console.log(await cubeKeys(browser, server.url));
} finally {
  await browser.close();
  await server.stop();
}
