// How long the page takes: bytes, the first view, and from the click to the engine's answer at level 1.

import { request } from 'node:http';
import { Board, browse, check, serve } from './driver.mjs';

const RUNS = Number(process.env.RUNS ?? 15);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
/** On a machine that does other things too the limits are not tested, only said. */
const strict = process.env.STRICT === '1';

/** Everything that the page fetches before it is still, in bytes on the wire. */
function size(url) {
  return new Promise((done, fail) => {
    request(url, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => { bytes += chunk.length; });
      response.on('end', () => done(bytes));
    }).on('error', fail).end();
  });
}

const server = await serve();
const browser = await browse();
try {
  const views = [];
  const shifts = [];
  let bytes = 0;
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.evaluateOnNewDocument(() => {
      window.shifts = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts += entry.value; }).observe({ type: 'layout-shift', buffered: true });
      new MutationObserver((_, observer) => {
        if (!document.querySelector('#board .man')) return;
        observer.disconnect();
        requestAnimationFrame(() => { window.shown = performance.now(); });
      }).observe(document, { subtree: true, childList: true });
    });
    const seen = [];
    page.on('request', (asked) => seen.push(asked.url()));
    await page.goto(server.url, { waitUntil: 'load' });
    await page.waitForFunction(() => window.shown);
    views.push(await page.evaluate(() => window.shown));
    shifts.push(await page.evaluate(() => new Promise((done) => { setTimeout(() => done(window.shifts), 200); })));
    if (run === 0) {
      for (const tab of ['Analyse', 'Learn', 'Games', 'Set up']) {
        await page.evaluate((name) => [...document.querySelectorAll('[role=tab]')].find((one) => one.textContent === name).click(), tab);
        await new Promise((rest) => { setTimeout(rest, 300); });
      }
      for (const url of new Set(seen.filter((one) => !/\/api\//.test(one)))) bytes += await size(url);
    }
    await context.close();
  }
  console.log(`page: ${bytes} bytes with every tab; first view with men: median ${median(views).toFixed(0)} ms of ${RUNS} (${Math.min(...views).toFixed(0)} to ${Math.max(...views).toFixed(0)})`);
  console.log(`layout shift while it is loaded: ${Math.max(...shifts).toFixed(4)}`);
  check(Math.max(...shifts) < 0.02, 'the page shifts while it is loaded');
  const board = await Board.open(browser, server.url);
  const { page } = board;
  await page.select('.newgame select:not([hidden])', 'engine');
  const answers = [];
  for (let run = 0; run < RUNS; run++) {
    await page.evaluate(async () => {
      const human = { kind: 'human' };
      const made = await (await fetch('/api/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ variant: 'chess', white: human, black: { kind: 'engine', level: 1 } }) })).json();
      sessionStorage.setItem('fauve', JSON.stringify({ id: made.id, variant: 'chess' }));
    });
    await page.reload({ waitUntil: 'load' });
    await board.ready();
    await board.click('e2');
    const to = await board.point('e4');
    await page.evaluate(() => {
      window.answered = null;
      const begun = { at: 0 };
      addEventListener('pointerup', () => { begun.at = performance.now(); }, { capture: true, once: true });
      new MutationObserver((_, observer) => {
        if (document.querySelectorAll('.turn').length < 2) return;
        observer.disconnect();
        window.answered = performance.now() - begun.at;
      }).observe(document.querySelector('#panel'), { subtree: true, childList: true });
    });
    await page.mouse.click(...to);
    await page.waitForFunction(() => window.answered !== null);
    answers.push(await page.evaluate(() => window.answered));
  }
  console.log(`from the click to the answered turn at level 1: median ${median(answers).toFixed(0)} ms of ${RUNS} (${Math.min(...answers).toFixed(0)} to ${Math.max(...answers).toFixed(0)})`);
  check(bytes < 400_000, 'the page has more than 400 kB');
  if (strict) {
    check(median(views) < 200, 'the first view takes more than 200 ms');
    check(median(answers) < 150, 'an answer takes more than 150 ms');
  }
  await board.close();
} finally {
  await browser.close();
  await server.stop();
}
