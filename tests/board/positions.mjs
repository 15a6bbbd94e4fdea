// Every position of tests/data of each game is shown, and its pieces (and cubes) are read back from the page. Of the 432 arrays of
// Superchess every twelfth; all of them with POSITIONS=all.

import { readFileSync } from 'node:fs';
import { Board, Library, browse, check, equal, piecesOf, serve, sorted } from './driver.mjs';

const data = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
const fens = (name, part = 'positions') => JSON.parse(data(name))[part].map((one) => one.fen ?? one.position).filter((fen) => fen && fen !== 'startpos');
const arrays = data('superchess-432.csv').trim().split('\n').slice(1).map((line) => line.split(',')[1])
  .filter((_, index) => process.env.POSITIONS === 'all' || index % 12 === 0);

const POSITIONS = {
  chess: ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'],
  superchess: [...fens('superchess.json'), ...arrays],
  twomove: fens('twomove.json'),
  // Some stand with the roll that is asked about.
  dicechess: [...fens('dicechess.json'), ...fens('dicechess.json', 'single_rolls')],
  cubes4d: fens('cubes4d.json'),
};

/** The heights as a view from above shows them. */
function heights(page) {
  return page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#board [data-square]')]
    .map((square) => [square.dataset.square, square.querySelector('.height')?.textContent ?? '']).filter(([, text]) => /\d/.test(text))));
}

function heightsOf(fen) {
  const [, file, top, rows] = /^([a-o])(\d+):(\S+)/.exec(fen);
  const found = {};
  rows.split('/').forEach((row, i) => [...row.matchAll(/(\d)[A-Za-z]?/g)].forEach(([, height], x) => {
    if (height !== '0') found[String.fromCharCode(file.charCodeAt(0) + x) + (top - i)] = height;
  }));
  return found;
}

const server = await serve();
const browser = await browse();
try {
  const board = await Board.open(browser, server.url);
  for (const [variant, list] of Object.entries(POSITIONS)) {
    check(list.length > 0, `${variant}: no positions`);
    const library = new Library(variant);
    let refused = 0;
    for (const fen of list) {
      const [complaint] = (await library.ask('position startpos', `position fen ${fen}`)).filter((line) => /invalid FEN/.test(line));
      if (complaint) {
        // What the protocol refuses the page refuses with the same words.
        const said = await board.begin(variant, fen).then(() => 'shown', (error) => error.message);
        check(complaint.includes(said.replace('no game: ', '')), `${fen}: "${said}", the protocol says "${complaint}"`);
        refused++;
        continue;
      }
      await board.begin(variant, fen);
      await board.page.waitForFunction((text) => document.body.dataset.fen?.startsWith(text), { timeout: 5000 }, fen.split(/[ [~]/)[0]).catch(() => {});
      equal(sorted(await board.pieces()), sorted(piecesOf(fen)), `${variant} ${fen}`);
      if (variant !== 'cubes4d') continue;
      await board.press('From above');
      equal(sorted(await board.pieces()), sorted(piecesOf(fen)), `from above ${fen}`);
      equal(sorted(await heights(board.page)), sorted(heightsOf(fen)), `heights ${fen}`);
      await board.press('Cubes');
    }
    library.stop();
    console.log(`${variant}: ${list.length - refused} positions shown and read back${refused ? `, ${refused} refused as the protocol does` : ''}`);
  }
  await board.close();
} finally {
  await browser.close();
  await server.stop();
}
