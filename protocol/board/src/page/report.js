// The report of a game: its course, how accurate both sides were, their mistakes, and the way to learn from them.

import { button, choice, html } from './dom.js';
import { gameGraph } from './graph.js';
import { numbered, spelled } from './notation.js';
import { begin, mistakesOf } from './retry.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** The game assessed. @param {any} app */
export function report(app) {
  const { state, assessed } = app;
  const running = Boolean(app.notes.reviewing);
  const count = assessed.filter(Boolean).length;
  const efforts = [1000, 5000, 20000, 100000].map((n) => /** @type {[string, string]} */ ([String(n), n.toLocaleString('en')]));
  /** @type {any[]} */
  const parts = [html('div', { class: 'row' },
    button(running ? T.analyse.stopReview : T.analyse.review, () => app.assess(!running)),
    choice(T.analyse.effort, efforts, String(setting('nodes')), (value) => set('nodes', Number(value))))];
  if (!count) return parts;
  parts.push(html('p', { class: 'note', role: 'status' }, T.analyse.reviewed(count, state.turns.length)),
    gameGraph(assessed, state.turns, Number(app.here().split('.')[0]), (turn) => app.goTo(String(turn))));
  if (app.sides) parts.push(sums(app.sides));
  if (!running) parts.push(lessons(app));
  return [...parts, ...mistakes(app)];
}

/** The list of the mistakes. @param {any} app */
function mistakes(app) {
  const { state } = app;
  const marked = app.assessed.filter((/** @type {any} */ one) => one?.mark);
  const title = html('h2', {}, T.analyse.mistakes);
  if (!marked.length) return [title, html('p', { class: 'note' }, T.analyse.noMistakes)];
  return [title, html('ul', { class: 'mistakes' }, ...marked.map((/** @type {any} */ one) => {
    const played = state.turns[one.turn];
    return html('li', {}, button(`${numbered(played)}${one.mark}  ${T.analyse.lost(one.error)}, ${T.analyse.best} ${spelled(one.best)}`, () => app.goTo(String(one.turn)), { class: 'small' }));
  }))];
}

/** Where to begin to learn, the person's own mistakes first. @param {any} app */
function lessons(app) {
  const own = app.state.black.kind === 'human' && app.state.white.kind !== 'human' ? 'b' : 'w';
  const sides = own === 'w' ? ['w', 'b'] : ['b', 'w'];
  const counted = sides.map((side) => ({ side, count: mistakesOf(app, side).length })).filter(({ count }) => count);
  return html('div', { class: 'row' }, ...counted.map(({ side, count }) => button(T.retry.begin(side, count), () => begin(app, side), { class: 'small' })));
}

/** Accuracy, counts, error and luck of both sides. @param {any[]} sides */
function sums(sides) {
  const figure = (/** @type {number} */ value, signed = false) => `${signed && value >= 0 ? '+' : ''}${value.toFixed(2)}`;
  const row = (/** @type {string} */ name, /** @type {(side: any) => string} */ text) =>
    html('tr', { key: name }, html('th', { scope: 'row' }, name), ...sides.map((side) => html('td', { class: 'num' }, text(side))));
  const { report: words } = T;
  return html('table', { class: 'sums' },
    html('thead', {}, html('tr', {}, html('td', {}), html('th', { class: 'num', scope: 'col' }, T.side.w), html('th', { class: 'num', scope: 'col' }, T.side.b))),
    html('tbody', {},
      row(words.accuracy, (side) => (side.accuracy === null ? '–' : `${side.accuracy.toFixed(1)} %`)),
      row(words.best, (side) => `${side.best} / ${side.turns}`),
      row(words.inaccuracies, (side) => side.inaccuracies),
      row(words.mistakes, (side) => side.mistakes),
      row(words.blunders, (side) => side.blunders),
      row(T.analyse.error, (side) => figure(side.error)),
      sides.some((side) => side.luck !== undefined) && row(T.analyse.luck, (side) => figure(side.luck ?? 0, true))));
}
