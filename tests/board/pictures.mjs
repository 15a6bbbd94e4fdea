// The pictures of the README, made anew: five views of the page, each under 150 kB.

import { mkdirSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Board, FAUVE, browse, check, scratch, serve, sleep } from './driver.mjs';

const TO = process.argv[2] ?? 'tests/board/pictures';
mkdirSync(TO, { recursive: true });

/** A match of a few games, to be looked at. */
function record() {
  const path = join(scratch(), 'record.jsonl');
  const done = spawnSync(FAUVE, ['match', '--variant', 'superchess', '--engine', 'cmd=self', 'name=Strong', 'nodes=1200', '--engine', 'cmd=self', 'name=Quick', 'nodes=800', '--rounds', '20', '--seed', '7', '--sprt', 'elo0=0', 'elo1=60', '--record', path, '--max-turns', '120'], { encoding: 'utf8' });
  check(done.status === 0, done.stderr);
  return path;
}

/** What is shown: a game, a position, what is done, and the size of the window. */
const VIEWS = {
  'cubes': { variant: 'cubes4d', fen: 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', clicks: ['e6'], width: 1040, height: 720 },
  'superchess-prologue': { variant: 'superchess', steps: ['E@h1', 'V@b8'], tray: 'A' },
  'twomove-check': { variant: 'twomove', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1', press: ['Where would the king be taken?'] },
  'dicechess-phone-dark': { variant: 'dicechess', fen: 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5 PNQ', width: 390, height: 844, dark: true },
  'analysis': { variant: 'superchess', fen: 'rebskanv/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/RE1SKANV[BRQnbrq] b Qq - 1 2', press: ['Analyse', '#panel Analyse'], wait: 4000 },
};

/** Views that are looked at and are not in the README. */
const OTHERS = {
  'chess': { variant: 'chess', steps: ['e2e4', 'e7e5', 'g1f3'] },
  'dicechess': { variant: 'dicechess', fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB' },
  'cubes-dark': { variant: 'cubes4d', fen: 'd11:02001000/00100112/00G102121/12g020101/00K10013B0/021001k12/00020000 b - GQgq - - 1', dark: true },
  'cubes-above': { variant: 'cubes4d', fen: 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', press: ['From above'], after: ['Cubes'] },
  'cubes-phone': { variant: 'cubes4d', fen: 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', clicks: ['f6'], width: 390, height: 844 },
  'superchess': { variant: 'superchess', fen: 'r3k2r/ppaqpp1p/2n2s2/1b2v3/1B2V3/2N2S2/PPAQPP1P/R3K2R w KQkq - 0 1' },
  'cubes-solid': { variant: 'cubes4d', fen: 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', press: ['3-D'], after: ['Cubes'] },
  'cubes-solid-dark': { variant: 'cubes4d', fen: 'd11:02001000/00100112/00G102121/12g020101/00K10013B0/021001k12/00020000 b - GQgq - - 1', press: ['3-D'], after: ['Cubes'], dark: true },
  'lesson': { variant: 'cubes4d', press: ['Learn', 'Begin the lesson'], wait: 500 },
  'rules': { variant: 'twomove', press: ['Learn'], open: true },
  'setup': { variant: 'cubes4d', fen: 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1', press: ['Set up'] },
};

async function shoot(browser, url, name, view, folder) {
  const board = await Board.open(browser, url, { width: view.width ?? 1120, height: view.height ?? 770 });
  const { page } = board;
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: view.dark ? 'dark' : 'light' }]);
  await board.begin(view.variant, view.fen);
  let state = await board.state();
  for (const token of view.steps ?? []) state = await board.step(state, token);
  for (const text of view.press ?? []) {
    await sleep(400);
    if (text.startsWith('#panel ')) await page.evaluate((label) => [...document.querySelectorAll('#panel button')].find((one) => one.textContent === label)?.click(), text.slice(7));
    else await board.press(text);
  }
  if (view.open) {
    await page.waitForSelector('details');
    await page.evaluate(() => { document.querySelector('details').open = true; });
  }
  if (view.tray) await (await page.waitForSelector(`[data-tray="${view.tray}"]`)).click();
  for (const square of view.clicks ?? []) await board.click(square);
  await page.mouse.move(5, 400);
  await sleep(view.wait ?? 900);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  for (const text of view.after ?? []) await board.press(text);
  await board.close();
}

const server = await serve();
// Without a graphics card the browser draws three dimensions by itself, if a flag allows that.
const browser = await browse('--use-angle=swiftshader', '--enable-unsafe-swiftshader');
try {
  for (const [name, view] of Object.entries(VIEWS)) {
    await shoot(browser, server.url, name, view, TO);
    const { size } = statSync(join(TO, `${name}.png`));
    check(size < 150_000, `${name}.png has ${size} bytes`);
    console.log(`${name}.png, ${size} bytes`);
  }
  if (process.env.OTHERS) {
    for (const [name, view] of Object.entries(OTHERS)) await shoot(browser, server.url, name, view, process.env.OTHERS);
    const followed = await serve(record());
    const board = await Board.open(browser, followed.url, { width: 1180, height: 820 });
    await sleep(900);
    await board.page.screenshot({ path: join(process.env.OTHERS, 'match.png') });
    await board.press('Look at it');
    await sleep(900);
    await board.press('Analyse');
    await sleep(300);
    await board.press('Assess the whole game');
    await board.page.waitForFunction(() => document.querySelector('.graph') && !/Stop/.test(document.querySelector('.panel').textContent), { timeout: 240_000 });
    await board.page.screenshot({ path: join(process.env.OTHERS, 'review.png') });
    await board.close();
    await followed.stop();
  }
} finally {
  await browser.close();
  await server.stop();
}
