// The keyboard and the wheel, outside of fields and dialogs.

import { ask, button, byId, html } from './dom.js';
import { before, behind, lineEnd, lineStart, siblings } from './place.js';
import { T } from './text.js';

/** Goes one turn back or forward, to an end of the line, or to another line that begins here. @param {any} app @param {string} key @returns {boolean} whether it means that */
export function step(app, key) {
  const { state } = app;
  const here = app.heading ?? app.here();
  const go = (/** @type {string | null} */ path) => { if (path !== null) app.goTo(path); };
  if (key === 'ArrowLeft' && !app.heading && app.place?.steps?.length) go(here);
  else if (key === 'ArrowLeft') go(before(here));
  else if (key === 'ArrowRight') go(behind(state, here));
  else if (key === 'Home') go(lineStart(here) === here ? '0' : lineStart(here));
  else if (key === 'End') go(lineEnd(state, here));
  else if (key === 'ArrowUp' || key === 'ArrowDown') {
    const lines = siblings(state, here);
    if (lines.length < 2) return false;
    go(lines[(lines.indexOf(here) + (key === 'ArrowUp' ? -1 : 1) + lines.length) % lines.length] ?? null);
  } else return false;
  return true;
}

/** @param {any} app @param {KeyboardEvent} event */
export function keys(app, event) {
  if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog, [role=tab]')) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !app.state) return;
  // The panel is scrolled by them, and while a position is set up the game is not shown.
  if ((app.setup || event.target === byId('panel')) && /^(Arrow|Home$|End$)/.test(event.key)) return;
  if (step(app, event.key)) {
    // Done.
  } else if (event.key === 'f') app.flip();
  else if (event.key === 'a') {
    app.show('analyse');
    app.analyse(!app.state.analysis);
  } else if (event.key === 'h') app.hint();
  else if (event.key === 'Escape' && app.premoves.queue.length) {
    app.premoves.clear();
    app.draw();
  } else if (event.key === '/') app.typeHere();
  else if (event.key === '?') help();
  else return;
  event.preventDefault();
}

/** How far the wheel was turned since the last step. */
let turned = 0;

/** The wheel over the board steps through the game. @param {any} app @param {WheelEvent} event */
export function wheel(app, event) {
  if (!app.state || app.setup || event.ctrlKey || app.board.takesWheel) return;
  event.preventDefault();
  turned += event.deltaY;
  if (Math.abs(turned) < 40) return;
  step(app, turned > 0 ? 'ArrowRight' : 'ArrowLeft');
  turned = 0;
}

/** All keys. */
export function help() {
  ask(T.keys.title, (close) => [
    html('h2', {}, T.keys.title),
    html('dl', { class: 'keys' }, ...T.keys.list.flatMap(([key, what]) => [html('dt', {}, html('kbd', {}, key)), html('dd', {}, what)])),
    html('div', { class: 'row' }, button(T.close, close, { class: 'primary' })),
  ], { class: 'ask' });
}
