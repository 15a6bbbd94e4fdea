// The list of turns with everything that stands beside them, and the tools to write there.

import { button, html } from './dom.js';
import { isCounted, spelled } from './notation.js';
import { turnAt } from './place.js';
import { T } from './text.js';

/** The signs of annotators, by their numbers in PGN. */
const SIGNS = /** @type {Record<number, string>} */ ({
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀', 32: '⟳', 36: '→', 40: '↑', 132: '⇆', 138: '⊕', 140: '∆', 146: 'N',
});
/** Those that a button gives. */
const QUALITY = [3, 1, 5, 6, 2, 4];
const STANDING = [10, 13, 14, 15, 16, 17, 18, 19];

/** @param {number[] | undefined} nags */
function signs(nags) {
  return (nags ?? []).map((nag) => SIGNS[nag] ?? `$${nag}`).join('');
}

/** The turns of the list as they were drawn last: what is the same is not compared again. @type {WeakMap<any, { key: string, drawn: any }>} */
const drawn = new WeakMap();

/** A turn of the list. @param {any} app @param {any} turn @param {string} path @param {string} prefix @param {string} mark what an assessment says */
function turnButton(app, turn, path, prefix, mark) {
  const current = app.here() === path;
  const key = `${path} ${prefix} ${mark} ${current} ${isCounted()}`;
  const last = drawn.get(turn);
  if (last?.key === key) return last.drawn;
  const own = turn.nags?.some((/** @type {number} */ nag) => nag <= 6);
  const said = signs(turn.nags) + (own ? '' : mark);
  const bad = turn.nags?.some((/** @type {number} */ nag) => nag === 2 || nag === 4) || mark;
  const now = html('button', {
    type: 'button', key: path, 'data-path': path, class: `turn${current ? ' current' : ''}${bad ? ' marked' : ''}`, onclick: () => app.goTo(path), 'aria-current': current ? 'step' : undefined,
  }, prefix && html('span', { class: 'number' }, prefix), turn.roll && html('span', { class: 'roll' }, turn.roll), ...wrapped(`${spelled(turn.san)}${said}`), turn.eval && html('span', { class: 'eval' }, evalText(turn.eval)));
  drawn.set(turn, { key, drawn: now });
  return now;
}

/** A turn of several steps, which may be wrapped between them. @param {string} text */
function wrapped(text) {
  // Commas between brackets belong to the name of a cell.
  return text.split(/(?<=,)(?![^(]*\))/).flatMap((step, i) => (i ? [html('wbr'), step] : [step]));
}

/** @param {string} text as `[%eval]` has it */
function evalText(text) {
  if (text.startsWith('#')) return text;
  const [value] = text.split(',');
  return Number(value) > 0 && !value.startsWith('+') ? `+${value}` : value.replace('-', '−');
}

/** The turns of a variation in one run of text. @param {any} app @param {any} line @param {string} stem the path as far as its turns are counted @returns {any[]} */
function variation(app, line, stem) {
  const parts = line.lead ? [html('span', { class: 'comment' }, `${line.lead} `)] : [];
  let broken = true;
  line.turns.forEach((/** @type {any} */ turn, /** @type {number} */ index) => {
    const prefix = turn.side === 'w' ? `${turn.number}.` : broken ? `${turn.number}…` : '';
    parts.push(turnButton(app, turn, `${stem}${index + 1}`, prefix, ''), ' ');
    broken = false;
    if (turn.comment) {
      parts.push(html('span', { class: 'comment' }, `${turn.comment} `));
      broken = true;
    }
    (turn.variations ?? []).forEach((/** @type {any} */ inner, /** @type {number} */ number) => {
      parts.push(html('span', { class: 'inner' }, '(', ...variation(app, inner, `${stem}${index}.${number}.`), ') '));
      broken = true;
    });
    if (turn.after) parts.push(html('span', { class: 'comment' }, `${turn.after} `));
  });
  return parts;
}

