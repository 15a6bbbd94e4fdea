// How board and pieces look, and whether they are heard, as the person wants it.

import { ask, button, choice, html } from './dom.js';
import { installPieces } from './pieces.js';
import { applyTheme, set, setting } from './settings.js';
import { T } from './text.js';

/** The dialog in which board colours, pieces and sounds are chosen; what is seen changes behind it at once. @param {any} app */
export function looks(app) {
  const words = (/** @type {Record<string, string>} */ list) => /** @type {[string, string][]} */ (Object.entries(list));
  const change = (/** @type {string} */ name) => (/** @type {string} */ value) => {
    set(name, value);
    applyTheme();
    installPieces();
    app.redrawAll();
  };
  ask(T.looks.title, (close) => [
    html('h2', {}, T.looks.title),
    html('div', { class: 'looks' },
      choice(T.looks.board, words(T.looks.boards), setting('board'), change('board')),
      choice(T.looks.pieces, words(T.looks.sets), setting('pieces'), change('pieces')),
      html('label', { class: 'row' }, html('input', { type: 'checkbox', id: 'sounds', checked: setting('sounds'), onchange: (/** @type {Event} */ event) => set('sounds', /** @type {HTMLInputElement} */ (event.currentTarget).checked) }), T.looks.sounds)),
    html('div', { class: 'row' }, button(T.close, close, { class: 'primary' })),
  ], { class: 'ask' });
}
