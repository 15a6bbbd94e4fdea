// What is drawn on the board and beside it: lights, arrows, gliding pieces, the bar of the evaluation.

import { byId } from './dom.js';
import { isWhite } from './pieces.js';
import { turnAt } from './place.js';
import { setting } from './settings.js';

/** How long a piece glides, and the next one waits for it, in ms. */
const GLIDE = 190;
const COLOURS = /** @type {Record<string, string>} */ ({ G: 'green', R: 'red', B: 'blue', Y: 'yellow' });

/** The steps that are lit: those of the turn that led here, or of the one that is being made. @param {any} app @returns {any[]} */
function litSteps(app) {
  if (app.preview) return app.preview.steps;
  const steps = app.partialTurn();
  return steps.length ? steps : (turnAt(app.state, app.here())?.steps ?? []);
}

/** What is lit. @param {any} app @returns {import('./flat.js').Marks} */
export function marks(app) {
  if (app.setup) return app.setup.marks();
  const view = app.shown();
  const lit = app.input.marks();
  lit.last = new Set(litSteps(app).flatMap((/** @type {any} */ step) => [step.from, step.to]).filter(Boolean));
  lit.check = view.check?.king ?? null;
  lit.arrows = [];
  if (app.preview) return lit;
  if (app.dangers) {
    lit.dangers = new Set(app.dangers.squares);
    for (const line of app.dangers.lines) lit.arrows.push(...line.map((/** @type {any} */ one, /** @type {number} */ i) => ({ line: one, kind: i ? 'danger second' : 'danger' })));
  } else if (view.check && view.check.lines.some((/** @type {any} */ line) => line.length > 1)) {
    for (const line of view.check.lines.slice(0, 2)) lit.arrows.push(...line.map((/** @type {any} */ one, /** @type {number} */ i) => ({ line: one, kind: i ? 'danger second' : 'danger' })));
  }
  lit.arrows.push(...app.premoves.arrows());
  if (app.hinted) lit.arrows.push(...app.hinted.arrows.map((/** @type {any} */ line) => ({ line, kind: 'hint' })));
  if (app.state.analysis && setting('arrows')) {
    app.lines.slice(0, 3).forEach((/** @type {any} */ line, /** @type {number} */ i) => {
      for (const step of line.turns[0]?.steps ?? []) if (step.from && step.to) lit.arrows?.push({ line: [step.from, step.to], kind: `best best${i}` });
    });
  }
  if (app.staticEval) lit.labels = new Map(app.staticEval.pieces.map((/** @type {any} */ piece) => [piece.square, (Math.abs(piece.cp) / 100).toFixed(1)]));
  const drawn = app.input.shape ? [app.input.shape] : [];
  lit.shapes = [...(app.beside().shapes ?? []), ...(app.retry?.shapes() ?? []), ...(app.notes.attempt?.shapes(app) ?? []), ...drawn].map((/** @type {string} */ shape) => ({ color: COLOURS[shape[0]], squares: shape.slice(1).match(/[a-o]\d+/g) ?? [] })).filter((shape) => shape.squares.length);
  return lit;
}

/** A picture of a piece that flies over the board. @param {string} letter @param {[number, number, number]} figure */
function flyer(letter, [x, y, size]) {
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  for (const [name, value] of Object.entries({ href: `#piece-${letter.toUpperCase()}`, x, y, width: size, height: size, class: `piece ${isWhite(letter) ? 'white' : 'black'} flying` })) use.setAttribute(name, String(value));
  return use;
}

/**
 * Lets the pieces of some steps glide, one after the other, above everything else on the board; what they capture goes when they
 * arrive, and each stands on its square from then on.
 * @param {any} app @param {{ view: any, steps: any[] }} from the view before, and the steps since
 */
export function glide(app, { view, steps }) {
  const drawing = byId('board').querySelector('svg');
  if (!drawing || app.board.takesWheel || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  drawing.querySelector('.flight')?.remove();
  const flight = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  flight.setAttribute('class', 'flight');
  flight.setAttribute('aria-hidden', 'true');
  const letters = new Map(view.pieces.map((/** @type {any} */ one) => [one.square, one.letter]));
  const now = new Map(app.shown().pieces.map((/** @type {any} */ one) => [one.square, one.letter]));
  /** When what stands on a square is there. @type {Map<string, number>} */
  const settled = new Map();
  let time = 0;
  const moves = steps.filter((step) => step.from && step.to && step.kind !== 'cube');
  const dropped = app.notes.dropped;
  app.notes.dropped = false;
  moves.forEach((step, index) => {
    const letter = letters.get(step.from);
    if (!letter) return;
    const captured = letters.get(step.to);
    const [start, end] = [app.board.figure(step.from), app.board.figure(step.to)];
    letters.delete(step.from);
    letters.set(step.to, step.piece ?? letter);
    if (dropped && index === 0) return;
    const way = `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)`;
    if (captured) fade(flight, captured, end, time + GLIDE);
    const flying = flyer(letter, end);
    flight.append(flying);
    const last = !moves.slice(index + 1).some((other) => other.from === step.to || other.to === step.to);
    // A piece that goes on in the same turn waits on its square until then.
    const wait = last ? GLIDE : GLIDE + 40;
    flying.animate([{ transform: way, easing: 'ease-in-out' }, { transform: 'none' }], { delay: time, duration: GLIDE, fill: 'both' }).finished.then(() => setTimeout(() => flying.remove(), wait - GLIDE), () => {});
    time += GLIDE + 40;
    if (last) settled.set(step.to, time - 40);
  });
  // What is gone without being stepped upon: a pawn taken in passing.
  for (const one of view.pieces) if (!now.has(one.square) && !moves.some((step) => step.from === one.square || step.to === one.square)) fade(flight, one.letter, app.board.figure(one.square), time);
  if (!flight.childElementCount) return;
  drawing.append(flight);
  for (const [square, at] of settled) {
    const piece = drawing.querySelector(`[data-square="${square}"] .piece`);
    piece?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: at });
  }
  setTimeout(() => flight.remove(), time + 4 * GLIDE);
}

/** @param {Element} flight @param {string} letter @param {[number, number, number]} figure @param {number} time when it goes */
function fade(flight, letter, figure, time) {
  const one = flyer(letter, figure);
  flight.prepend(one);
  one.animate([{ opacity: 1 }, { opacity: 0 }], { delay: time - 60, duration: 160, fill: 'both' });
}

/** White's share of the points where the board stands, by the analysis, the end, or what is written beside the turn; null: nothing is known. @param {any} app @returns {{ white: number, text: string } | null} */
function evaluation(app) {
  const end = app.end();
  if (end) return { white: { '1-0': 1, '0-1': 0 }[/** @type {'1-0'} */ (end.result)] ?? 0.5, text: { '1-0': '1', '0-1': '0' }[/** @type {'1-0'} */ (end.result)] ?? '½' };
  const [best] = app.lines;
  if (best) return { white: best.white, text: app.state.variant === 'dicechess' ? `${Math.round(best.white * 100)}%` : best.score };
  return null;
}

/** The bar of the evaluation. @param {any} app */
export function drawEval(app) {
  const bar = byId('eval');
  bar.hidden = !app.state.analysis || Boolean(app.setup);
  if (bar.hidden) return;
  const known = evaluation(app);
  const white = known?.white ?? 0.5;
  byId('evalfill').style.height = `${(app.flipped ? 1 - white : white) * 100}%`;
  bar.classList.toggle('flipped', app.flipped);
  byId('evaltext').textContent = known?.text ?? '';
}
