// Analysis: lines of the engine that can be stepped through, and the whole game assessed.

import { button, choice, html } from './dom.js';
import { gameGraph } from './graph.js';
import { tools, turnList } from './notes.js';
import { spelled } from './notation.js';
import { navigation } from './panels.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** @param {any} app */
export function panel(app) {
  const { state } = app;
  const on = Boolean(state.analysis);
  const parts = [];
  parts.push(html('div', { class: 'row' },
    button(on ? T.analyse.off : T.analyse.on, () => app.analyse(!on), { class: on ? '' : 'primary' }),
    html('label', { class: 'row note' }, html('input', { type: 'checkbox', checked: setting('arrows'), onchange: (/** @type {Event} */ event) => { set('arrows', /** @type {HTMLInputElement} */ (event.target).checked); app.draw(); } }), T.analyse.arrows),
    html('span', { class: 'note', id: 'depth' }, depthText(app))));
  parts.push(html('div', { class: 'lines', id: 'lines', onpointerleave: () => app.hideLine() }, ...lineList(app)));
  parts.push(html('div', { class: 'list' }, turnList(app)), navigation(app));
  parts.push(html('div', { class: 'notes' }, ...tools(app)));
  if (state.turns.length) parts.push(...review(app));
  parts.push(html('div', { class: 'controls' },
    number(app, T.analyse.lines, 'lines', [1, 2, 3, 5, 8]),
    number(app, T.analyse.threads, 'threads', threads(app.start.threads)),
    number(app, T.analyse.hash, 'hash', [16, 64, 256, 1024])));
  parts.push(...staticEval(app));
  return parts;
}

/** The lines have changed. @param {any} app */
export function linesChanged(app) {
  const lines = document.getElementById('lines');
  if (!lines) return;
  // The panel is drawn anew at most once a frame.
  cancelAnimationFrame(app.notes.lines);
  app.notes.lines = requestAnimationFrame(() => { if (app.tabName === 'analyse') app.redrawPanel(); });
}

/** @param {any} app */
function depthText(app) {
  return app.state.analysis && app.lines[0] ? T.analyse.depth(app.lines[0]) : '';
}

/** @param {number} most */
function threads(most) {
  const counts = [];
  for (let n = 1; n < most && n < 64; n *= 2) counts.push(n);
  return [...counts, Math.min(most, 64)];
}

/** @param {any} app @param {string} label @param {string} name @param {number[]} values */
function number(app, label, name, values) {
  const options = values.map((n) => /** @type {[string, string]} */ ([String(n), String(n)]));
  return choice(label, options, String(setting(name)), (value) => {
    set(name, Number(value));
    if (app.state.analysis) app.analyse(true);
    else app.redrawPanel();
  });
}

/** Where the pointer is. @param {MouseEvent} event */
function where(event) {
  return `${Math.floor(event.clientX)} ${Math.floor(event.clientY)}`;
}

/** @param {any} app */
function lineList(app) {
  const { state } = app;
  if (!state.analysis) return [html('p', { class: 'note' }, T.analyse.idle)];
  if (app.end()) return [html('p', { class: 'note' }, T.analyse.over)];
  if (!app.lines.length) return [html('p', { class: 'note' }, T.analyse.waiting)];
  return app.lines.map((/** @type {any} */ line, /** @type {number} */ place) => {
    const chance = state.variant === 'dicechess';
    return html('div', { class: 'line', key: place },
      html('span', { class: 'score', title: `${T.analyse.expectation} ${T.analyse.win(line.white)}` }, chance ? T.analyse.win(line.white) : line.score),
      html('span', { class: 'pv' }, ...line.turns.map((/** @type {any} */ turn, /** @type {number} */ i) => {
        const prefix = turn.side === 'w' ? `${turn.number}.` : i === 0 ? `${turn.number}…` : '';
        const look = (/** @type {PointerEvent} */ event) => { if (event.pointerType === 'mouse' && where(event) !== app.notes.clicked) app.showLine(line, i, place); };
        // Other lines come under the pointer when one was adopted: they are shown once it moves.
        const take = (/** @type {MouseEvent} */ event) => {
          app.notes.clicked = where(event);
          app.adopt(line, i, place);
        };
        return html('button', { type: 'button', onclick: take, key: i, title: T.analyse.step, onpointerenter: look }, prefix + spelled(turn.san));
      })));
  });
}

/** The game assessed: graph, mistakes, sums. @param {any} app */
function review(app) {
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
    (gameGraph(assessed, state.turns.length, Number(app.here().split('.')[0]), (turn) => app.goTo(String(Math.max(0, Math.min(turn, state.turns.length)))))), sums(app));
  const mistakes = assessed.map((/** @type {any} */ one, /** @type {number} */ turn) => ({ one, turn })).filter((/** @type {any} */ { one }) => one?.mark);
  parts.push(html('h2', {}, T.analyse.mistakes));
  if (!mistakes.length) parts.push(html('p', { class: 'note' }, T.analyse.noMistakes));
  else {
    parts.push(html('ul', { class: 'mistakes' }, ...mistakes.map((/** @type {any} */ { one, turn }) => {
      const played = state.turns[turn];
      return html('li', {}, button(`${played.number}${played.side === 'w' ? '.' : '…'} ${spelled(played.san)}${one.mark}  ${T.analyse.lost(one.error)}, ${T.analyse.best} ${spelled(one.best)}`, () => app.goTo(String(turn)), { class: 'small' }));
    })));
  }
  return parts;
}

/** Errors and luck of both sides. @param {any} app */
function sums(app) {
  const { state, assessed } = app;
  const hasLuck = assessed.some((/** @type {any} */ one) => one?.luck !== undefined);
  const of = (/** @type {string} */ side) => {
    let [error, luck] = [0, 0];
    assessed.forEach((/** @type {any} */ one, /** @type {number} */ turn) => {
      if (one && state.turns[turn].side === side) {
        error += one.error;
        luck += (one.luck ?? 0) * (side === 'w' ? 1 : -1);
      }
    });
    return [error, luck];
  };
  const [white, black] = [of('w'), of('b')];
  const row = (/** @type {string} */ name, /** @type {number} */ i, /** @type {string} */ sign) =>
    html('tr', {}, html('th', { scope: 'row' }, name), ...[white, black].map((sum) => html('td', { class: 'num' }, `${sign && sum[i] >= 0 ? '+' : ''}${sum[i].toFixed(2)}`)));
  return html('table', {}, html('thead', {}, html('tr', {}, html('td', {}), html('th', { class: 'num', scope: 'col' }, T.side.w), html('th', { class: 'num', scope: 'col' }, T.side.b))),
    html('tbody', {}, row(T.analyse.error, 0, ''), hasLuck && row(T.analyse.luck, 1, '+')));
}

/** The static evaluation by pieces, shown on the board. @param {any} app */
function staticEval(app) {
  const shown = app.staticEval;
  const press = () => {
    if (!shown) return app.fetchStatics();
    app.staticEval = null;
    app.draw();
    return app.redrawPanel();
  };
  const cp = shown ? (shown.cp / 100).toFixed(2) : '';
  return [html('div', { class: 'row' }, button(shown ? T.analyse.hideStatics : T.analyse.staticEval, press, { class: 'small', 'aria-pressed': String(Boolean(shown)) }),
    shown && html('span', { class: 'note' }, T.analyse.static(shown.cp >= 0 ? `+${cp}` : cp)))];
}
