// Single faults that the page has had, each by what a person does: files of games, long games, the notation, set-up, layout.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Board, FAUVE, browse, check, equal, runAll, scratch, serve, sleep } from './driver.mjs';

const folder = scratch();

/** Pastes a text in the tab of the games, and reads it. */
async function paste(board, text) {
  await board.press('Games');
  await board.page.waitForSelector('#paste');
  await board.page.evaluate((words) => { document.querySelector('#paste').value = words; }, text);
  await board.press('Read');
}

/** Positions, unreadable games, other languages and large files are opened; an old error does not stay. */
async function files(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  // A text that is nothing is refused, and what works afterwards clears the words.
  await paste(board, 'hello world');
  await page.waitForFunction(() => document.querySelector('#message.sharp')?.textContent.includes('hello'));
  // What was asked for before, or by the page itself, leaves the words to be read when it arrives.
  await page.evaluate(() => { window.slow = window.fauve.guarded(() => new Promise((done) => { window.arrive = done; })); });
  await paste(board, 'goodbye world');
  await page.waitForFunction(() => document.querySelector('#message.sharp')?.textContent.includes('goodbye'));
  await page.evaluate(async () => {
    window.arrive();
    await window.slow;
    await window.fauve.fetched(async () => {});
  });
  equal(await page.evaluate(() => document.querySelector('#message.sharp')?.textContent.includes('goodbye') ?? false), true, 'words that nothing newer has replaced');
  // A position string is a position, of the game that has such positions.
  for (const [variant, fen] of [['chess', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'], ['superchess', 'rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1']]) {
    await paste(board, ` ${fen} \n`);
    const state = await board.until((now) => now.start === fen, `the position ${fen}`);
    equal([state.variant, state.turns.length], [variant, 0], 'its game');
    await page.waitForFunction(() => /^White to move/.test(document.querySelector('#message').textContent) && !document.querySelector('#message').classList.contains('sharp'));
  }
  await board.press('Chess');
  await board.until((now) => now.variant === 'chess', 'chess again');
  // A game that was resigned shows its result, and is not played on.
  await paste(board, '[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n1. e4 e5 2. Nf3 0-1\n');
  let state = await board.until((now) => now.turns.length === 3, 'the game that was resigned');
  equal(state.end?.result, '0-1', 'its result');
  await page.evaluate(() => window.fauve.goTo('3'));
  await page.waitForFunction(() => document.querySelector('#message').textContent.startsWith('0-1') && document.querySelectorAll('.seatbar .points').length === 2);
  // Of a game with an illegal turn the turns before it are there, and the sentence.
  await paste(board, '[Result "1-0"]\n\n1. e4 {best} e5 2. Ke3 Nc6 1-0\n');
  state = await board.until((now) => now.notice, 'what there is to say');
  equal([state.turns.map((turn) => turn.san), state.turns[0].comment], [['e4', 'e5'], 'best'], 'the turns before the fault');
  await page.waitForFunction(() => document.querySelector('#message').textContent.includes("turn 2 of White: 'Ke3' is not legal"));
  // Castling with zeros, and the letters of another language.
  await paste(board, '1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. 0-0 Sf6');
  state = await board.until((now) => now.turns.length === 8, 'the game in German');
  equal(state.turns.map((turn) => turn.token).slice(2), ['g1f3', 'b8c6', 'f1c4', 'f8c5', 'e1g1', 'g8f6'], 'its turns');
  // A large file, packed: its games are counted, and looked for.
  const game = (n) => `[Event "Cup"]\n[White "${n === 8123 ? 'Müller, Karl' : `Player ${n}`}"]\n[Black "Other"]\n[Result "1-0"]\n\n1. e4 {${'many words '.repeat(30)}} e5 2. Nf3 1-0\n\n`;
  const large = join(folder, 'large.pgn.gz');
  writeFileSync(large, gzipSync(Array.from({ length: 8593 }, (_, n) => game(n)).join('')));
  await board.press('Games');
  await (await page.waitForSelector('#file')).uploadFile(large);
  await page.waitForFunction(() => document.querySelector('#found')?.textContent === 'The first 2,000 of 8,593 games', { timeout: 20_000 });
  await page.type('#search', 'müller cup');
  await page.waitForFunction(() => document.querySelector('#found').textContent === '1 of 8,593 games');
  await board.press('Show');
  state = await board.until((now) => now.names?.[0] === 'Müller, Karl', 'the game that was looked for');
  equal(state.turns.length, 3, 'its turns');
  // What is too long is refused before it is sent, in our words.
  const refused = await new Promise((done, fail) => {
    const asked = request(`${url}api/files?variant=chess`, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': 65 << 20 } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => { text += chunk; }).on('end', () => {
        asked.destroy();
        done([answer.statusCode, JSON.parse(text).error]);
      });
    }).on('error', fail);
    asked.flushHeaders();
  });
  equal(refused, [413, 'a file of games has up to 64 MB'], 'a file of 65 MB');
  await board.close();
  return 'files: positions, results, illegal turns, other languages, a packed file of 8,593 games that is searched; errors go';
}

/** The games of a match of players that play at random: a record with its header, and the games as objects. */
function randomRecord(rounds, name) {
  const record = join(folder, name);
  const played = spawnSync(FAUVE, ['match', '--variant', 'chess', '--engine', 'proto=random', 'name=first', '--engine', 'proto=random', 'name=second', '--rounds', String(rounds), '--seed', '7', '--max-turns', '900', '--record', record, '--quiet'], { encoding: 'utf8' });
  equal(played.status, 0, played.stderr);
  const [header, ...lines] = readFileSync(record, 'utf8').trim().split('\n');
  return { record, header, games: lines.map((line) => JSON.parse(line)) };
}

