// What is drawn on the board and beside it: lights, arrows, gliding pieces, the bar of the evaluation.

import { byId } from './dom.js';
import { setting } from './settings.js';

/** What is lit. @param {any} app @returns {import('./flat.js').Marks} */
export function marks(app) {
  if (app.setup) return app.setup.marks();
  const view = app.shown();
  const lit = app.input.marks();
  const live = app.isLive();
  const index = app.at ?? app.state.turns.length;
  const steps = app.line ? app.line.steps : live && app.state.partial_turn.length ? app.state.partial_turn : (app.state.turns[index - 1]?.steps ?? []);
  lit.last = new Set(steps.flatMap((/** @type {any} */ step) => [step.from, step.to]).filter(Boolean));
  lit.check = view.check?.king ?? null;
  lit.arrows = [];
  if (app.dangers && live) {
    lit.dangers = new Set(app.dangers.squares);
    for (const line of app.dangers.lines) lit.arrows.push(...line.map((/** @type {any} */ one, /** @type {number} */ i) => ({ line: one, kind: i ? 'danger second' : 'danger' })));
  } else if (view.check && view.check.lines.some((/** @type {any} */ line) => line.length > 1)) {
    for (const line of view.check.lines.slice(0, 2)) lit.arrows.push(...line.map((/** @type {any} */ one, /** @type {number} */ i) => ({ line: one, kind: i ? 'danger second' : 'danger' })));
  }
  if (app.hinted && live) lit.arrows.push(...app.hinted.arrows.map((/** @type {any} */ line) => ({ line, kind: 'hint' })));
  if (live && app.state.analysis && setting('arrows')) {
    app.lines.slice(0, 3).forEach((/** @type {any} */ line, /** @type {number} */ i) => {
      for (const step of line.turns[0]?.steps ?? []) if (step.from && step.to) lit.arrows?.push({ line: [step.from, step.to], kind: `best best${i}` });
    });
  }
  if (app.static_eval && live) lit.labels = new Map(app.static_eval.pieces.map((/** @type {any} */ piece) => [piece.square, (Math.abs(piece.cp) / 100).toFixed(1)]));
  return lit;
}

/** Lets the pieces of the latest steps glide to where they are. @param {any} app @param {any} before */
export function glide(app, before) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || !app.isLive()) return;
  const { state } = app;
  const grown = state.turns.length - before.turns.length;
  if (grown < 0 || grown > 1) return;
  const all = grown ? state.turns.at(-1).steps : state.partial_turn;
  const steps = all.slice(before.partial_turn.length);
  for (const step of steps) {
    if (!step.from || step.kind === 'cube') continue;
    const element = byId('board').querySelector(`[data-square="${step.to}"] .piece`);
    const [x0, y0] = app.board.middle(step.from);
    const [x1, y1] = app.board.middle(step.to);
    // Pixels inside of a drawing are its own units. A piece in flight belongs to the square where he will stand, and what is clicked
    // are the squares beneath him.
    const flies = { pointerEvents: 'none' };
    element?.animate([{ transform: `translate(${x0 - x1}px, ${y0 - y1}px)`, ...flies }, { transform: 'none', ...flies }], { duration: 170, easing: 'ease-out' });
  }
}

/** The bar of the evaluation. @param {any} app */
export function drawEval(app) {
  const on = Boolean(app.state.analysis);
  const bar = byId('eval');
  bar.hidden = !on;
  if (!on) return;
  const white = app.lines[0]?.white ?? 0.5;
  const fill = byId('evalfill');
  fill.style.height = `${(app.flipped ? 1 - white : white) * 100}%`;
  bar.classList.toggle('flipped', app.flipped);
  byId('evaltext').textContent = app.state.variant === 'dicechess' ? `${Math.round(white * 100)}%` : (app.lines[0]?.score ?? '');
}
