// Pictures of the position, saved by clicks as SVG and PNG: a file that stands by itself, with all pieces, arrows, labels, dice and pools.
// PICTURES names a folder in which they stay, to be looked at.

import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Board, browse, check, downloads, equal, piecesOf, scratch, serve } from './driver.mjs';

const folder = process.env.PICTURES ?? scratch();
mkdirSync(folder, { recursive: true });

const GAMES = [
  ['chess', 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4', {}],
  ['superchess', 'r3k2r/ppaqpp1p/2n2s2/1b2v3/1B2V3/2N2S2/PPAQPP1P/R3K2R[Bbn] w KQkq - 0 1', { has: [/Pawns can become/] }],
  ['superchess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0', { has: [/Superpieces to be placed/, /White puts a superpiece/], tray: 4 }],
  ['twomove', 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1', { press: 'Where would the king be taken?' }],
  ['dicechess', 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5 PNQ', { dice: 3 }],
  ['cubes4d', 'd11:02001000/00100112/00G102121/12g020101/00K10013B0/021001k12/00020000 b - GQgq - - 1', { has: [/Outside the game/] }],
  ['cubes4d', 'd11:02001000/00100112/00G102121/12g020101/00K10013B0/021001k12/00020000 b - GQgq - - 1', { view: 'numbers', has: [/>3<\/text>/] }],
];

const server = await serve();
const browser = await browse();
try {
  const board = await Board.open(browser, server.url);
  const { page } = board;
  const saved = await downloads(board, folder);
  const sizes = [];
  for (const dark of [false, true]) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
    for (const [index, [variant, fen, { has = [], tray = 0, dice = 0, press, view }]] of GAMES.entries()) {
      await board.begin(variant, fen);
      await page.evaluate(() => window.fauve.edit({ do: 'annotate', path: '0', shapes: ['Ge4', 'Rd6f6'] }, { stays: true }));
      await page.waitForSelector('.circle');
      if (press) {
        await board.press(press);
        await page.waitForSelector('.arrow.danger');
      }
      // A piece that a person has taken up is no part of the picture.
      if (variant === 'chess') await board.click('h5');
      const shown = await page.evaluate(() => window.fauve.shown());
      const arrows = await page.evaluate(() => document.querySelectorAll('#board .arrow').length);
      await board.press('Picture');
      await page.waitForSelector('dialog[open] .sample');
      if (view) await page.select('dialog[open] select', view);
      await page.waitForFunction(() => document.querySelector('dialog .sample').complete && document.querySelector('dialog .sample').naturalWidth > 500);
      const stem = `${dark ? 'dark' : 'light'}-${index}`;
      const drawing = readFileSync(await saved('Save as SVG', `${variant}.svg`), 'utf8');
      const pixels = readFileSync(await saved('Save as PNG', `${variant}.png`));
      await board.press('Close');
      // The drawing: all pieces of the position, those beside the board, arrows and circle; nothing from elsewhere.
      const pieces = Object.values(piecesOf(fen)).length;
      const pool = shown.pool ? shown.pool.white.length + shown.pool.black.length : 0;
      const uses = drawing.match(/<use /g).length;
      // A piece behind a high column is drawn a second time, faintly.
      const ghosts = await page.evaluate(() => document.querySelectorAll('.ghosts .piece').length);
      equal(uses - (variant === 'cubes4d' && view !== 'numbers' ? ghosts : 0), pieces + pool + tray + dice, `the pieces of ${variant}`);
      const symbols = new Set([...drawing.matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name));
      for (const [, name] of drawing.matchAll(/<use href="#([^"]+)"/g)) check(symbols.has(name), `${name} is drawn`);
      check(arrows >= 1 && drawing.match(/<line /g).length >= arrows, `${arrows} arrows`);
      check(drawing.includes(`<desc>${shown.fen}</desc>`), 'the position string');
      for (const pattern of [...has, ...(variant === 'cubes4d' ? [] : [/>e<\/text>/, />4<\/text>/])]) check(pattern.test(drawing), `${pattern} in the picture of ${variant}`);
      check(!/class=|style=|var\(|data-|currentColor/.test(drawing) && !/(href|src)="(?!#)/.test(drawing), 'it needs neither the page nor the network');
      // Both are images that a browser shows, with the same proportions, and more than a ground.
      const look = (mime, base64) => page.evaluate(async (address) => {
        const image = new window.Image();
        image.src = address;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [400, Math.round((400 * image.naturalHeight) / image.naturalWidth)];
        const paper = canvas.getContext('2d');
        paper.drawImage(image, 0, 0, canvas.width, canvas.height);
        const { data } = paper.getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Map();
        for (let i = 0; i < data.length; i += 4) {
          const colour = data.slice(i, i + 4).join();
          colours.set(colour, (colours.get(colour) ?? 0) + 1);
        }
        return { width: image.naturalWidth, height: image.naturalHeight, ink: 1 - Math.max(...colours.values()) / (canvas.width * canvas.height), clear: data.filter((value, i) => i % 4 === 3 && value < 255).length };
      }, `data:${mime};base64,${base64}`);
      const seen = [await look('image/svg+xml', Buffer.from(drawing).toString('base64')), await look('image/png', pixels.toString('base64'))];
      equal(pixels.subarray(0, 8).toString('hex'), '89504e470d0a1a0a', 'a PNG');
      equal(seen[1].width, 1200, 'its width');
      for (const { width, height, ink } of seen) {
        check(Math.abs(width / height - seen[0].width / seen[0].height) < 0.01, `the proportions of ${variant}: ${width}x${height}`);
        check(ink > 0.15, `${variant}: ${ink} of the picture is drawn`);
      }
      equal(seen[1].clear, 0, `${variant}: nothing shines through`);
      sizes.push(pixels.length);
      for (const end of ['svg', 'png']) {
        renameSync(join(folder, `${variant}.${end}`), join(folder, `${stem}-${variant}.${end}`));
      }
    }
  }
  await board.close();
  console.log(`pictures: ${2 * GAMES.length} positions of five games as SVG and PNG (up to ${Math.round(Math.max(...sizes) / 1024)} kB), light and dark, with all pieces, arrows, dice and pools`);
} finally {
  await browser.close();
  await server.stop();
}
