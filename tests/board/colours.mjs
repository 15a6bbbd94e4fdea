// Dark and light cubes of Cubes 4D, in each of the three views and without a browser: a cube is dark if its file, its rank and the number
// of cubes under it have an even sum.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

// The page's scripts have names that node takes for modules only beside such a package.json.
const folder = mkdtempSync(join(tmpdir(), 'colours-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const page = new URL('../../protocol/board/src/page/', import.meta.url);
cpSync(page, folder, { recursive: true });
// The server gives the page's libraries unpacked and without their folders (`protocol/board/src/assets.rs`).
writeFileSync(join(folder, 'preact.module.js'), gunzipSync(readFileSync(new URL('preact/preact.module.js.gz', page))));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
const load = (name) => import(pathToFileURL(join(folder, name)).href);

const { FlatBoard } = await load('flat.js');
const { ReliefBoard } = await load('relief.js');
const { SolidBoard } = await load('solid.js');

// The array, ranks from below, files from e.
const heights = ['2111112', '0111110', '2110112', '0111110', '2111112'];
const view = { relief: { origin: [4, 5], heights, trenches: ['e7', 'e9', 'h8', 'k7', 'k9'] }, pieces: [] };

/** The colour that the rules give the cube with `under` cubes below it, files and ranks counted from the middle. */
const wanted = (square, under) => {
  const [file, rank] = ['hijklmno'.includes(square[0]) ? 'hijklmno'.indexOf(square[0]) : 'abcdefg'.indexOf(square[0]) - 7, Number(square.slice(1)) - 8];
  return (file + rank + under) % 2 === 0 ? 'dark' : 'light';
};

/** The colour of one cube in each view. */
function colours(square, under) {
  const flat = Object.assign(Object.create(FlatBoard.prototype), { view });
  const relief = Object.assign(Object.create(ReliefBoard.prototype), { view, turned: 0 });
  const solid = Object.assign(Object.create(SolidBoard.prototype), { view });
  const boxes = new Map();
  Object.assign(solid, {
    keep: (key) => key, stuff: (color) => color, light: (color) => color, unseen: () => 'unseen',
    put: (_, shape, color, level) => { if (shape === 'box') boxes.set(level - 0.5, color); },
  });
  solid.column(square, null, {});
  const seen = {
    relief: relief.cube(square, under).props.class.split(' ')[1],
    solid: /dark|light/.exec(boxes.get(under))[0],
  };
  // From above only the top of a column is seen.
  const ground = flat.ground(square);
  if (under === ground.height - 1) seen.flat = ground.dark ? 'dark' : 'light';
  return seen;
}

let cubes = 0;
for (const [y, row] of heights.entries()) {
  for (const [x, height] of [...row].entries()) {
    const square = `${'efghijk'[x]}${y + 6}`;
    for (let under = 0; under < Number(height); under++, cubes++) {
      for (const [board, colour] of Object.entries(colours(square, under))) {
        assert.equal(colour, wanted(square, under), `${square} with ${under} cubes under it, ${board}.js`);
      }
    }
  }
}
assert.equal(cubes, 36);

// The printed rules call the cubes at the feet of a castling pair dark.
for (const [square, under] of [['e6', 1], ['f6', 0], ['j6', 0], ['k6', 1], ['e10', 1], ['f10', 0], ['j10', 0], ['k10', 1]]) {
  assert.deepEqual(colours(square, under), { relief: 'dark', solid: 'dark', flat: 'dark' }, `at the feet of the pair, ${square}`);
}
