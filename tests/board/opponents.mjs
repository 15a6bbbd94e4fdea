// Other programs as opponents: offered where they play the game, and no harm where they die, babble or say nothing.

import { readFileSync, readdirSync } from 'node:fs';
import { Board, browse, check, equal, serve, sleep } from './driver.mjs';

/** A word in the command of every program that is started here, by which its process is found. */
const MARK = `opponent${process.pid}`;

/** A program of chess that does this when it is asked for a turn. @param {string} name @param {string} go */
const program = (name, go) => ['--engine', 'cmd=/bin/sh', `name=${name}`, `args=-c "${MARK}=1; while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) ${go};; quit) exit;; esac; done"`];

/** The processes of the programs. */
function running() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((id) => {
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      // The board's own command names them, too.
      return words.startsWith('/bin/sh') && words.includes(MARK);
    } catch {
      return false;
    }
  });
}

const offered = (board) => board.page.$eval('.newgame select', (select) => [...select.options].map((one) => one.textContent));

/** Begins a game of White against a program. */
async function against(board, name) {
  const { id } = await board.state();
  await board.choose('Opponent', `program ${name}`);
  await board.choose('I play', 'w');
  check(!(await board.page.$$eval('.newgame .choice span', (all) => all.map((one) => one.textContent))).includes('Level'), 'a program has no level');
  await board.page.evaluate(() => document.querySelector('.newgame [type=submit]').click());
  await sleep(80);
  await board.page.evaluate(() => document.querySelector('dialog[open] .primary')?.click());
  return board.until((now) => now.id !== id && [now.white, now.black].some((player) => player.name === name), `a game against ${name}`);
}

/** A whole program: Fauve itself, in every game. */
async function plays(browser, url) {
  const board = await Board.open(browser, url);
  for (const [game, variant] of [['Chess', 'chess'], ['Superchess', 'superchess'], ['Two-move chess', 'twomove'], ['DiceChess', 'dicechess'], ['Cubes 4D', 'cubes4d']]) {
    if (variant !== 'chess') await board.press(game);
    await board.until((now) => now.variant === variant, game);
    equal((await offered(board)).includes('Second'), true, `the program in ${game}`);
    equal((await offered(board)).includes('Mortal'), variant === 'chess', `a program of chess in ${game}`);
    let state = await against(board, 'Second');
    for (let turns = state.turns.length; state.turns.length < turns + 4 && !state.end;) {
      if (state.thinking || (state.view.side === 'w' ? state.white : state.black).kind !== 'human') {
        state = await board.until((now) => now.end || (now.view.side === 'w' ? now.white : now.black).kind === 'human', 'the program’s turn');
        continue;
      }
      const steps = state.view.steps.filter((one) => !one.swap && (!one.piece || one.kind === 'place'));
      state = await board.step(state, (steps[0] ?? state.view.steps[0]).token);
    }
    check(!state.stalled && !state.notice, `${variant}: ${state.notice}`);
    const seats = await board.page.$$eval('.seatbar .who', (all) => all.map((one) => one.textContent));
    check(seats.some((text) => text.includes('· Second')), `its name at its seat: ${seats}`);
    const pgn = await (await fetch(`${url}api/games/${state.id}/pgn`)).text();
    check(/\[(White|Black) "Second"\]/.test(pgn), `its name in the PGN: ${pgn}`);
  }
  await board.close();
  return 'another program plays all five games, and is offered where it does';
}

/** Programs that fail: a sentence, and the game goes on by taking back, asking again or another opponent. */
async function fails(browser, url) {
  const board = await Board.open(browser, url);
  for (const [name, words] of [['Mortal', /^Mortal makes no turn: the program has ended \(exit status: 7, no licence\)\.$/], ['Babbler', /^Babbler makes an illegal turn: e9e9\.$/]]) {
    let state = await against(board, name);
    state = await board.step(state, 'e2e4');
    const stalled = async () => {
      state = await board.until((now) => now.stalled, `a sentence about ${name}`);
      check(words.test(state.notice) && !state.thinking, state.notice);
      await board.page.waitForFunction((text) => document.querySelector('#message').textContent === text, {}, state.notice);
    };
    await stalled();
    const { version } = state;
    await board.press('Ask it again');
    await board.until((now) => now.version > version + 1, 'another answer');
    await stalled();
    await board.press('Take back');
    state = await board.until((now) => !now.turns.length && !now.stalled && !now.notice, 'the turn taken back');
  }
  // One that thinks for ever is hurried, and then ended.
  let state = await against(board, 'Silent');
  await board.step(state, 'e2e4');
  state = await board.until((now) => now.thinking, 'it thinks');
  const begun = Date.now();
  await board.press('Move now');
  state = await board.until((now) => now.stalled, 'it is ended');
  check(/^Silent makes no turn/.test(state.notice), state.notice);
  check(Date.now() - begun < 9000, `${Date.now() - begun} ms`);
  // While it thinks a turn can be taken back at once.
  await board.press('Ask it again');
  await board.until((now) => now.thinking, 'it thinks again');
  await board.press('Take back');
  await board.until((now) => !now.turns.length && !now.thinking, 'taken back at once');
  state = await against(board, 'Second');
  state = await board.step(state, 'e2e4');
  await board.until((now) => now.turns.length === 2, 'the next opponent answers');
  await board.close();
  return 'programs that die, babble or hang: a sentence, asked again, taken back, another opponent';
}

const engines = [
  '--engine', 'cmd=self', 'name=Second', 'nodes=300', ...program('Mortal', 'echo no licence >&2; exit 7'), ...program('Babbler', 'echo bestmove e9e9'), ...program('Silent', 'sleep 1000'),
];
const browser = await browse();
const server = await serve(...engines);
let stopped = false;
try {
  console.log(await plays(browser, server.url));
  console.log(await fails(browser, server.url));
  // A game that is looked at has its program; a page that goes takes it along.
  const board = await Board.open(browser, server.url);
  const state = await against(board, 'Silent');
  await board.step(state, 'e2e4');
  for (let i = 0; i < 100 && !running().length; i++) await sleep(50);
  check(running().length > 0, 'the program runs');
  await board.page.goto('about:blank');
  for (let i = 0; i < 200 && running().length; i++) await sleep(50);
  equal(running(), [], 'programs of a game that nobody looks at');
  await board.page.goBack();
  for (let i = 0; i < 200 && !running().length; i++) await sleep(50);
  check(running().length > 0, 'the program is started again');
  await board.context.close();
  stopped = true;
  await server.stop();
  for (let i = 0; i < 100 && running().length; i++) await sleep(50);
  equal(running(), [], 'programs that outlive the server');
  console.log('programs end with the page that looks at their game, and with the server');
} finally {
  await browser.close();
  if (!stopped) await server.stop();
}
