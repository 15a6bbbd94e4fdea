// Cubes 4D in three dimensions: fetched only when it is asked for; the pieces and heights that it shows are those of the position; a
// piece, a cube and a castling by clicks and drags on the picture, a move by keys; the heap is turned with mouse and keys.

import { Board, browse, check, equal, piecesOf, serve, sleep, sorted } from './driver.mjs';

const FEN = 'e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1';
const server = await serve();
// Without a graphics card the browser draws by itself, if a flag allows that.
const browser = await browse('--use-angle=swiftshader', '--enable-unsafe-swiftshader');

/** A point of the picture at which a square is hit; the heap is turned until there is one. */
function point(page, square) {
  return page.evaluate((name) => {
    const { board } = window.fauve;
    for (let turn = 0; turn < 8; turn++) {
      const [x, y] = board.pointOf(name);
      for (let far = 0; far < 44; far += 4) {
        for (let angle = 0; angle < 6.2; angle += 0.7) {
          const [right, down] = [Math.cos(angle) * far, Math.sin(angle) * far];
          if (board.squareAt(x + right, y + down) === name) return [x + right, y + down];
        }
      }
      board.look(Math.PI / 4, 0, 1);
    }
    throw new Error(`${name} is not to be hit from any side`);
  }, square);
}

try {
  const board = await Board.open(browser, server.url);
  const { page } = board;
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await board.begin('cubes4d', FEN);
  check(!asked.some((path) => /three|solid/.test(path)), `three.js was fetched unasked: ${asked}`);
  await board.press('3-D');
  await page.waitForSelector('#board canvas');
  check(asked.includes('/three.module.min.js'), `three.js is fetched: ${asked}`);
  const shown = () => page.$$eval('#board [data-piece]', (cells) => Object.fromEntries(cells.map((cell) => [cell.dataset.square, cell.dataset.piece])));
  equal(sorted(await shown()), sorted(piecesOf(FEN)), 'the pieces');
  const ground = await page.$$eval('#board [data-height]', (cells) => cells.reduce((sum, cell) => sum + Number(cell.dataset.height), 0));
  equal(ground, 36, 'cubes');
  // The picture is one: light and dark cubes, pieces of both sides.
  await sleep(500);
  const colors = await page.evaluate(() => {
    const { board: { canvas } } = window.fauve;
    window.fauve.board.render();
    const pen = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d');
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 250) seen.add(`${data[i] >> 5},${data[i + 1] >> 5},${data[i + 2] >> 5}`);
    return seen.size;
  });
  check(colors > 12, `the picture has ${colors} colours`);

  const step = async (token, act) => {
    const { version, view } = await board.state();
    check(view.steps.some((one) => one.token === token), `${token} is no step of ${view.fen}`);
    await act();
    const state = await board.until((now) => now.version > version, `${token} in three dimensions`);
    equal(state.turns.at(-1).token, token, 'the turn');
    equal(sorted(await shown()), sorted(piecesOf(state.view.fen)), `the pieces after ${token}`);
    return state;
  };
  // A bridge by clicks.
  const state = await step('e6e8', async () => {
    await page.mouse.click(...await point(page, 'e6'));
    await page.mouse.click(...await point(page, 'e8'));
  });
  // A cube by dragging.
  const cube = state.view.steps.find((one) => one.kind === 'cube');
  await step(cube.token, async () => {
    // Both from the same side.
    await point(page, cube.from);
    const to = await point(page, cube.to);
    await page.mouse.move(...await point(page, cube.from));
    await page.mouse.down();
    await page.mouse.move(to[0] + 9, to[1] + 9, { steps: 4 });
    await page.mouse.move(...to);
    await page.mouse.up();
  });
  // What is not allowed is said.
  await page.mouse.click(...await point(page, 'g6'));
  await page.mouse.click(...await point(page, 'h8'));
  await page.waitForFunction(() => document.querySelector('#message').classList.contains('sharp'), { timeout: 5000 });
  // By mouse and keys the heap is turned, and nothing is played.
  const way = () => page.evaluate(() => ({ ...window.fauve.board.way }));
  const [before, { version }] = [await way(), await board.state()];
  const box = await (await page.$('#board canvas')).boundingBox();
  await page.mouse.move(box.x + 12, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 40, { steps: 4 });
  await page.mouse.up();
  const turned = await way();
  check(Math.abs(turned.around - before.around) > 0.5 && turned.up > before.up, `turned by the mouse: ${JSON.stringify([before, turned])}`);
  await page.evaluate(() => document.querySelector('#board [data-square][tabindex="0"]').focus());
  await page.keyboard.press('q');
  check((await way()).around < turned.around, 'turned by a key');
  equal((await board.state()).version, version, 'nothing is played by turning');
  // The right button draws arrows and circles on the squares, as elsewhere, and turns nothing.
  const e6 = await point(page, 'e6');
  const e8 = await point(page, 'e8');
  const held = await way();
  await page.mouse.move(...e6);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...e8, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await board.until((now) => now.turns.at(-1).shapes?.length === 1, 'an arrow in three dimensions');
  equal(await way(), held, 'the way after a drag with the right button');
  await page.mouse.click(...e6, { button: 'right' });
  await board.until((now) => now.turns.at(-1).shapes?.length === 2, 'a circle in three dimensions');
  await page.waitForFunction(() => window.fauve.board.kept.has('circle'), { timeout: 5000 });
  // However often it is drawn, the graphics card holds one arrow.
  const [few, many] = await page.evaluate(() => {
    const { renderer } = window.fauve.board;
    window.fauve.drawBoard();
    const { geometries } = renderer.info.memory;
    for (let i = 0; i < 20; i++) window.fauve.drawBoard();
    return [geometries, renderer.info.memory.geometries];
  });
  equal(many, few, 'the shapes that the graphics card holds');
  // A piece by keys.
  const here = () => page.evaluate(() => document.activeElement.dataset.square);
  const go = async (square) => {
    for (let i = 0; i < 60 && (await here()) !== square; i++) {
      const from = await here();
      const key = await page.evaluate((at, to) => {
        const near = (/** @type {string} */ one) => Math.abs(one.charCodeAt(0) - to.charCodeAt(0)) + Math.abs(Number(one.slice(1)) - Number(to.slice(1)));
        const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        return Object.keys(ways).find((one) => near(window.fauve.board.neighbour(at, ...ways[one])) < near(at));
      }, from, square);
      await page.keyboard.press(key);
    }
    equal(await here(), square, 'the arrow keys');
  };
  const move = (await board.state()).view.steps.find((one) => one.kind === 'move');
  await step(move.token, async () => {
    await go(move.from);
    await page.keyboard.press('Enter');
    await go(move.to);
    await page.keyboard.press('Enter');
  });
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE });
  await board.press('From above');
  await page.waitForSelector('#board svg.numbers');
  await board.press('3-D');
  await page.waitForSelector('#board canvas');
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector('#board canvas');
  await board.press('Cubes');
  await page.waitForSelector('#board svg.relief');
  await board.close();
  // A browser that cannot says so, and shows the cubes.
  const poor = await browse('--disable-3d-apis');
  const other = await Board.open(poor, server.url);
  await other.begin('cubes4d', FEN);
  await other.press('3-D');
  await other.page.waitForFunction(() => /three dimensions/.test(document.querySelector('#message').textContent), { timeout: 10_000 });
  await other.page.waitForSelector('#board svg.relief');
  await poor.close();
  console.log(`three dimensions: fetched when asked for, ${Object.keys(piecesOf(FEN)).length} pieces and ${ground} cubes, a bridge, a cube, a move by keys; turned by mouse and keys; without WebGL the cubes stay`);
} finally {
  await browser.close();
  await server.stop();
}
