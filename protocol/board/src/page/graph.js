// Curves: the course of a game, and of a match.

import { svg } from './dom.js';
import { numbered } from './notation.js';
import { T } from './text.js';

const WIDTH = 360;
const HEIGHT = 130;

/**
 * White's expected points by turns, with the mistakes, and beneath it the luck of the dice.
 * @param {any[]} assessed @param {any[]} made the turns of the game @param {number} here @param {(turn: number) => void} go
 */
export function gameGraph(assessed, made, here, go) {
  const turns = made.length;
  const hasLuck = assessed.some((one) => one?.luck !== undefined);
  const height = HEIGHT + (hasLuck ? 46 : 0);
  const x = (/** @type {number} */ turn) => 8 + (turn * (WIDTH - 16)) / Math.max(turns, 1);
  const y = (/** @type {number} */ white) => HEIGHT - 8 - white * (HEIGHT - 16);
  const points = assessed.flatMap((one, turn) => (one ? [`${x(turn)},${y(one.white)}`] : []));
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, class: 'graph', role: 'img', 'aria-label': T.analyse.graph });
  drawing.append(svg('line', { x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5), class: 'zero' }));
  if (points.length > 1) {
    const [first, last] = [points[0].split(',')[0], points.at(-1)?.split(',')[0]];
    drawing.append(svg('polygon', { points: `${first},${HEIGHT - 8} ${points.join(' ')} ${last},${HEIGHT - 8}`, class: 'area' }), svg('polyline', { points: points.join(' '), class: 'curve' }));
  }
  assessed.forEach((one, turn) => {
    if (!one) return;
    if (one.mark) drawing.append(svg('circle', { cx: x(turn), cy: y(one.white), r: 4.5, class: one.mark === '?' ? 'slip' : one.mark === '??' ? 'mistake' : 'doubt' }));
    if (one.luck !== undefined) {
      const tall = Math.min(Math.abs(one.luck), 0.5) * 40;
      drawing.append(svg('rect', { x: x(turn) - 2, width: 4, y: HEIGHT + 22 - (one.luck > 0 ? tall : 0), height: Math.max(tall, 0.5), class: 'luckbar' }));
    }
  });
  if (hasLuck) drawing.append(svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT + 22, y2: HEIGHT + 22, class: 'zero' }), svg('text', { x: 4, y: HEIGHT + 12 }, T.analyse.luck));
  drawing.append(svg('line', { x1: x(here), x2: x(here), y1: 0, y2: height, class: 'here' }));
  const turnUnder = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    return Math.max(0, Math.min(turns, Math.round(((event.clientX - box.left) / box.width * WIDTH - 8) / (WIDTH - 16) * turns)));
  };
  // What is under the pointer changes too often to draw the panel anew.
  const probe = (/** @type {Event} */ event, /** @type {number | null} */ turn) => {
    const [line, text] = /** @type {Element} */ (event.currentTarget).parentElement?.querySelectorAll('.probe') ?? [];
    line.setAttribute('visibility', turn === null ? 'hidden' : 'visible');
    text.textContent = turn === null ? '' : said(assessed, made, turn);
    if (turn === null) return;
    line.setAttribute('x1', String(x(turn)));
    line.setAttribute('x2', String(x(turn)));
    const left = x(turn) < WIDTH / 2;
    text.setAttribute('x', String(x(turn) + (left ? 5 : -5)));
    text.setAttribute('text-anchor', left ? 'start' : 'end');
  };
  drawing.append(svg('line', { y1: 0, y2: height, visibility: 'hidden', class: 'probe' }), svg('text', { y: 13, class: 'probe' }));
  drawing.append(svg('rect', {
    width: WIDTH, height, class: 'hit', onclick: (/** @type {MouseEvent} */ event) => go(turnUnder(event)),
    onpointermove: (/** @type {PointerEvent} */ event) => probe(event, turnUnder(event)), onpointerleave: (/** @type {PointerEvent} */ event) => probe(event, null),
  }));
  return drawing;
}

/** What is known after a number of turns: the last of them, and what White expects. @param {any[]} assessed @param {any[]} made @param {number} turn */
function said(assessed, made, turn) {
  const last = made[turn - 1];
  const name = last ? `${numbered(last)}${assessed[turn - 1]?.mark ?? ''}` : T.play.viewing(0);
  return assessed[turn] ? `${name}: ${T.analyse.win(assessed[turn].white)}` : name;
}

/**
 * A course with a band or with bounds.
 * @param {{ points: [number, number, number?][], bounds?: [number, number], label: string }} course
 */
export function courseGraph({ points, bounds, label }) {
  const most = Math.max(1, ...points.map(([n]) => n));
  const highs = points.map(([, value, error]) => value + Math.min(error ?? 0, 400));
  const lows = points.map(([, value, error]) => value - Math.min(error ?? 0, 400));
  // The first games swing so far that everything later would be flat: the scale is that of the second half.
  const half = Math.floor(points.length / 2);
  const top = Math.max(bounds?.[1] ?? 10, ...highs.slice(half));
  const low = Math.min(bounds?.[0] ?? -10, ...lows.slice(half));
  const x = (/** @type {number} */ n) => 34 + (n * (WIDTH - 42)) / most;
  const y = (/** @type {number} */ value) => HEIGHT - 14 - ((Math.max(low, Math.min(top, value)) - low) * (HEIGHT - 26)) / (top - low || 1);
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'graph', role: 'img', 'aria-label': label });
  const text = (/** @type {number} */ value) => drawing.append(svg('text', { x: 2, y: y(value) + 4 }, Number(value.toFixed(1)).toString()));
  drawing.append(svg('line', { x1: 30, x2: WIDTH, y1: y(0), y2: y(0), class: 'zero' }));
  text(0);
  for (const bound of bounds ?? [top, low]) {
    if (bounds) drawing.append(svg('line', { x1: 30, x2: WIDTH, y1: y(bound), y2: y(bound), class: 'bound' }));
    text(bound);
  }
  if (points.some((point) => point.length > 2) && points.length > 1) {
    const upper = points.map(([n], i) => `${x(n)},${y(highs[i])}`);
    const lower = points.map(([n], i) => `${x(n)},${y(lows[i])}`).reverse();
    drawing.append(svg('polygon', { points: [...upper, ...lower].join(' '), class: 'band' }));
  }
  drawing.append(svg('polyline', { points: points.map(([n, value]) => `${x(n)},${y(value)}`).join(' '), class: 'curve' }));
  drawing.append(svg('text', { x: WIDTH - 4, y: HEIGHT - 2, 'text-anchor': 'end' }, String(most)));
  return drawing;
}
