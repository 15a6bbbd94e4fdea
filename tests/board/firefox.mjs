// The page without a server in Firefox, with JSPI and with it hidden: analyses of all games begun and stopped again and again,
// and a turn that is made at once. SITE names another folder than dist, FIREFOX another program, CYCLES how many analyses.

import { existsSync } from 'node:fs';
import { Board, browseFirefox, check, sleep, withoutJspi } from './driver.mjs';
import { Files } from './files.mjs';

const SITE = process.env.SITE ?? 'dist';
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const CYCLES = Number(process.env.CYCLES ?? 60);
const GAMES = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
/** How long anything may take on a busy machine, and the median of the stops, in ms. */
const TIMEOUT = 30_000;
const STOP = 50;

/** @template T @param {Promise<T>} done @param {string} what @returns {Promise<T>} */
function soon(done, what) {
  return Promise.race([done, sleep(TIMEOUT).then(() => { throw new Error(`${what}: nothing for ${TIMEOUT / 1000} s`); })]);
}

/** @param {string} site */
async function analyses(site) {
  const server = await new Files(site).start();
  const browser = await browseFirefox(FIREFOX);
  try {
    const page = await browser.newPage();
    await soon(page.goto(server.url, { waitUntil: 'load' }), 'the page');
    await new Board(page, browser.defaultBrowserContext()).ready();
    /** @type {number[]} */
    const stops = [];
    for (let i = 0; i < CYCLES; i++) {
      const variant = GAMES[i % GAMES.length];
      await soon(page.evaluate(async (wanted) => { await window.fauve.open({ variant: wanted }); await window.fauve.analyse(true); }, variant), `${variant} ${i}`);
      await soon(page.evaluate(async () => { while (!window.fauve.lines.length) await new Promise((done) => { setTimeout(done, 10); }); }), `lines of ${variant} ${i}`);
      await sleep(100);
      stops.push(await soon(page.evaluate(async () => { const begun = performance.now(); await window.fauve.analyse(false); return performance.now() - begun; }), `the stop of ${variant} ${i}`));
    }
    await soon(page.evaluate(async () => {
      await window.fauve.open({ variant: 'chess', turns: ['e2e4'], black: { kind: 'engine', level: 19 } });
      while (!window.fauve.state.thinking) await new Promise((done) => { setTimeout(done, 10); });
      await window.fauve.ask({ do: 'move_now' });
      while (window.fauve.state.turns.length < 2) await new Promise((done) => { setTimeout(done, 10); });
    }), 'a turn that is made at once');
    stops.sort((a, b) => a - b);
    const late = stops.filter((ms) => ms > STOP).length;
    const [median, most] = [stops[Math.floor(stops.length / 2)], stops[stops.length - 1]].map(Math.round);
    check(median <= STOP, `a stop takes ${median} ms`);
    return `${CYCLES} analyses, stopped in ${median} ms (median) and ${most} ms at most (${late} above ${STOP}), and a turn at once`;
  } finally {
    await Promise.race([browser.close(), sleep(5000)]);
    browser.process()?.kill('SIGKILL');
    await server.stop();
  }
}

if (existsSync(FIREFOX)) {
  console.log(`Firefox: ${await analyses(SITE)}`);
  console.log(`Firefox without JSPI: ${await analyses(withoutJspi(SITE))}`);
} else {
  console.log(`skipped: there is no Firefox at ${FIREFOX}`);
}
process.exit();
