// Boards that stand in the rules: a few squares with pieces and signs, drawn as the text describes them.

import { html, svg } from './dom.js';
import { NAMES, piece } from './pieces.js';
import { T } from './text.js';

const TILE = 40;
/** The room for the names of ranks and files. */
const EDGE = 18;

/** @typedef {{ title: string, caption: string, files: string, ranks: string[], cells: string[] }} Diagram */

/** A drawn board with its words. @param {Diagram} board */
export function diagram(board) {
  const { title, caption, files, ranks, cells } = board;
  const [left, below] = [ranks.some(Boolean) ? EDGE : 0, files ? EDGE : 0];
  const [width, height] = [left + cells[0].length * TILE, cells.length * TILE + below];
  const parts = cells.flatMap((row, y) => [...row].flatMap((sign, x) => square(board, sign, x, y, left + x * TILE, y * TILE)));
  const names = [
    ...ranks.map((name, y) => svg('text', { x: left / 2 - 2, y: y * TILE + TILE / 2 + 5, class: 'name' }, name)),
    ...[...files].map((name, x) => svg('text', { x: left + x * TILE + TILE / 2, y: height - 3, class: 'name' }, name)),
  ];
  return html('figure', { style: { flexBasis: `${Math.min(width, 150)}px`, maxWidth: `${Math.min(width, 240)}px` } }, title && html('figcaption', { class: 'title' }, title),
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': told(board), class: 'diagram' }, ...parts, ...names),
    caption && html('figcaption', {}, caption));
}

/** A square and what stands on it. @param {Diagram} board @param {string} sign @param {number} file @param {number} row @param {number} x @param {number} y */
function square({ cells, ranks }, sign, file, row, x, y) {
  const all = cells.join('');
  const [cx, cy] = [x + TILE / 2, y + TILE / 2];
  const isGround = all.includes('#');
  // Where the names of the ranks are not given, the lower left square is dark, as on every board.
  const rank = Number(ranks[row]) || cells.length - row;
  const kind = !isGround ? ((file + rank) % 2 ? 'dark' : 'light') : sign === '#' ? 'h1 light' : sign === 'T' ? 'trench' : 'table';
  const parts = [svg('rect', { x, y, width: TILE, height: TILE, class: `tile ${kind}` })];
  const words = (/** @type {string} */ text, /** @type {string} */ style) => svg('text', { x: cx, y: cy + 6, class: style }, text);
  if (NAMES[sign.toUpperCase()] && !isGround) parts.push(piece(sign, x + 2, y + 1, TILE - 4));
  else if (sign === 'M') parts.push(svg('circle', { cx, cy, r: 13, class: 'any' }));
  else if (sign === 'x' && isGround) parts.push(words('×', 'cross'));
  else if (sign === 'x' && all.includes('m')) parts.push(svg('circle', { cx, cy, r: 14, class: 'ring capture' }));
  else if (sign === 'x' || sign === 'm') parts.push(svg('circle', { cx, cy, r: 7, class: 'dot' }));
  else if (sign === '*') parts.push(svg('circle', { cx, cy, r: 14, class: 'ring' }));
  else if (sign === '1' || sign === '2') parts.push(svg('circle', { cx, cy, r: 12, class: `count of${sign}` }), words(sign, 'number'));
  return parts;
}

/** What a board shows, in words. @param {Diagram} board */
function told({ title, caption, files, ranks, cells }) {
  const pieces = cells.flatMap((row, y) => [...row].flatMap((sign, x) => (NAMES[sign.toUpperCase()] && files[x] && ranks[y] ? [`${sign} ${files[x]}${ranks[y]}`] : [])));
  return [title, caption, pieces.join(', ')].filter(Boolean).join('. ') || T.learn.drawn;
}