/** A long game is assessed while the page stays free: it redraws what has changed, and not for each turn. */
async function assessment(browser, url) {
  const { games } = randomRecord(40, 'long.jsonl');
  const long = games.find((one) => one.turns.length > 461);
  check(long, 'a game of more than 461 turns');
  const board = await Board.open(browser, url);
  const { page } = board;
  await page.evaluate(async (start, turns) => {
    const human = { kind: 'human' };
    const body = JSON.stringify({ variant: 'chess', fen: start, turns, white: human, black: human });
    const made = await (await fetch('/api/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).json();
    location.hash = `#/${made.id}`;
  }, long.start, long.turns.slice(0, 461).map((turn) => turn.token));
  await page.waitForFunction(() => window.fauve.state.turns.length === 461);
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  await page.select('label.choice:has(option[value="1000"]) select', '1000');
  const devtools = await page.createCDPSession();
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  await page.evaluate(() => {
    window.redraws = 0;
    const redraw = window.fauve.redrawPanel;
    window.fauve.redrawPanel = function counted() {
      window.redraws += 1;
      return redraw.call(this);
    };
  });
  const before = await busy();
  const begun = Date.now();
  await board.press('Assess the whole game');
  await page.waitForFunction(() => window.fauve.assessed.filter(Boolean).length === 461 && !window.fauve.notes.reviewing, { timeout: 90_000, polling: 500 });
  const [took, redraws, seconds] = [(await busy()) - before, await page.evaluate(() => window.redraws), (Date.now() - begun) / 1000];
  check(redraws < 4 + seconds * 2.5, `${redraws} redraws of the panel in ${seconds.toFixed(1)} s`);
  check(took < 0.5, `${took.toFixed(2)} s of the main thread in ${seconds.toFixed(1)} s, ${redraws} redraws`);
  await board.close();
  return `assessment: 461 turns in ${seconds.toFixed(1)} s take ${took.toFixed(2)} s of the page's main thread, ${redraws} redraws`;
}

/** A record of 20,000 games is followed in little memory, and nobody waits for it. */
async function followed(browser) {
  const { header, games } = randomRecord(10, 'short.jsonl');
  const large = join(folder, 'large.jsonl');
  const line = (number) => `${JSON.stringify({ ...games[(number - 1) % 20], game: number, ...(number % 2 ? { white: 'first', black: 'second' } : { white: 'second', black: 'first' }) })}\n`;
  const stream = openSync(large, 'w');
  writeSync(stream, `${header.replace(/"rounds":\d+/, '"rounds":10001')}\n`);
  for (let number = 1; number <= 20_000; number += 100) writeSync(stream, Array.from({ length: 100 }, (_, i) => line(number + i)).join(''));
  const server = await serve(large);
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
  const before = memory();
  // The first request of this test takes some tens of ms before it is sent: it is not one of those that are measured.
  await (await fetch(`${server.url}api/rules/chess`)).text();
  const board = await Board.open(browser, server.url);
  // While it is read, requests are answered at once.
  const waits = [];
  const shown = () => board.page.evaluate(() => Number(/([\d,]+) of/.exec(document.querySelector('#panel [role=status]')?.textContent ?? '')?.[1].replace(',', '') ?? 0));
  const ask = async () => {
    const begun = performance.now();
    await (await fetch(`${server.url}api/rules/chess`)).text();
    waits.push(performance.now() - begun);
  };
  for (let i = 0; i < 2000 && (await shown()) !== 20_000; i++) {
    await ask();
    await sleep(20);
  }
  equal(await shown(), 20_000, 'the games of the record');
  // A game more is seen, and the others are not read again.
  const ticks = () => Number(readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(' ')[13]);
  const read = ticks();
  writeSync(stream, line(20_001));
  for (let i = 0; i < 200 && (await shown()) !== 20_001; i++) await sleep(20);
  equal(await shown(), 20_001, 'the game that came');
  const again = (ticks() - read) * 10;
  check(again < 300, `${again} ms of the processor for one game more`);
  // Two players have one difference and one error.
  const rows = await board.page.$$eval('.standing tbody tr', (all) => all.map((row) => row.lastElementChild.textContent));
  const duel = await board.page.$eval('.graph', (graph) => graph.previousElementSibling.textContent.split(' · ')[0]);
  equal(rows.map((text) => text.replace(/^[+−]/, '')), [duel.replace(/^[+−]/, ''), duel.replace(/^[+−]/, '')], 'the error of the duel');
  await board.press('Look at it');
  const state = await board.until((now) => now.turns.length > 0 && now.names, 'a game of the record');
  equal(state.names.toSorted(), ['first', 'second'], 'its players');
  const worst = Math.max(...waits);
  const more = memory() - before;
  check(more < 20, `${more.toFixed(0)} MB more`);
  check(worst < 50, `a request waited ${worst.toFixed(0)} ms`);
  await board.close();
  await server.stop();
  closeSync(stream);
  return `record: 20,000 games, ${(statSync(large).size / 2 ** 20).toFixed(0)} MB, followed in ${more.toFixed(0)} MB; requests wait ${worst.toFixed(0)} ms at most`;
}

/** The board takes what the window has, whatever its shape: all of it is seen, with what belongs to the turn; a handle sets its size. */
async function layout(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const box = (what) => page.$eval(what, (one) => {
    const { left, top, right, bottom, width } = one.getBoundingClientRect();
    return { left, top, right, bottom, width };
  });
  const sees = async (what, name, [width, height]) => {
    const seen = await box(what);
    check(seen.left >= -1 && seen.top >= -1 && seen.right <= width + 1 && seen.bottom <= height + 1, `${name} at ${width}x${height} lies at ${JSON.stringify(seen)}`);
    return seen;
  };
  const sizes = [];
  for (const [variant, width, height, least] of [['chess', 900, 500, 320], ['chess', 844, 390, 230], ['chess', 1920, 1200, 900], ['chess', 1120, 770, 510], ['chess', 1280, 900, 640], ['chess', 1280, 720, 520], ['chess', 900, 700, 400], ['chess', 390, 844, 350], ['dicechess', 1280, 720, 500], ['superchess', 1280, 720, 500], ['cubes4d', 1280, 720, 560], ['cubes4d', 1120, 770, 650]]) {
    await page.setViewport({ width, height });
    if ((await board.state()).variant !== variant) await board.begin(variant);
    await page.evaluate(() => window.scrollTo(0, 0));
    await sleep(60);
    const { width: wide } = await sees('#board', 'the board', [width, height]);
    check(wide >= least, `the board of ${variant} has ${wide.toFixed(0)} px at ${width}x${height}`);
    if (variant === 'dicechess') await sees('.dice', 'the dice', [width, height]);
    sizes.push(`${variant} ${wide.toFixed(0)} px at ${width}x${height}`);
  }
  // On a phone held sideways the words leave room for the buttons: those of the turn are seen, the others are scrolled to.
  for (const [width, height] of [[844, 390], [740, 360], [667, 375]]) {
    await page.setViewport({ width, height });
    for (const variant of ['superchess', 'cubes4d']) {
      await board.begin(variant);
      if (variant === 'cubes4d') await sees('.extras .primary', 'the first choice', [width, height]);
      const covered = await page.$$eval('.extras button', (all) => all.filter((button) => {
        button.scrollIntoView({ block: 'nearest' });
        const { left, top, right, bottom } = button.getBoundingClientRect();
        return ![[left + 4, top + 4], [right - 4, bottom - 4]].every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
      }).map((button) => button.textContent || button.title));
      equal(covered, [], `buttons beside the board of ${variant} that are covered at ${width}x${height}`);
    }
  }
  // The chosen one of the tabs is seen, too.
  await page.evaluate(() => window.fauve.show('setup'));
  await sleep(100);
  await sees('#tab-setup', 'the chosen tab', [667, 375]);
  await page.evaluate(() => window.fauve.show('play'));
  // In the prologue of Superchess the question about a swap is seen.
  await page.setViewport({ width: 1280, height: 720 });
  await board.begin('superchess');
  for (const token of ['A@h1', 'V@b8', 'E@f1']) await board.step(await board.state(), token);
  await (await page.waitForSelector('[data-tray="S"]')).click();
  await board.click('d8');
  await page.waitForFunction(() => [...document.querySelectorAll('.extras button')].some((button) => button.textContent === 'Keep them as they are'));
  await page.evaluate(() => [...document.querySelectorAll('.extras button')].find((button) => button.textContent === 'Keep them as they are').classList.add('kept'));
  await sees('.kept', '“Keep them as they are”', [1280, 720]);
  // The handle makes the board smaller, and the size is kept.
  const [full, handle] = [await box('#board'), await box('#handle')];
  await page.mouse.move(handle.left + 8, handle.top + 8);
  await page.mouse.down();
  await page.mouse.move(handle.left - 92, handle.top - 92, { steps: 5 });
  await page.mouse.up();
  const small = await box('#board');
  check(small.width < full.width - 150 && small.width > full.width - 260, `from ${full.width} to ${small.width}`);
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  check(Math.abs((await box('#board')).width - small.width) < 2, 'the size after a reload');
  await page.focus('#handle');
  await page.keyboard.press('End');
  check(Math.abs((await box('#board')).width - full.width) < 2, 'the whole size by a key');
  await board.close();
  return `layout: ${sizes.join(', ')}; size by a handle`;
}

/** Cells of Cubes 4D have one name in the list, on the board and in sentences, the one that is chosen. */
async function names(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1');
  const step = (await board.state()).view.steps.find((one) => one.kind === 'move');
  await board.step(await board.state(), step.token);
  const seen = () => page.evaluate(() => ({ list: document.querySelector('.turns .turn').textContent, labels: [...document.querySelectorAll('#board .labels text')].map((text) => text.textContent) }));
  for (const view of ['From above', 'Cubes']) {
    if (view === 'From above') await board.press(view);
    else await board.press('Cubes');
    let { list, labels } = await seen();
    check(list.includes(step.from) && list.includes(step.to) && !list.includes('('), `${view}: ${list}`);
    check(labels.includes('f') && labels.includes('8') && !labels.includes('0'), `${view}: ${labels}`);
    await board.press('Names: (-2,0)');
    ({ list, labels } = await seen());
    check(/\(-?\d,-?\d(,\d)?\)/.test(list) && !list.includes(step.from), `${view}, counted: ${list}`);
    check(labels.includes('-2') && labels.includes('0') && !labels.includes('f'), `${view}, counted: ${labels}`);
    // A reason is spelled as the list is.
    await page.evaluate(() => window.fauve.why('f8', 'h8'));
    check(!/\b[a-o]\d/.test(await board.message()), `a reason: ${await board.message()}`);
    await board.press('Names: f8');
    await page.evaluate(() => window.fauve.why('f8', 'h8'));
    check(!/\(-?\d,/.test(await board.message()), `a reason: ${await board.message()}`);
  }
  await board.close();
  return 'names: the cells of Cubes 4D are named alike in list, board and sentences, in either way';
}

/** Everything of a position is set by hand; pieces come from the palette; rights that cannot be go; another tab keeps it all. */
async function setup(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const fen = () => page.$eval('#setupfen', (area) => area.value);
  const good = (pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector('#setupfen').value) && /can be played/.test(document.querySelector('#verdict').textContent), { timeout: 8000 }, pattern.source)
    .catch(async () => { throw new Error(`${pattern}: ${await fen()}; ${await page.$eval('#verdict', (text) => text.textContent)}`); });
  const choose = (label, value) => page.evaluate((text, wanted) => {
    const select = [...document.querySelectorAll('#panel label.choice')].find((one) => one.querySelector('span')?.textContent === text).querySelector('select');
    select.value = wanted;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, label, value);
  const open = async (variant, position) => {
    await board.begin(variant, position);
    await board.press('Set up');
    await page.waitForSelector('#setupfen');
    await page.waitForFunction(() => document.querySelector('#verdict').textContent);
  };
  // En passant and castling, in chess; a rook that leaves takes its right along.
  await open('chess', 'r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1');
  await choose('En passant', 'd6');
  await good(/ w KQkq d6 /);
  await page.click('[data-right=Q]');
  await good(/ w Kkq d6 /);
  await board.drag('h8', 'h7');
  await good(/ w Kq d6 /);
  // A piece is dragged from the palette.
  const from = await (await page.$('[data-palette=n]')).boundingBox();
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(...await board.point('c3'), { steps: 6 });
  await page.mouse.up();
  await good(/^r3k3\/7r\/8\/3pP3\/8\/2n5\//);
  // Another tab, and back: it is kept.
  const put = await fen();
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  await board.press('Set up');
  await page.waitForSelector('#setupfen');
  equal(await fen(), put, 'the position after another tab');
  await board.press('Position of the game');
  await good(/^r3k2r\/8\/8\/3pP3\/8\/8\/8\/R3K2R w KQkq - 0 1$/);
  // The pool of Superchess, and its prologue; a rook that leaves takes its right along.
  await open('superchess', 'rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV[NBRQnbrq] w Qq - 0 1');
  await page.click('[data-pool=Q]');
  await good(/\[[^\]Q]*\] w/);
  await page.evaluate(() => {
    const select = document.querySelector('.pools select');
    select.value = 'Q';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await good(/\[[^\]]*Q[^\]]*\] w/);
  equal(await page.$$eval('.pools select', (all) => all.map((one) => one.labels[0].querySelector('span').textContent)), ['White, add a piece', 'Black, add a piece'], 'the names of the choices of pieces');
  await board.drag('a1', 'a3');
  await good(/ w q /);
  await choose('Phase', 'prologue');
  await good(/ p0$/);
  await choose('Phase', 'game');
  await page.waitForFunction(() => /\[NBRQnbrq\] w/.test(document.querySelector('#setupfen').value));
  // What was a pawn returns to no pool, wherever it is moved.
  await open('superchess', 'k7/8/8/8/8/8/8/1Q~2K3[NBRQnbrq] w - - 0 1');
  await board.drag('b1', 'b3');
  await good(/\/1Q~6\/8\/4K3\[/);
  // Dice, and the moves of a turn.
  await open('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -');
  await board.press('Dice to be rolled');
  await good(/ 0 1 -/);
  await board.press('Give the dice');
  await good(/ PNB( |$)/);
  await choose('Die 3', 'K');
  await good(/ PNK( |$)/);
  await open('twomove', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2');
  await choose('Moves of this turn', '1');
  await good(/ 0 1 1$/);
  // Cubes 4D: a right of castling goes with its piece, and the prologue is chosen.
  await open('cubes4d', 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1');
  await board.drag('e6', 'g8');
  await good(/ w Brb /);
  await choose('Phase', 'prologue');
  await good(/ pre$/);
  await choose('Phase', 'game');
  await page.waitForFunction(() => !/ pre$/.test(document.querySelector('#setupfen').value));
  await board.close();
  // The keys that step through a game leave the game alone that is hidden meanwhile.
  const other = await Board.open(browser, url);
  await other.page.evaluate(() => window.fauve.open({ variant: 'chess', turns: ['e2e4', 'e7e5'] }));
  await other.press('Set up');
  await other.page.waitForSelector('#setupfen');
  await other.page.evaluate(() => document.activeElement.blur());
  for (const key of ['Home', 'ArrowLeft']) await other.page.keyboard.press(key);
  equal(await other.page.evaluate(() => window.fauve.place), null, 'the place in the game behind');
  await other.close();
  return 'set-up: castling, en passant, pool, prologue, dice and moves by hand; the palette is dragged from; another tab keeps it; rights that cannot be go';
}

/** Each kind of game keeps its own, Back leads to it, a link holds game and place, and stepping takes the list along. */
async function places(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  for (const token of ['e2e4', 'e7e5', 'g1f3', 'b8c6']) await board.step(await board.state(), token);
  const first = await board.state();
  // Another kind of game, and back by its tab and by the button of the browser.
  await board.press('Two-move chess');
  await board.until((state) => state.variant === 'twomove', 'another game');
  await board.press('Chess');
  await board.until((state) => state.id === first.id, 'the game of chess again');
  await board.press('Two-move chess');
  await board.until((state) => state.variant === 'twomove', 'the other game again');
  await page.goBack();
  await board.until((state) => state.id === first.id && state.turns.length === 4, 'the game that Back leads to');
  // The wheel steps; list, status and seats follow.
  await page.mouse.move(...await board.point('d4'));
  await page.mouse.wheel({ deltaY: -120 });
  await page.waitForFunction(() => window.fauve.here() === '3' && !window.fauve.heading && document.querySelector('.turn.current').dataset.path === '3');
  check((await board.message()).startsWith('Black to move'), 'the side to move there');
  // The address says the place; a link that is written out holds it, too.
  check(/\/3$/.test(await page.evaluate(() => location.hash)), 'the place in the address');
  await page.reload({ waitUntil: 'load' });
  await page.waitForFunction(() => window.fauve?.state?.turns.length === 4 && window.fauve.here() === '3');
  const link = await page.evaluate(async () => (await import('/frame.js')).linkOf(window.fauve));
  const other = await Board.open(browser, link);
  await other.page.waitForFunction(() => window.fauve.state.turns.length === 4 && window.fauve.here() === '3');
  await other.close();
  await board.close();
  return 'places: games of each kind are kept, Back and links lead to game and place, the wheel takes the list along';
}

/** Promotion stands on its square, the strongest piece first; Escape and a second finger end a drag; what moves is seen, and so are the dice. */
async function hands(browser) {
  const slow = await serve('--pause', '0.5');
  const board = await Board.open(browser, slow.url);
  const { page } = board;
  await board.begin('chess', '4k3/P7/8/8/8/8/8/4K2R w K - 0 1');
  await board.click('a7');
  await board.click('a8');
  await page.waitForSelector('dialog[open]');
  const shown = await page.evaluate(() => {
    const [dialog, square] = [document.querySelector('dialog[open]'), document.querySelector('[data-square=a8]')].map((one) => one.getBoundingClientRect());
    return { first: document.querySelector('dialog .choices button').getAttribute('aria-label'), focus: document.activeElement.getAttribute('aria-label'), away: Math.abs(dialog.top - square.top) + Math.abs(dialog.left + dialog.width / 2 - square.left - square.width / 2) };
  });
  equal([shown.first, shown.focus], ['white queen', 'white queen'], 'the first choice, and the one in focus');
  check(shown.away < 60, `the dialog is ${shown.away} px from the square`);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  // A drag that is given up leaves nothing behind.
  const drag = async () => {
    await page.mouse.move(...await board.point('h1'));
    await page.mouse.down();
    await page.mouse.move(...await board.point('h4'), { steps: 4 });
    await page.waitForSelector('.ghost');
    equal(await page.$$eval('.square.lifted', (all) => all.length), 1, 'one lifted piece');
  };
  await drag();
  await page.keyboard.press('Escape');
  equal(await page.$$eval('.ghost, .square.lifted', (all) => all.length), 0, 'a ghost after Escape');
  await page.mouse.up();
  await drag();
  await page.evaluate(() => document.querySelector('#board').dispatchEvent(new window.PointerEvent('pointerdown', { bubbles: true, pointerId: 77, clientX: 200, clientY: 300 })));
  equal(await page.$$eval('.ghost, .square.lifted', (all) => all.length), 0, 'a ghost after a second finger');
  await page.mouse.up();
  equal((await board.state()).turns.length, 0, 'no turn was made by that');
  // A piece that glides lies above all squares, and its own square waits for it.
  await page.evaluate(() => {
    window.flights = [];
    new MutationObserver(() => {
      const flight = document.querySelector('#board .flight');
      if (flight) window.flights.push([flight === flight.parentNode.lastElementChild, flight.childElementCount]);
    }).observe(document.querySelector('#board'), { subtree: true, childList: true });
  });
  await board.click('h1');
  await board.click('h8');
  await page.waitForFunction(() => window.flights.some(([above, pieces]) => above && pieces > 0));
  // The dice of the engine's turn stay to be seen.
  await page.evaluate(async () => {
    const human = { kind: 'human' };
    const made = await (await fetch('/api/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ variant: 'dicechess', seed: '2a', white: human, black: { kind: 'engine', level: 1 } }) })).json();
    location.hash = `#/${made.id}`;
  });
  let state = await board.until((now) => now.variant === 'dicechess', 'a game with dice');
  await page.evaluate(() => {
    window.seen = 0;
    let begun = 0;
    const watch = () => {
      if (document.querySelector('.die.ofblack')) begun ||= performance.now();
      else if (begun) {
        window.seen = Math.max(window.seen, performance.now() - begun);
        begun = 0;
      }
      requestAnimationFrame(watch);
    };
    watch();
  });
  while (state.turns.length < 1) state = await board.step(state, state.view.steps[0].token);
  await board.until((now) => now.turns.length >= 2, 'the answer');
  await page.waitForFunction(() => window.seen > 0);
  const seen = await page.evaluate(() => window.seen);
  check(seen > 400, `the dice of the engine are seen for ${seen.toFixed(0)} ms`);
  await board.close();
  await slow.stop();
  return `hands: promotion on its square, drags that are given up, pieces glide above the board; the engine’s dice are seen for ${seen.toFixed(0)} ms`;
}

/** A game outlasts the server with its whole tree: from the folder of games, or from the page where there is none. */
async function kept(browser) {
  for (const words of [['--keep', join(folder, 'games')], []]) {
    let own = await serve(...words);
    const board = await Board.open(browser, own.url);
    const { page } = board;
    await board.begin('chess');
    for (const token of ['e2e4', 'e7e5', 'g1f3']) await board.step(await board.state(), token);
    await page.evaluate(async () => {
      await window.fauve.edit({ do: 'vary', place: { path: '1', steps: ['c7c5'] }, line: ['g1f3', 'd7d6'] });
      await window.fauve.edit({ do: 'annotate', path: '1.0.2', comment: 'Sicilian', nags: [5], shapes: ['Gd2d4'] });
      await window.fauve.edit({ do: 'annotate', path: '0', comment: 'Before the game' });
    });
    const before = await board.until((state) => state.lead.comment, 'what was written');
    await page.waitForFunction(() => JSON.parse(sessionStorage.getItem('fauve')).pgn?.text.includes('Before the game'));
    await page.evaluate(() => window.fauve.analyse(true));
    await board.until((state) => state.analysis, 'the analysis');
    await new Promise((done) => { own.child.once('exit', done).kill('SIGKILL'); });
    await page.waitForFunction(() => document.body.classList.contains('gone'));
    own = await serve(...words, '--port', String(own.port));
    await page.waitForFunction(() => !document.body.classList.contains('gone'), { timeout: 10_000 });
    const after = await board.until((state) => state.turns?.length === 3, 'the game after the restart');
    equal([after.turns, after.lead], [before.turns, before.lead], `the tree after a restart, ${words[0] ?? 'without a folder'}`);
    await board.until((state) => state.analysis, 'the analysis after the restart');
    await page.evaluate(() => window.fauve.analyse(false));
    // No address of before leads nowhere.
    equal(await page.evaluate(() => location.hash.slice(2, 34)), after.id, 'the address');
    if (words[0] === '--keep') {
      equal(after.id, before.id, 'the game has its name still');
      // Another page finds it among the games that are kept.
      const other = await Board.open(browser, own.url);
      await other.press('Games');
      await (await other.page.waitForSelector(`[data-kept="${before.id}"]`)).click();
      const taken = await other.until((state) => state.id === before.id, 'the game of the list');
      equal(taken.turns, before.turns, 'its tree');
      await other.close();
    }
    board.faults = board.faults.filter((fault) => !/ERR_CONNECTION|Failed to load|ERR_INCOMPLETE/.test(fault));
    await board.close();
    await own.stop();
  }
  return 'kept: after a kill and a restart the whole tree is there, from the folder of games or from the page; “Your games” lists it';
}

/** What is not over outlasts the server as well: clocks, the beginning of a turn, a lesson, a puzzle, a game that was resigned; with and without a folder of games. */
async function unfinished(browser) {
  for (const words of [['--keep', join(folder, 'unfinished')], []]) {
    let own = await serve(...words);
    const board = await Board.open(browser, own.url);
    const { page } = board;
    const where = words[0] ?? 'without a folder';
    const restart = async (between) => {
      await new Promise((done) => { own.child.once('exit', done).kill('SIGKILL'); });
      await page.waitForFunction(() => document.body.classList.contains('gone'));
      await between?.();
      own = await serve(...words, '--port', String(own.port));
      await page.waitForFunction(() => !document.body.classList.contains('gone'), { timeout: 10_000 });
      return board.until((state) => state.view, 'the game after the restart');
    };
    const begin = (more) => page.evaluate((wanted) => window.fauve.open({ white: { kind: 'human' }, black: { kind: 'human' }, ...wanted }), more);
    // The clocks go on where they stood, and the beginning of a turn is made.
    for (const [variant, seed, count] of [['dicechess', '2a', 1], ['twomove', undefined, 3], ['chess', undefined, 3]]) {
      await begin({ variant, seed, clock: { minutes: 3, increment: 2 } });
      let state = await board.until((now) => now.variant === variant && now.clock, 'a game with clocks');
      for (let i = 0; i < count; i++) state = await board.step(state, state.view.steps[0].token);
      await sleep(1200);
      const side = state.view.side === 'w' ? 'white' : 'black';
      const before = await board.state();
      const after = await restart(() => sleep(1500));
      equal([after.turns, after.partial_turn, after.view.fen, after.seed], [state.turns, state.partial_turn, state.view.fen, state.seed], `${variant} after the restart, ${where}`);
      equal([after.clock?.running, after.clock?.control], [before.clock.running, { minutes: 3, increment: 2 }], `the clock of ${variant}, ${where}`);
      const gone = before.clock[side] - after.clock[side];
      // A folder has the clocks as they stood when the turn began; nobody pays for the time without a server.
      check(gone < 1400 && after.clock[side] <= 184_000, `${variant}, ${where}: ${gone} ms are gone`);
      const other = side === 'white' ? 'black' : 'white';
      equal(after.clock[other], state.clock[other], `the other clock of ${variant}, ${where}`);
    }
    // A lesson and a puzzle, each with what was made of them.
    await begin({ variant: 'superchess', lesson: 1 });
    let state = await board.until((now) => now.lesson, 'a lesson');
    state = await board.step(state, state.view.steps.find((one) => one.kind === 'move').token);
    let after = await restart();
    equal([after.lesson, after.turns], [state.lesson, state.turns], `a lesson after the restart, ${where}`);
    await board.press('Puzzles');
    await board.press('Chess');
    await board.until((now) => now.variant === 'chess', 'chess');
    await board.press('Begin');
    state = await board.until((now) => now.puzzle, 'a puzzle');
    state = await board.step(state, state.view.steps.find((one) => !one.piece).token);
    after = await restart();
    equal([after.puzzle, after.turns], [state.puzzle, state.turns], `a puzzle after the restart, ${where}`);
    // A game that was given up is over.
    await begin({ variant: 'chess' });
    await board.until((now) => !now.puzzle && now.variant === 'chess', 'a game');
    state = await board.step(await board.state(), 'e2e4');
    await page.evaluate(() => window.fauve.act({ do: 'resign' }));
    state = await board.until((now) => now.end, 'its end');
    await page.waitForFunction(() => JSON.parse(sessionStorage.getItem('fauve')).pgn?.text.includes('1-0'));
    after = await restart();
    equal([after.end?.result, after.turns.length], ['1-0', 1], `a game that was given up, ${where}`);
    board.faults = board.faults.filter((fault) => !/ERR_CONNECTION|Failed to load|ERR_INCOMPLETE/.test(fault));
    await board.close();
    await own.stop();
  }
  return 'unfinished: clocks, the beginning of a turn, a lesson, a puzzle and the end of a game outlast the server, with and without a folder';
}

/** How often the server is killed in one game. */
const KILLS = Number(process.env.KILLS ?? 5);

/** The server is killed again and again in one game, in the middle of turns of the engine and of a person: not a turn is lost. */
async function killed(browser) {
  let own = await serve('--keep', join(folder, 'killed'));
  const board = await Board.open(browser, own.url);
  const { page } = board;
  await page.evaluate(() => window.fauve.open({ variant: 'twomove', white: { kind: 'human' }, black: { kind: 'engine', level: 1 } }));
  let state = await board.until((now) => now.variant === 'twomove', 'a game');
  const { id } = state;
  for (let i = 0; i < KILLS; i++) {
    state = await board.until((now) => now.end || (now.view.side === 'w' && now.view.steps.length), 'a turn of White');
    if (state.end) break;
    state = await board.step(state, state.view.steps[i % state.view.steps.length].token);
    const known = state.turns.filter((turn) => turn.side === 'w').map((turn) => turn.token);
    await new Promise((done) => { own.child.once('exit', done).kill('SIGKILL'); });
    await page.waitForFunction(() => document.body.classList.contains('gone'));
    own = await serve('--keep', join(folder, 'killed'), '--port', String(own.port));
    await page.waitForFunction(() => !document.body.classList.contains('gone'), { timeout: 10_000 });
    const after = await board.until((now) => now.view, 'the game after the restart');
    equal(after.id, id, 'the game has its name still');
    equal(after.turns.filter((turn) => turn.side === 'w').map((turn) => turn.token), known, `the turns after the restart ${i + 1}`);
    if (state.partial_turn.length) equal(after.partial_turn, state.partial_turn, `the beginning of a turn after the restart ${i + 1}`);
  }
  board.faults = board.faults.filter((fault) => !/ERR_CONNECTION|Failed to load|ERR_INCOMPLETE|ERR_EMPTY/.test(fault));
  await board.close();
  await own.stop();
  return `killed: a server that is killed ${KILLS} times in a game loses no step of it`;
}

/** What was captured and who is ahead stands beside the players, in all five games, at every place of the game. */
async function captures(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const seen = () => page.evaluate(() => ['top', 'bottom'].map((bar) => document.querySelector(`#${bar} .captured`)?.getAttribute('aria-label') ?? ''));
  const games = [
    ['chess', undefined, ['e2e4', 'd7d5', 'e4d5'], ['', 'Captured: black pawn, ahead by 1']],
    ['superchess', 'r3k2r/ppaqpp1p/2n2s2/1b2v3/1B2V3/2N2S2/PPAQPP1P/R3K2R w KQkq - 0 1', ['b4e7', 'd7e7'], ['Captured: white bishop, ahead by 2', 'Captured: black pawn']],
    ['twomove', undefined, ['e2e4', 'd7d5', 'c7c6', 'e4d5', 'g1f3'], ['', 'Captured: black pawn, ahead by 1']],
    ['dicechess', 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1 PNB', ['e4d5'], ['', 'Captured: black pawn, ahead by 1']],
  ];
  for (const [variant, fen, steps, wanted] of games) {
    await board.begin(variant, fen);
    let state = await board.state();
    for (const token of steps) state = await board.step(state, token);
    equal(await seen(), wanted, variant);
    // A place before has less of it.
    await page.evaluate(() => window.fauve.goTo('0'));
    await page.waitForFunction(() => window.fauve.here() === '0' && !window.fauve.heading);
    if (variant !== 'dicechess') equal(await seen(), ['', ''], `${variant} at the beginning`);
  }
  // Cubes 4D: whatever is captured first.
  await board.begin('cubes4d', 'd11:02001000/00100112/00G102121/12g020101/00K10013B0/021001k12/00020000 b - GQgq - - 1');
  let state = await board.state();
  for (let i = 0; i < 60 && !state.turns.some((turn) => turn.steps[0].captures) && !state.end; i++) {
    const steps = state.view.steps.filter((one) => one.from);
    state = await board.step(state, (steps.find((one) => one.captures) ?? steps[i % steps.length]).token);
  }
  check(state.turns.some((turn) => turn.steps[0].captures), 'a capture in Cubes 4D');
  const captured = state.view.captured.white + state.view.captured.black;
  check(captured.length === 1 && (await seen()).some((label) => /^Captured: (white|black)/.test(label)), `${captured}: ${await seen()}`);
  await board.close();
  return 'captures: captured pieces and material stand beside the players in all five games, at each place of the game';
}

/** What the searches of many games have needed goes back to the system: a board is kept open for days. */
async function returned() {
  const own = await serve();
  const held = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${own.pid}/status`, 'utf8'))[1]) / 1024;
  const post = async (path, body) => {
    const answer = await fetch(`${own.url}${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    check(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  };
  const before = held();
  // Eight people ask for a hint, in all games, again and again.
  const variants = ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'];
  await Promise.all(Array.from({ length: 8 }, async (_, person) => {
    for (let i = 0; i < 5; i++) {
      const { id } = await post('api/games', { variant: variants[(person + i) % 5] });
      await post(`api/games/${id}`, { do: 'hint' });
    }
  }));
  const more = held() - before;
  await own.stop();
  check(more < 40, `the server holds ${more.toFixed(0)} MB more after 40 searches`);
  return `memory: after 40 searches for eight people the server holds ${more.toFixed(0)} MB more`;
}

/** Moves, captures, checks, dice and the end are heard, unless that is switched off. */
async function sounds(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  // What the page lets be heard: each sound begins with as many parts as it has.
  await page.evaluate(() => {
    window.heard = 0;
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
      const { start } = kind.prototype;
      kind.prototype.start = function counted(...when) {
        window.heard += 1;
        return start.apply(this, when);
      };
    }
  });
  const after = async (parts, what) => {
    await page.waitForFunction((count) => window.heard >= count, { timeout: 5000 }, parts).catch(() => {});
    await sleep(150);
    equal(await page.evaluate(() => window.heard), parts, `the parts of the sound of ${what}`);
    await page.evaluate(() => { window.heard = 0; });
  };
  await board.begin('chess');
  await after(0, 'a new game');
  for (const [token, parts, what] of [['e2e4', 1, 'a move'], ['d7d5', 1, 'another move'], ['e4d5', 2, 'a capture'], ['d8d5', 2, 'a capture by the other side'], ['f1b5', 3, 'a check']]) {
    await board.step(await board.state(), token);
    await after(parts, what);
  }
  await board.press('Resign');
  await page.waitForSelector('dialog[open]');
  await page.evaluate(() => document.querySelector('dialog[open] .primary').click());
  await after(3, 'the end');
  // The dice of the next turn are rolled behind a move.
  await board.begin('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PKK seed:2a');
  let state = await board.state();
  let steps = 0;
  for (; state.turns.length < 1; steps++) state = await board.step(state, state.view.steps[0].token);
  await after(steps + 5, `${steps} moves and dice`);
  // Switched off, and still off after a reload.
  await page.click('#looks');
  await (await page.waitForSelector('#sounds')).click();
  await board.press('Close');
  await board.step(await board.state(), (await board.state()).view.steps[0].token);
  await after(0, 'a move in silence');
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  equal(await page.evaluate(() => JSON.parse(localStorage.getItem('fauve')).sounds), false, 'the switch after a reload');
  await board.close();
  return 'sounds: a move, a capture, a check, the dice and the end have their own; the switch silences them';
}

/** What is clicked quickly arrives: turns of lines that change many times a second are adopted by the first click. */
async function clicks(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  await board.press('Analyse');
  await page.waitForSelector('.lines');
  await page.evaluate(() => [...document.querySelectorAll('#panel button')].find((one) => one.textContent === 'Analyse').click());
  const count = 15;
  for (let i = 0; i < count; i++) {
    await page.waitForFunction(() => window.fauve.here() === '0' && !window.fauve.heading && document.querySelector('.line .pv button') && window.fauve.lines[0]?.turns.length, { timeout: 20_000 });
    const at = await page.$eval('.line .pv button', (one) => {
      const { left, top, height } = one.getBoundingClientRect();
      return [left + 8, top + height / 2];
    });
    await page.mouse.click(...at, { delay: 20 });
    await page.waitForFunction(() => window.fauve.here() !== '0', { timeout: 3000 }).catch(() => { throw new Error(`click ${i + 1} of ${count} on a line is lost`); });
    await page.mouse.move(5, 5);
    await page.evaluate(() => window.fauve.goTo('0'));
  }
  await board.press('Stop');
  await board.close();
  return `clicks: ${count} quick ones on lines that change, none lost`;
}

/** A window that nobody looks at keeps analysing; where there is no analysis it returns its connection, and connects again when it is looked at. */
async function hidden(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  await page.evaluate(() => {
    // A minute is over at once; nobody looks at the page where the test says so.
    const { setTimeout: wait } = window;
    window.setTimeout = (work, ms, ...more) => wait(work, ms === 60_000 ? 30 : ms, ...more);
    window.covered = false;
    Object.defineProperty(document, 'hidden', { get: () => window.covered });
  });
  const cover = (is) => page.evaluate((covered) => { window.covered = covered; document.dispatchEvent(new Event('visibilitychange')); }, is);
  await board.press('Analyse');
  await page.waitForSelector('.lines');
  const analyse = () => page.evaluate(() => [...document.querySelectorAll('#panel button')].find((one) => one.textContent === 'Analyse').click());
  await analyse();
  await page.waitForFunction(() => window.fauve.lines[0], { timeout: 20_000 });
  await cover(true);
  await sleep(400);
  const depth = await page.evaluate(() => window.fauve.lines[0].nodes);
  await page.waitForFunction((nodes) => window.fauve.lines[0].nodes > nodes, { timeout: 20_000 }, depth);
  await cover(false);
  await board.press('Stop');
  await board.until((state) => !state.analysis, 'the end of the analysis');
  await cover(true);
  await page.waitForFunction(() => window.fauve.notes.left);
  // What happens meanwhile is shown as soon as somebody looks, also where the program was started again and counts anew.
  const { id } = await board.state();
  await page.evaluate(() => { window.fauve.state.version += 1000; });
  await fetch(`${url}api/games/${id}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ do: 'step', token: 'e2e4' }) });
  await sleep(300);
  equal(await page.evaluate(() => window.fauve.state.turns.length), 0, 'turns that a page hears of without a connection');
  await cover(false);
  await page.waitForFunction(() => window.fauve.state.turns.length === 1, { timeout: 5000 });
  // A game whose clock runs is not left.
  await page.evaluate(() => window.fauve.open({ variant: 'chess', white: { kind: 'human' }, black: { kind: 'human' }, clock: { minutes: 1, increment: 0 } }));
  await board.step(await board.state(), 'e2e4');
  await cover(true);
  await sleep(300);
  check(!(await page.evaluate(() => window.fauve.notes.left)), 'a page whose clock runs is not looked at, and keeps its connection');
  await cover(false);
  await board.close();
  return 'hidden: a page that nobody looks at goes on analysing; without an analysis it gives its connection back, and has it again when it is looked at';
}

/** What is being written stays while the page is drawn anew, and a comment goes to the turn beside which it was begun. */
async function drafts(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  await board.step(await board.state(), 'e2e4');
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  await page.focus('.remark');
  await page.keyboard.type('a good');
  await page.evaluate(() => window.fauve.redrawPanel());
  // The other side moves, as another page has it.
  const { id } = await board.state();
  await fetch(`${url}api/games/${id}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ do: 'step', token: 'e7e5' }) });
  await page.waitForFunction(() => window.fauve.state.turns.length === 2);
  await page.keyboard.type(' move');
  await page.evaluate(() => document.activeElement.blur());
  const { turns } = await board.until((state) => state.turns.some((turn) => turn.comment), 'the comment');
  equal(turns.map((turn) => turn.comment), ['a good move', undefined], 'the comments');
  await page.waitForFunction(() => document.querySelector('.remark').value === '');
  // Another game is looked at while one is being written.
  await page.focus('.remark');
  await page.keyboard.type('the last');
  await page.evaluate(() => window.fauve.open({ variant: 'chess' }));
  const comment = () => fetch(`${url}api/games/${id}`).then((answer) => answer.json()).then((state) => state.turns[1].comment);
  for (let i = 0; i < 40 && !(await comment()); i++) await sleep(50);
  equal(await comment(), 'the last', 'the comment in the game before');
  equal(await page.$eval('.remark', (field) => field.value), '', 'the comment of the new game');
  // The same for a position string and the figures of a clock.
  const typed = async (field, text) => {
    await page.waitForSelector(field);
    await page.$eval(field, (one) => { one.focus(); one.select(); });
    await page.keyboard.type(text);
    await page.evaluate(() => window.fauve.redrawPanel());
    equal(await page.$eval(field, (one) => one.value), text, `what is typed into ${field}`);
    await page.evaluate(() => document.activeElement.blur());
  };
  await board.press('Set up');
  await typed('#setupfen', '4k3/8/8/8/8/8/8/4K2R w - - 0 1');
  await page.waitForFunction(() => window.fauve.setup.sound && window.fauve.setup.pieces().get('h1')?.letter === 'R');
  await board.press('Play');
  await board.choose('Clock', 'own');
  await typed('input[name=minutes]', '17');
  equal(await page.evaluate(() => JSON.parse(localStorage.getItem('fauve')).minutes), 17, 'the minutes that were typed');
  await board.close();
  return 'drafts: comments, position strings and figures are typed to their end, whatever happens meanwhile';
}

/** The clock that stands shows what its side has left, whatever it showed while it ran. */
async function clocks(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await page.evaluate(() => window.fauve.open({ variant: 'chess', white: { kind: 'human' }, black: { kind: 'human' }, clock: { minutes: 1, increment: 30 } }));
  for (const [token, side] of [['e2e4', 'white'], ['e7e5', 'black'], ['g1f3', 'white']]) {
    await sleep(400);
    await board.step(await board.state(), token);
    const [text, left] = await page.evaluate(async (key) => {
      const { time } = await import(new URL('panels.js', document.baseURI).href);
      return [document.querySelector(`[data-clock="${key[0]}"]`).textContent, time(window.fauve.state.clock[key])];
    }, side);
    equal(text, left, `${side}'s clock after ${token}`);
  }
  await board.close();
  return 'clocks: the one that stands shows what is left with the increment';
}

/** A variation becomes the game while that is assessed: what was found of other turns goes. */
async function promoted(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await page.evaluate(() => window.fauve.open({ variant: 'chess', turns: ['e2e4', 'e7e5', 'g1f3', 'b8c6'] }));
  await page.evaluate(() => window.fauve.edit({ do: 'vary', place: { path: '1', steps: ['c7c5'] }, line: ['g1f3', 'd7d6'] }));
  const { id } = await board.state();
  const act = (action) => fetch(`${url}api/games/${id}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(action) });
  await act({ do: 'review', nodes: 500 });
  await page.waitForFunction(() => window.fauve.assessed.length === 4 && !window.fauve.notes.reviewing, { timeout: 30_000 });
  await act({ do: 'promote', path: '1.0.1' });
  await page.waitForFunction(() => window.fauve.state.turns[1].token === 'c7c5');
  await page.waitForFunction(() => window.fauve.sides?.[0].turns === 1 && window.fauve.sides[1].turns === 0, { timeout: 5000 }).catch(async () => {
    throw new Error(`the report is that of other turns: ${await page.evaluate(() => JSON.stringify(window.fauve.sides))}`);
  });
  equal(await page.evaluate(() => window.fauve.assessed.length), 1, 'the turns that are assessed still');
  // An assessment that is stopped elsewhere is over here, too.
  await act({ do: 'review', nodes: 10_000_000 });
  await page.waitForFunction(() => window.fauve.notes.reviewing, { timeout: 5000 });
  await act({ do: 'undo_turn' });
  await page.waitForFunction(() => !window.fauve.notes.reviewing, { timeout: 5000 }).catch(() => { throw new Error('the page waits for an assessment that was stopped'); });
  await board.close();
  return 'promoted: marks and report are those of the turns that are the game; a stopped assessment is over on each page';
}

/** A turn that is begun behind the end of a game stays begun when the analysis is switched on, and becomes a variation. */
async function tried(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await page.evaluate(() => window.fauve.open({ variant: 'twomove', turns: ['e2e4', 'e7e5,b8c6'] }));
  await page.evaluate(() => window.fauve.act({ do: 'resign' }));
  await page.evaluate(() => window.fauve.send('g1f3'));
  await page.evaluate(() => window.fauve.analyse(true));
  equal(await page.evaluate(() => window.fauve.place?.steps), ['g1f3'], 'the turn that is begun');
  await page.evaluate(() => window.fauve.send('f1c4'));
  const { turns } = await board.until((state) => state.turns[1].variations?.length, 'the variation');
  equal(turns[1].variations[0].turns[1].token, 'g1f3,f1c4', 'its turn');
  await page.evaluate(() => window.fauve.analyse(false));
  await board.close();
  return 'tried: behind the end of a game a turn of two moves becomes a variation during the analysis';
}

/** A page that is opened while a game is assessed has all its turns in the end. */
async function late(browser, url) {
  const board = await Board.open(browser, url);
  await board.page.evaluate(() => window.fauve.open({ variant: 'chess', turns: ['e2e4', 'e7e5', 'g1f3', 'b8c6'] }));
  const { id } = await board.state();
  await board.page.evaluate(() => window.fauve.ask({ do: 'review', nodes: 400_000 }));
  await board.page.waitForFunction(() => window.fauve.assessed.length > 0, { timeout: 60_000 });
  const other = await Board.open(browser, `${url}#/${id}`);
  await other.page.waitForFunction(() => window.fauve.state.turns.length === 4);
  check(await other.page.evaluate(() => window.fauve.notes.reviewing && !window.fauve.assessed[0]), 'the page is opened during the assessment');
  await other.page.waitForFunction(() => !window.fauve.notes.reviewing && window.fauve.assessed.filter(Boolean).length === 4, { timeout: 60_000 });
  await other.close();
  await board.close();
  return 'late: a page that is opened during an assessment has the whole of it';
}

/** An address that leads nowhere, and an answer about a flag that comes late, leave the game of the page alone. */
async function elsewhere(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  await board.begin('chess');
  for (const token of ['e2e4', 'e7e5', 'g1f3']) await board.step(await board.state(), token);
  const { id } = await board.state();
  const nowhere = `#/${'0'.repeat(32)}`;
  const address = () => page.evaluate(() => location.hash.slice(2, 34));
  await page.evaluate((hash) => { location.hash = hash; }, nowhere);
  await page.waitForFunction(() => document.querySelector('#message').textContent.includes('there is no such game'));
  equal(await address(), id, 'the address of the game that is shown');
  // Opened anew there, as after a restart, the tab has its game.
  await page.evaluate((hash) => history.replaceState(null, '', hash), nowhere);
  await page.reload({ waitUntil: 'load' });
  await board.ready();
  await page.waitForFunction(() => document.querySelector('#message').textContent.includes('there is no such game'));
  equal([await address(), (await board.state()).turns.length], [id, 3], 'the game after a reload');
  // The clock has run out; before the server says so, another game is chosen.
  await page.evaluate(() => window.fauve.open({ variant: 'chess', white: { kind: 'human' }, black: { kind: 'human' }, clock: { minutes: 0.05, increment: 0 } }));
  for (const token of ['e2e4', 'e7e5']) await board.step(await board.state(), token);
  const old = (await board.state()).id;
  const answers = [];
  if (process.env.PAGE === undefined) await page.setRequestInterception(true);
  page.on('request', (asked) => {
    if (asked.method() === 'GET' && asked.url().endsWith(`/api/games/${old}`)) answers.push(() => asked.continue().catch(() => {}));
    else if (process.env.PAGE === undefined) asked.continue();
  });
  for (let i = 0; i < 400 && !answers.length; i++) await sleep(25);
  check(answers.length > 0, 'the page asks whether the time is over');
  await board.press('Superchess');
  await page.waitForFunction(() => window.fauve.state.variant === 'superchess');
  answers.forEach((answer) => answer());
  await page.waitForFunction(() => !window.fauve.notes.flag);
  await sleep(100);
  equal(await page.evaluate(() => [window.fauve.state.variant, JSON.parse(sessionStorage.getItem('fauve')).variant]), ['superchess', 'superchess'], 'the game that was chosen');
  await board.close();
  return 'elsewhere: an address without a game and a late answer leave the game of the page alone';
}

/** A server that keeps nothing is begun anew: the game is of the same players, and the comment is written on that was being written. */
async function forgotten(browser) {
  let own = await serve();
  const board = await Board.open(browser, own.url);
  const { page } = board;
  await page.evaluate(() => window.fauve.open({ variant: 'chess', turns: ['e2e4', 'e7e5'], white: { kind: 'human' }, black: { kind: 'engine', level: 1 } }));
  await page.evaluate(() => window.fauve.edit({ do: 'annotate', path: '1', comment: 'sent' }, { stays: true }));
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem('fauve')).pgn?.text.includes('sent'));
  const { id } = await board.state();
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  await page.focus('.remark');
  await page.keyboard.type('unsent');
  await new Promise((done) => { own.child.once('exit', done).kill('SIGKILL'); });
  await page.waitForFunction(() => document.body.classList.contains('gone'));
  own = await serve('--port', String(own.port));
  await page.waitForFunction((old) => window.fauve.state.id !== old, {}, id);
  const state = await board.state();
  equal([state.names, state.opened, state.black.kind, state.turns[0].comment], [undefined, undefined, 'engine', 'sent'], 'the game that was set up again');
  await page.waitForFunction(() => document.querySelector('.remark')?.value === 'unsent');
  await page.focus('.remark');
  await page.evaluate(() => document.activeElement.blur());
  await board.until((now) => now.turns[1].comment === 'unsent', 'the comment that was being written');
  board.faults = board.faults.filter((fault) => !/ERR_CONNECTION|Failed to load|ERR_INCOMPLETE|ERR_EMPTY/.test(fault));
  await board.close();
  await own.stop();
  return 'forgotten: a game that the server has lost has its players again, and the comment that was being written';
}

/** Two tabs of one browser: what one of them has chosen or solved is there after the other has chosen something. */
async function settings(browser, url) {
  const board = await Board.open(browser, url);
  const other = new Board(await board.context.newPage(), board.context);
  await other.page.goto(url, { waitUntil: 'load' });
  await other.ready();
  const { page } = board;
  const choose = (tab, ...words) => tab.evaluate(async (name, value) => (await import(new URL('settings.js', document.baseURI).href)).set(name, value), ...words);
  // Tabs have processes of their own: what one writes reaches the other some milliseconds later, before a person has gone there.
  // A tab in the background draws no frames, so it is asked by the clock.
  const sees = (tab, ...path) => tab.waitForFunction((keys) => keys.reduce((inner, key) => inner?.[key], JSON.parse(localStorage.getItem('fauve') ?? '{}')) !== undefined, { timeout: 10_000, polling: 20 }, path);
  await choose(other.page, 'level', 5);
  await sees(page, 'level');
  await choose(page, 'puzzles', { chess: { solved: [1], streak: 1, best: 1 } });
  await sees(other.page, 'puzzles');
  await choose(other.page, 'lines', 8);
  await other.page.evaluate(async () => {
    const { set, setting } = await import(new URL('settings.js', document.baseURI).href);
    set('puzzles', { ...setting('puzzles'), twomove: { solved: [2], streak: 1, best: 1 } });
  });
  await sees(page, 'puzzles', 'twomove');
  const { level, lines, puzzles } = await page.evaluate(() => JSON.parse(localStorage.getItem('fauve')));
  equal([level, lines, Object.keys(puzzles)], [5, 8, ['chess', 'twomove']], 'what two tabs have chosen');
  await board.close();
  return 'settings: what two tabs choose is kept of both';
}

/** Back and forward between games, keys in the panel, and a drag from an empty square. */
async function ways(browser, url) {
  const board = await Board.open(browser, url);
  const { page } = board;
  const open = (turns) => page.evaluate(async (made) => {
    await window.fauve.open({ variant: 'chess', turns: made });
    await window.fauve.goTo('1');
    return window.fauve.state.id;
  }, turns);
  const ids = [await open(['e2e4', 'e7e5']), await open(['d2d4', 'd7d5'])];
  for (const [way, id] of [['back', ids[0]], ['forward', ids[1]], ['back', ids[0]]]) {
    await page.evaluate((which) => history[which](), way);
    await page.waitForFunction((wanted) => window.fauve.state.id === wanted && window.fauve.here() === '1', { timeout: 3000 }, id).catch(() => { throw new Error(`${way} does not lead to the game`); });
  }
  // In the panel the arrow keys scroll; where there is one line only, up and down are nobody's.
  await page.focus('#panel');
  for (const key of ['ArrowLeft', 'Home', 'End']) await page.keyboard.press(key);
  equal(await page.evaluate(() => window.fauve.heading ?? window.fauve.here()), '1', 'the place after keys in the panel');
  const taken = (key) => page.evaluate((name) => !document.body.dispatchEvent(Object.assign(new Event('keydown', { bubbles: true, cancelable: true }), { key: name })), key);
  equal([await taken('ArrowDown'), await taken('ArrowRight')], [false, true], 'the keys that are taken');
  await page.waitForFunction(() => window.fauve.here() === '2');
  await page.mouse.move(...await board.point('c5'));
  await page.mouse.down();
  await page.mouse.move(...await board.point('a5'), { steps: 4 });
  check(!(await page.$('.ghost')), 'nothing is lifted from an empty square');
  await page.mouse.up();
  await board.close();
  return 'ways: back and forward through the games; keys that scroll the panel; nothing is dragged from an empty square';
}

/** Windows that analyse, more of them than there are cores, do not keep a game against the engine waiting. */
async function crowd(browser, url) {
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const post = async (path, body) => (await fetch(`${url}${path}`, { ...json, body: JSON.stringify(body) })).json();
  const stop = new AbortController();
  const count = cpus().length + 2;
  for (let i = 0; i < count; i++) {
    const { id } = await post('api/games', { variant: 'chess' });
    await fetch(`${url}api/games/${id}/events`, { signal: stop.signal });
    await post(`api/games/${id}`, { do: 'analyse', on: true, threads: 1, hash: 1 });
  }
  const board = await Board.open(browser, url);
  await board.page.evaluate(() => window.fauve.open({ variant: 'chess', white: { kind: 'human' }, black: { kind: 'engine', level: 1 } }));
  const state = await board.until((now) => now.black.level === 1, 'a game against level 1');
  const begun = Date.now();
  await board.step(state, 'e2e4');
  await board.until((now) => now.turns.length === 2, 'the answer');
  const took = Date.now() - begun;
  check(took < 4000, `the answer took ${took} ms`);
  stop.abort();
  await board.close();
  return `crowd: beside ${count} windows that analyse, level 1 answers after ${took} ms`;
}

/** Draws are asked for, a search is ended by “Move now”, a server that goes is missed within two seconds, dice are seen when stepping, values stand beside turns, captured pieces fade. */
async function signs(browser) {
  let own = await serve();
  const board = await Board.open(browser, own.url);
  const { page } = board;
  // A piece that is captured fades under the one that arrives; a piece that was put there by hand does not glide.
  await page.evaluate(() => {
    window.flights = [];
    new MutationObserver((all) => {
      for (const { addedNodes } of all) for (const node of addedNodes) if (node.classList?.contains('flight')) window.flights.push(node.childElementCount);
    }).observe(document.querySelector('#board'), { subtree: true, childList: true });
  });
  const flights = () => page.evaluate(() => window.flights.splice(0));
  await board.begin('chess', 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  await board.step(await board.state(), 'e4d5');
  equal(await flights(), [2], 'the pieces that fly when one captures another');
  await board.step(await board.state(), 'd8d5', { drags: true });
  equal((await flights()).filter((count) => count > 1), [], 'pieces that glide after a drop');
  // Two people agree to a draw, and not by one click.
  await board.press('Agree to a draw');
  await page.waitForSelector('dialog[open]');
  check(!(await board.state()).end, 'no draw by one click');
  await page.evaluate(() => document.querySelector('dialog[open] .primary').click());
  let state = await board.until((now) => now.end, 'the draw');
  equal(state.end.result, '1/2-1/2', 'the result');
  // Assessed, each turn has its value beside it, on the page and in the PGN.
  await board.press('Analyse');
  await page.waitForSelector('.remark');
  await page.select('label.choice:has(option[value="1000"]) select', '1000');
  await board.press('Assess the whole game');
  await page.waitForFunction(() => document.querySelectorAll('#panel .turn .eval').length === 2, { timeout: 30_000 });
  const pgn = await (await fetch(`${own.url}api/games/${state.id}/pgn`)).text();
  equal(pgn.match(/\[%eval [^\]]+\]/g)?.length, 2, `values in the PGN: ${pgn}`);
  // At full strength and without a clock the engine thinks for long, unless “Move now” ends it.
  await board.press('Play');
  await page.evaluate(() => window.fauve.open({ variant: 'chess', white: { kind: 'human' }, black: { kind: 'engine', level: window.fauve.levels('chess').length } }));
  state = await board.until((now) => now.black.kind === 'engine', 'a game at full strength');
  await board.step(state, 'e2e4');
  await board.until((now) => now.thinking, 'the engine thinks');
  await sleep(500);
  check((await board.state()).thinking, 'it thinks still');
  const told = Date.now();
  await board.press('Move now');
  await board.until((now) => now.turns.length === 2, 'the turn');
  check(Date.now() - told < 4000, `a turn ${Date.now() - told} ms after “Move now”`);
  // The roll of each turn is seen when it is stepped to.
  await board.begin('dicechess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:2a');
  for (state = await board.state(); state.turns.length < 3;) state = await board.step(state, state.view.steps[0].token);
  for (const place of [2, 1, 0]) {
    await page.evaluate((path) => window.fauve.goTo(path), String(place));
    await page.waitForFunction((path) => window.fauve.here() === path && !window.fauve.heading, {}, String(place));
    const { roll, side } = state.turns[place];
    const dice = await page.$$eval('.dice .die', (all) => all.map((die) => [die.getAttribute('aria-label') ?? die.textContent, die.classList.contains('ofwhite')]));
    equal([dice.length, dice.every(([, white]) => white === (side === 'w'))], [3, true], `the dice of turn ${place + 1}, ${roll}: ${JSON.stringify(dice)}`);
    equal(await page.evaluate(() => window.fauve.shown().dice.rolled), roll, 'the roll that is shown');
  }
  // What makes an app of the page.
  const manifest = await (await fetch(new URL(await page.$eval('link[rel=manifest]', (link) => link.href)))).json();
  check((await fetch(new URL(manifest.icons[0].src, own.url))).headers.get('content-type') === 'image/svg+xml', 'the icon of the app');
  // A server that has gone is missed.
  const gone = Date.now();
  await new Promise((done) => { own.child.once('exit', done).kill('SIGKILL'); });
  await page.waitForFunction(() => document.body.classList.contains('gone') && document.querySelector('#message').classList.contains('sharp'), { polling: 20 });
  const missed = Date.now() - gone;
  check(missed < 2000, `said after ${missed} ms`);
  own = await serve('--port', String(own.port));
  await page.waitForFunction(() => !document.body.classList.contains('gone'), { timeout: 10_000 });
  board.faults = board.faults.filter((fault) => !/ERR_CONNECTION|Failed to load|ERR_INCOMPLETE|ERR_EMPTY/.test(fault));
  await board.close();
  await own.stop();
  return `signs: captures fade, drops do not glide, draws are asked for, values beside turns, “Move now”, dice of each turn, app; a dead server is said after ${missed} ms`;
}

const PARTS = [files, assessment, followed, layout, names, setup, places, hands, kept, unfinished, killed, captures, returned, sounds, clicks, hidden, drafts, clocks, promoted, tried, late, elsewhere, forgotten, settings, ways, crowd, signs];
const server = await serve();
const browser = await browse();
try {
  await runAll(PARTS, browser, server.url);
} finally {
  await browser.close();
  await server.stop();
}