/** The turns of the game, two in a row; comments and variations stand between the rows. @param {any} app */
export function turnList(app) {
  const { state } = app;
  const lead = state.lead?.comment && html('p', { class: 'comment' }, state.lead.comment);
  if (!state.turns.length) return html('div', {}, lead, html('p', { class: 'note' }, T.play.none));
  /** @type {any[]} */
  const rows = [];
  /** @type {any} */
  let row = null;
  let cells = 0;
  state.turns.forEach((/** @type {any} */ turn, /** @type {number} */ index) => {
    if (!row || turn.side === 'w' || cells === 2) {
      row = html('li', { key: `row ${index}` }, html('span', { class: 'number' }, `${turn.number}.`));
      cells = 0;
      if (turn.side === 'b') {
        row.append(html('span', { class: 'gap' }, '…'));
        cells = 1;
      }
      rows.push(row);
    }
    row.append(turnButton(app, turn, String(index + 1), '', app.assessed[index]?.mark ?? ''));
    cells++;
    const beside = [];
    if (turn.comment) beside.push(html('p', { class: 'comment' }, turn.comment));
    (turn.variations ?? []).forEach((/** @type {any} */ line, /** @type {number} */ number) => beside.push(html('p', { class: 'variation' }, ...variation(app, line, `${index}.${number}.`))));
    if (turn.after) beside.push(html('p', { class: 'comment' }, turn.after));
    if (beside.length) {
      rows.push(html('li', { key: `beside ${index}`, class: 'beside' }, ...beside));
      row = null;
    }
  });
  if (state.end) rows.push(html('li', { key: 'end', class: 'ended' }, state.end.result.replaceAll('1/2', '½')));
  return html('div', {}, lead, html('ol', { class: 'turns' }, ...rows));
}

/** Sends the comment that is being written to the turn beside which it was begun; where the server does not answer, it stays. @param {any} app */
export async function sendDraft(app) {
  const { draft } = app.notes;
  if (draft?.id !== app.state.id || draft.isSent) return;
  draft.isSent = true;
  await app.edit({ do: 'annotate', path: draft.path, comment: draft.text }, { stays: true });
  draft.isSent = false;
  // More may have been written meanwhile.
  if (app.notes.draft !== draft || app.gone || app.failed) return;
  app.notes.draft = null;
  app.redrawPanel();
}

/** Where a comment is written. While that is done it stays where it was begun, whatever else is drawn and wherever the board goes. @param {any} app */
function remark(app) {
  const { id } = app.state;
  const draft = app.notes.draft?.id === id ? app.notes.draft : null;
  const path = draft?.path ?? app.here();
  const write = (/** @type {Event} */ event) => { app.notes.draft = { id, path, text: /** @type {HTMLTextAreaElement} */ (event.currentTarget).value }; };
  const send = (/** @type {Event} */ event) => {
    write(event);
    sendDraft(app);
  };
  return html('textarea', {
    key: `${id} ${path}`, class: 'remark', rows: 2, 'aria-label': T.notes.comment, placeholder: T.notes.comment, value: draft?.text ?? app.beside().comment ?? '', oninput: write, onchange: send, onblur: () => sendDraft(app),
  });
}

/** What can be written beside the turn that is shown. @param {any} app */
export function tools(app) {
  const path = app.here();
  const turn = turnAt(app.state, path);
  const nags = turn?.nags ?? [];
  const sign = (/** @type {number} */ nag) => {
    const on = nags.includes(nag);
    const wanted = on ? nags.filter((/** @type {number} */ one) => one !== nag) : [...nags, nag];
    return button(SIGNS[nag], () => app.edit({ do: 'annotate', path, nags: wanted }, { stays: true }), { key: nag, class: 'small sign-of', 'aria-pressed': String(on), 'aria-label': T.notes.signs[nag], title: T.notes.signs[nag], disabled: !turn });
  };
  const playing = [app.state.white, app.state.black].some((player) => player.kind !== 'human') && !app.state.end;
  const main = !path.includes('.');
  return [
    html('div', { class: 'signs', role: 'group', 'aria-label': T.notes.signsOf }, ...QUALITY.map(sign), ...(app.notes.moreSigns ? STANDING.map(sign) : []),
      button('…', () => { app.notes.moreSigns = !app.notes.moreSigns; app.redrawPanel(); }, { key: 'more', class: 'small sign-of', 'aria-label': T.notes.more, 'aria-expanded': String(Boolean(app.notes.moreSigns)) })),
    remark(app),
    html('div', { class: 'row' },
      button(T.notes.promote, () => app.edit({ do: 'promote', path }), { class: 'small', disabled: main || (playing && path.split('.').length === 3) }),
      button(T.notes.delete, () => app.edit({ do: 'delete', path }), { class: 'small', disabled: !turn || (playing && main) })),
  ];
}
