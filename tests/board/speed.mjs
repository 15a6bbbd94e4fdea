// How fast the engine is in a page's WebAssembly beside the program of this machine, game by game: the benchmark in both in turns, one thread,
// warm, processor time of the thread that searches, so that what else runs here counts in neither. The page is that of the package beside the
// site, whose searches let others in by JSPI every few milliseconds. SITE names another folder than dist, FAUVE another program; STRICT=1 asks for
// what a quiet machine gives.

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import readline from 'node:readline';
import { FAUVE, browse, check, equal } from './driver.mjs';
import { Files } from './files.mjs';

const SITE = process.env.SITE ?? 'dist';
const GAMES = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
/** For how many seconds of processor time the program runs the benchmark of a game, again and again, and how many it takes to be warm. */
const LONG = 1;
const WARM = 2;
/** The least nodes per second beside the program's; on a machine that does other things, too, processor time is longer by what these take from
 * the caches. */
const LEAST = process.env.STRICT === '1' ? 0.57 : 0.42;

/** The clock ticks of the kernel in a second. */
const HERTZ = 100;

/** The processor time in seconds of a process, threads that have ended included. @param {number} id */
function seconds(id) {
  const words = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(words[11]) + Number(words[12])) / HERTZ;
}

/** The processor time in seconds of the thread in which a page's worker runs. @param {number[]} renderers */
function workerSeconds(renderers) {
  let sum = 0;
  for (const folder of renderers.flatMap((id) => readdirSync(`/proc/${id}/task`).map((thread) => `/proc/${id}/task/${thread}`))) {
    try {
      if (readFileSync(`${folder}/comm`, 'utf8').trim() === 'DedicatedWorker') sum += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}

/** The program on its protocol. */
class Native {
  constructor() {
    this.child = spawn(FAUVE, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = readline.createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** @param {string} game */
  async bench(game) {
    const before = seconds(this.child.pid);
    this.child.stdin.write(`bench ${game}\n`);
    for (;;) {
      const { value, done } = await this.lines.next();
      check(!done, 'the program has ended');
      const found = /^(\d+) nodes \d+ nps$/.exec(value);
      if (found) return [Number(found[1]), seconds(this.child.pid) - before];
    }
  }

  end() {
    this.child.stdin.end('quit\n');
  }
}

const server = await new Files(SITE).start();
const browser = await browse();
const native = new Native();
try {
  const page = await browser.newPage();
  await page.goto(`${server.url}npm/README.md`);
  equal(await page.evaluate(async () => {
    const { FauveWorker } = await import(new URL('fauve.mjs', location.href).href);
    window.worker = await FauveWorker.start();
    await window.worker.loadTables();
    return window.worker.stopsBy;
  }), 'suspend', 'what lets others in');
  const client = await browser.target().createCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const web = async (/** @type {string} */ game) => {
    const before = workerSeconds(renderers);
    const { nodes } = await page.evaluate((name) => window.worker.bench(name), game);
    return [nodes, workerSeconds(renderers) - before];
  };
  const slow = [];
  for (const game of GAMES) {
    // WebAssembly is compiled again where it is used most.
    for (let spent = 0; spent < WARM;) spent += (await web(game))[1];
    await native.bench(game);
    let [here, there, all] = [0, 0, 0];
    while (here < LONG) {
      const [nodes, own] = await native.bench(game);
      const [same, other] = await web(game);
      equal(same, nodes, `nodes of ${game}`);
      here += own;
      there += other;
      all += nodes;
    }
    const ratio = here / there;
    console.log(`${game}: ${ratio.toFixed(2)} (${Math.round(all / there / 1000)} and ${Math.round(all / here / 1000)} thousand nodes a second of processor time)`);
    if (ratio < LEAST) slow.push(game);
  }
  check(!slow.length, `less than ${LEAST} of the program's nodes per second in ${slow.join(', ')}`);
} finally {
  native.end();
  await browser.close();
  await server.stop();
}
