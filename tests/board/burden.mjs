// What the page without a server costs: the time on a slow line until its first turn is answered, memory while it analyses, and nothing any
// more once its tab is closed; the last two also in a browser without JSPI. SITE names another folder than dist, MINUTES how long it analyses
// (a quarter of one without), STRICT=1 tests the time, which is only said without; words after the file's name choose some of its tests.

import { readFileSync } from 'node:fs';
import { Board, browse, check, runAll, sleep, wants, withoutJspi } from './driver.mjs';
import { Files } from './files.mjs';

const SITE = process.env.SITE ?? 'dist';
const MINUTES = Number(process.env.MINUTES ?? 0.25);
/** Bits per second of the slow line, and the milliseconds there and back. */
const LINE = { rate: 10e6, latency: 20 };
/** The most milliseconds from nothing to the first answered turn on that line, packed by Brotli. */
const COLD = 1700;
/** The most megabytes that a page's process may have, and by how many it may grow in the second half of an analysis of minutes. */
const MOST = 500;
const GROWTH = 40;
/** The clock ticks of the kernel in a second. */
const HERTZ = 100;

/** The processes of a browser with these words in their command, their processor time in seconds and their memory in megabytes. */
async function processes(browser, word = '') {
  const client = await browser.target().createCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  return processInfo.filter(({ type }) => type.includes(word)).flatMap(({ id }) => {
    try {
      const words = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0);
      return [{ id, seconds: (Number(words[11]) + Number(words[12])) / HERTZ, megabytes: resident / 1024 }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** From nothing to the first answered turn at level 1, on a slow line to a host that packs. @param {'br' | 'gzip'} packs */
async function cold(packs) {
  const server = new Files(SITE, { ...LINE, packs });
  server.prepare(['fauve.wasm', 'index.html', 'main.js', 'style.css', 'text.js']);
  await server.start();
  const times = [];
  for (let i = 0; i < 3; i++) {
    // Nothing that an earlier page has left, code that is compiled included.
    const browser = await browse();
    try {
      const page = await browser.newPage();
      await page.evaluateOnNewDocument(() => localStorage.setItem('fauve', JSON.stringify({ level: 1 })));
      server.sent = 0;
      const begun = performance.now();
      await page.goto(server.url, { waitUntil: 'domcontentloaded' });
      const board = new Board(page, page.browserContext());
      await board.ready();
      const ready = performance.now() - begun;
      const { sent } = server;
      await board.click('e2');
      await board.click('e4');
      await page.waitForFunction(() => window.fauve.state.turns.length === 2);
      times.push([ready, performance.now() - begun, sent / 1000].map(Math.round));
    } finally {
      await browser.close();
    }
  }
  await server.stop();
  const best = Math.min(...times.map(([, answered]) => answered));
  if (process.env.STRICT === '1' && packs === 'br') check(best <= COLD, `the first turn after ${best} ms`);
  return `${packs} at ${LINE.rate / 1e6} Mbit/s: ready, the first turn answered, in ms, and kB until it is ready, three times: ${JSON.stringify(times)}`;
}

/** Minutes of analysis of all games in turn: the worker's memory stays bounded. */
async function memory(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const begun = performance.now();
  const said = [];
  const games = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
  /** @type {number[]} */
  const sizes = [];
  for (let i = 0; i < 10; i++) {
    const variant = games[i % games.length];
    await page.evaluate(async (wanted) => { await window.fauve.open({ variant: wanted }); await window.fauve.analyse(true); }, variant);
    const end = begun + (i + 1) * MINUTES * 6000;
    await page.waitForFunction((wanted) => window.fauve.state.variant === wanted && window.fauve.lines.length > 0, { timeout: 60_000 }, variant).catch(async (error) => {
      throw new Error(`${variant}: no lines: ${JSON.stringify(await board.state()).slice(0, 400)}`, { cause: error });
    });
    while (performance.now() < end) {
      await sleep(Math.min(1000, Math.max(0, end - performance.now())));
      sizes.push(Math.max(...(await processes(browser, 'renderer')).map(({ megabytes }) => megabytes)));
    }
    said.push(`${variant} depth ${await page.evaluate(() => window.fauve.lines[0]?.depth)}`);
    await page.evaluate(() => window.fauve.analyse(false));
  }
  const [half, all] = [Math.max(...sizes.slice(0, sizes.length / 2)), Math.max(...sizes)].map(Math.round);
  check(all < MOST, `the page has ${all} MB`);
  check(MINUTES < 2 || all - half < GROWTH, `the page has grown from ${half} to ${all} MB, when every game had been analysed before`);
  await board.close();
  return `${MINUTES} minutes of analysis: at most ${all} MB (${half} in the first half); ${said.join(', ')}`;
}

/** A tab is closed, or leaves, in the middle of an analysis: nothing of it runs any more. */
async function gone(browser, url) {
  const shares = [];
  for (const leave of [(/** @type {any} */ page) => page.close(), (/** @type {any} */ page) => page.goto('about:blank')]) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    const board = new Board(page, context);
    await board.ready();
    await page.evaluate(() => window.fauve.analyse(true));
    await page.waitForFunction(() => window.fauve.lines[0]?.depth >= 5, { timeout: 60_000 });
    const used = async () => (await processes(browser)).reduce((sum, { seconds }) => sum + seconds, 0);
    const share = async () => { const before = await used(); await sleep(2000); return Math.max(0, (await used()) - before) / 2; };
    const busy = await share();
    check(busy > 0.2, `an analysis takes ${busy} of a processor`);
    await leave(page);
    // The browser has a moment to clean up.
    await sleep(2000);
    const idle = await share();
    check(idle < 0.1 && idle < busy / 4, `after its page is gone the browser takes ${idle} of a processor; ${busy} while it analysed`);
    shares.push(`${busy.toFixed(2)} before, ${idle.toFixed(2)} after`);
    await context.close();
  }
  return `a tab closed, and one that leaves, in the middle of an analysis; processors used: ${shares.join('; ')}`;
}

for (const packs of /** @type {const} */ (['br', 'gzip'])) await runAll([cold], packs);
for (const [site, name] of [[SITE, 'with JSPI'], [withoutJspi(SITE), 'without JSPI']]) {
  if (!wants('gone') && !wants('memory')) continue;
  const server = await new Files(site).start();
  const browser = await browse();
  try {
    for (const test of [gone, memory]) if (wants(test.name)) console.log(`${name}: ${await test(browser, server.url)}`);
  } finally {
    await browser.close();
    await server.stop();
  }
}
