// How fast the engine is in a page's WebAssembly beside the program of this machine, game by game: the benchmark in both in turns, one thread,
// warm, processor time of the thread that searches, so that what else runs here counts in neither. The page is that of the package beside the
// site, whose searches let others in by JSPI every few milliseconds. After that, browsers without JSPI, where the site's analysis has a worker of
// its own: the processor time until it is as deep as the program is after a second of it, with as many nodes, and how long a stop takes. SITE
// names another folder than dist, FAUVE another program, words choose among bench and plain; STRICT=1 asks for what a quiet machine gives.

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import readline from 'node:readline';
import { Board, FAUVE, browse, check, equal, sleep, wants, withoutJspi } from './driver.mjs';
import { Files } from './files.mjs';

const SITE = process.env.SITE ?? 'dist';
const GAMES = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
/** For how many seconds of processor time the program runs the benchmark of a game, again and again, or searches a position, and how many it takes to be warm. */
const LONG = 1;
const WARM = 2;
/** The least nodes per second beside the program's; on a machine that does other things, too, processor time is longer by what these take from
 * the caches. */
const LEAST = process.env.STRICT === '1' ? 0.57 : 0.42;

/** The most milliseconds that a stop takes without JSPI, as the page sees it: the median of those of a game. */
const STOP = 50;
/** A position of each game that an analysis does not come to the end of. */
const POSITIONS = {
  chess: 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  superchess: 'rnsvkaer/pppppppp/8/8/8/8/PPPPPPPP/RNSVKAER w KQkq - 0 1',
  twomove: 'r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 2',
  dicechess: 'r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 NBQ',
  cubes4d: 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1',
};
/** The lines of an analysis, and the megabytes of its table. */
const LINES = 3;
const HASH = 64;

/** The clock ticks of the kernel in a second. */
const HERTZ = 100;

/** The processor time in seconds of a process, threads that have ended included. @param {number} id */
function seconds(id) {
  const words = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(words[11]) + Number(words[12])) / HERTZ;
}

/** The processor time in seconds of the threads in which a page's workers run. @param {number[]} renderers */
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

  /** The next line of a kind. @param {RegExp} kind */
  async until(kind) {
    for (;;) {
      const { value, done } = await this.lines.next();
      check(!done, 'the program has ended');
      const found = kind.exec(value);
      if (found) return found;
    }
  }

  /**
   * Analyses a position from nothing until its best line has a depth, or until the processor time is long; gives that depth, the time, and the
   * nodes until then.
   * @param {string} game @param {number} [depth]
   */
  async analyse(game, depth = Infinity) {
    this.child.stdin.write(`setoption name UCI_Variant value ${game}\nsetoption name MultiPV value ${LINES}\nsetoption name Hash value ${HASH}\nucinewgame\nposition fen ${POSITIONS[game]}\nisready\n`);
    await this.until(/^readyok/);
    const before = seconds(this.child.pid);
    this.child.stdin.write('go infinite\n');
    for (;;) {
      const [, found, nodes] = (await this.until(/^info depth (\d+) .*multipv 1 (?!.*bound).* nodes (\d+) /)).map(Number);
      const spent = seconds(this.child.pid) - before;
      if (found < depth && (depth < Infinity || spent < LONG)) continue;
      this.child.stdin.write('stop\n');
      await this.until(/^bestmove/);
      return [found, spent, nodes];
    }
  }

  end() {
    this.child.stdin.end('quit\n');
  }
}

/** The processes in which a browser's pages run. @param {any} browser */
async function renderersOf(browser) {
  const client = await browser.target().createCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** The benchmark, in the package's page and in the program. @param {any} browser @param {string} url @param {Native} native */
async function bench(browser, url, native) {
  const page = await browser.newPage();
  await page.goto(`${url}npm/README.md`);
  equal(await page.evaluate(async () => {
    const { FauveWorker } = await import(new URL('fauve.mjs', location.href).href);
    window.worker = await FauveWorker.start();
    await window.worker.loadTables();
    return window.worker.stopsBy;
  }), 'suspend', 'what lets others in');
  const renderers = await renderersOf(browser);
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
  await page.close();
}

/** Analysis in the site's page as a browser without JSPI has it, and in the program. @param {any} browser @param {Native} native */
async function plain(browser, native) {
  // Lines go out at once, so that the page sees a depth when it is reached.
  const server = await new Files(withoutJspi(SITE, (worker) => worker.replace('const LINES = 80', 'const LINES = 0'))).start();
  const board = await Board.open(browser, server.url);
  const { page } = board;
  const renderers = await renderersOf(browser);
  const analyse = async (/** @type {string} */ game, /** @type {number} */ depth) => {
    await page.evaluate((variant, fen) => window.fauve.open({ variant, fen }), game, POSITIONS[game]);
    const before = workerSeconds(renderers);
    const seen = page.evaluate((wanted) => new Promise((done) => {
      const look = () => {
        const line = window.fauve.lines[0];
        // After some seconds a line may be a bound, before its depth is complete.
        if (line?.depth >= wanted && !/^[≥≤]/.test(line.score)) done([line.depth, line.nodes]);
        else setTimeout(look, 2);
      };
      look();
    }), depth);
    await page.evaluate(() => window.fauve.analyse(true));
    const [reached, nodes] = await seen;
    const spent = workerSeconds(renderers) - before;
    const stop = await page.evaluate(async () => { const begun = performance.now(); await window.fauve.analyse(false); return performance.now() - begun; });
    return [spent, stop, reached === depth ? nodes : 0];
  };
  const faults = [];
  for (const game of GAMES) {
    const [depth] = await native.analyse(game);
    // The first analysis is that of code which is not warm.
    await analyse(game, depth);
    const [here, there, stops] = [[], [], []];
    for (let i = 0; i < 3; i++) {
      const [, own, nodes] = await native.analyse(game, depth);
      here.push(own);
      const [spent, stop, same] = await analyse(game, depth);
      // A page that looks too late sees the next depth.
      if (same) equal(same, nodes, `nodes of ${game} until depth ${depth}`);
      there.push(spent);
      stops.push(stop);
    }
    const ratio = Math.min(...here) / Math.min(...there);
    const stop = stops.sort((a, b) => a - b)[1];
    console.log(`${game} without JSPI: ${ratio.toFixed(2)} (${Math.min(...there).toFixed(2)} s and ${Math.min(...here).toFixed(2)} s until depth ${depth}); stopped in ${stops.map(Math.round).join(', ')} ms`);
    if (ratio < LEAST) faults.push(`${game}: less than ${LEAST} of the program's speed`);
    if (stop > STOP) faults.push(`${game}: stopped after more than ${STOP} ms`);
    // What was stopped has ended soon after.
    await sleep(300);
    const before = workerSeconds(renderers);
    await sleep(300);
    const after = workerSeconds(renderers) - before;
    if (after > 0.1) faults.push(`${game}: ${after.toFixed(2)} s of processor time in 0.3 s, after the search was stopped`);
  }
  await page.close();
  await server.stop();
  check(!faults.length, faults.join('; '));
}

const server = await new Files(SITE).start();
const browser = await browse();
const native = new Native();
try {
  if (wants('bench')) await bench(browser, server.url, native);
  if (wants('plain')) await plain(browser, native);
} finally {
  native.end();
  await browser.close();
  await server.stop();
}
