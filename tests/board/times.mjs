// How long the page takes: bytes, the first view and where its time goes, and from the click to the engine's answer at level 1.

import { request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { Board, browse, check, serve } from './driver.mjs';

const RUNS = Number(process.env.RUNS ?? 10);
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

/** When the parts of the first view were done, in ms after it was asked for, and what the page's main thread worked for it. */
async function milestones(page, devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const busy = Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]));
  const times = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource');
    const last = (/** @type {RegExp} */ kind) => Math.max(...files.filter((file) => kind.test(file.name) && file.startTime < window.drawn).map((file) => file.responseEnd));
    const [{ responseEnd }] = performance.getEntriesByType('navigation');
    const begun = files.find((file) => file.name.endsWith('/api/games'))?.responseEnd;
    const [{ startTime }] = performance.getEntriesByName('first-contentful-paint');
    return { page: responseEnd, style: last(/css$/), scripts: last(/js$/), 'board drawn': window.drawn, 'frame begins': window.shown, 'first paint': startTime, 'game begun': begun };
  });
  return { ...times, 'work of scripts': busy.ScriptDuration, 'of styles and layout': busy.RecalcStyleDuration + busy.LayoutDuration, 'of all tasks': busy.TaskDuration };
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
    const devtools = await page.createCDPSession();
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluateOnNewDocument(() => {
      window.shifts = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts += entry.value; }).observe({ type: 'layout-shift', buffered: true });
      new MutationObserver((_, observer) => {
        if (!document.querySelector('#board .piece')) return;
        observer.disconnect();
        window.drawn = performance.now();
        requestAnimationFrame(() => { window.shown = performance.now(); });
      }).observe(document, { subtree: true, childList: true });
    });
    const seen = [];
    page.on('request', (asked) => seen.push(asked.url()));
    await page.goto(server.url, { waitUntil: 'load' });
    await page.waitForFunction(() => window.shown && performance.getEntriesByName('first-contentful-paint').length && performance.getEntriesByType('resource').some((file) => file.name.endsWith('/api/games')));
    views.push(await milestones(page, devtools));
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
  const middle = (/** @type {string} */ what) => median(views.map((view) => view[what]));
  const paints = views.map((view) => view['first paint']);
  // The board is in the first frame that is painted: nothing is seen before it.
  check(views.every((view) => view['board drawn'] <= view['first paint']), 'something is painted before the board');
  console.log(`page: ${bytes} bytes with every tab`);
  console.log(`first view, with pieces: painted after ${median(paints).toFixed(0)} ms, the median of ${RUNS} (${Math.min(...paints).toFixed(0)} to ${Math.max(...paints).toFixed(0)})`);
  console.log(`  ${Object.keys(views[0]).map((what) => `${what} ${middle(what).toFixed(0)}`).join(', ')}; machine load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`);
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
      // The address says which game a reload shows.
      history.replaceState(null, '', `#/${made.id}`);
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
    check(median(paints) < 200, 'the first view takes more than 200 ms');
    check(median(answers) < 150, 'an answer takes more than 150 ms');
  }
  await board.close();
} finally {
  await browser.close();
  await server.stop();
}
