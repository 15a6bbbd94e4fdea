// Analysis: lines of the engine that can be stepped through, notes, and the report of the game.

import { button, choice, html } from './dom.js';
import { tools, turnList } from './notes.js';
import { spelled } from './notation.js';
import { navigation, typedField } from './panels.js';
import { report } from './report.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** @param {any} app */
export function panel(app) {
  const { state } = app;
  const on = Boolean(state.analysis);
  const game = [html('div', { class: 'list' }, turnList(app)), navigation(app), typedField(app)];
  if (app.retry) return [app.retry.panel(), ...game];
  const parts = [];
  parts.push(html('div', { class: 'row' },
    button(on ? T.analyse.off : T.analyse.on, () => app.analyse(!on), { class: on ? '' : 'primary' }),
    html('label', { class: 'row note' }, html('input', { type: 'checkbox', checked: setting('arrows'), onchange: (/** @type {Event} */ event) => { set('arrows', /** @type {HTMLInputElement} */ (event.target).checked); app.draw(); } }), T.analyse.arrows),
    html('span', { class: 'note', id: 'depth' }, depthText(app))));
  parts.push(html('div', { class: `lines${on ? '' : ' idle'}`, id: 'lines', onpointerleave: () => app.hideLine() }, ...lineList(app)));
  parts.push(...game);
  parts.push(html('div', { class: 'notes' }, ...tools(app)));
  if (state.turns.length) parts.push(...report(app));
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
