// The dice: how they fall, which are used, and whether they came from the seed.

import { button, html, svg } from './dom.js';
import { FACES, NAMES, piece } from './pieces.js';
import { T } from './text.js';

/** The roll that was last seen to fall, so that it falls once. */
let fallen = '';

/**
 * The dice of a turn beside the board.
 * @param {any} state @param {any} view @param {boolean} live whether this is the game and not a look back
 */
export function diceTray(state, view, live) {
  const { rolled, left, danger, limit } = view.dice;
  const white = view.side === 'w';
  const roll = rolled || left;
  const unused = [...left];
  const fresh = live && `${state.id} ${state.turns.length} ${roll}` !== fallen;
  if (live) fallen = `${state.id} ${state.turns.length} ${roll}`;
  const dice = [...roll].map((face, index) => {
    const place = unused.indexOf(face);
    if (place >= 0) unused.splice(place, 1);
    return die(face, white, place < 0, fresh, index);
  });
  return html('div', { class: 'dice' },
    html('div', { class: 'row', role: 'group', 'aria-label': T.dice.title }, ...dice),
    limit && html('p', { class: 'note binding' }, limit),
    html('p', { class: 'note danger' }, html('span', { class: 'meter', 'aria-hidden': 'true' }, meter(danger / 216)), T.dice.danger(danger)));
}

/** @param {string} face @param {boolean} white @param {boolean} used @param {boolean} fresh @param {number} index */
function die(face, white, used, fresh, index) {
  const letter = white ? face : face.toLowerCase();
  return svg('svg', {
    viewBox: '0 0 100 100', width: 52, height: 52, role: 'img', 'aria-label': T.dice.face(NAMES[face], used),
    class: `die${used ? ' used' : ''}${fresh ? ` falls fall${index}` : ''} ${white ? 'ofwhite' : 'ofblack'}`,
  }, svg('rect', { x: 5, y: 5, width: 90, height: 90, rx: 20, class: 'facet' }), pips(FACES.indexOf(face) + 1), piece(letter, 17, 15, 68));
}

/** The number of the face, small, at the corner. @param {number} n */
function pips(n) {
  return svg('text', { x: 14, y: 29, class: 'pip' }, String(n));
}

/** @param {number} share */
function meter(share) {
  return svg('svg', { viewBox: '0 0 100 10', width: 60, height: 8, preserveAspectRatio: 'none' },
    svg('rect', { width: 100, height: 10, rx: 5, class: 'track' }), svg('rect', { width: Math.max(100 * share, share ? 4 : 0), height: 10, rx: 5, class: 'fill' }));
}

const MASK = (1n << 64n) - 1n;

/** One output of splitmix64. @param {bigint} seed @param {bigint} n */
function splitmix(seed, n) {
  let z = (seed + (n + 1n) * 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

/** The roll of a turn by the public formula, computed here and not by the server. @param {string} seed @param {number} turn */
export function rollOfSeed(seed, turn) {
  let x = splitmix(BigInt(`0x${seed}`), BigInt(turn));
  while (x >= 18446744073709551456n) x = splitmix(x, 0n);
  const faces = [36n, 6n, 1n].map((divisor) => Number((x / divisor) % 6n)).sort();
  return faces.map((face) => FACES[face]).join('');
}

/** The seed and whether all rolls follow from it, on request. @param {any} app */
export function seedPanel(app) {
  const { state } = app;
  const shown = app.notes.seed === state.id;
  const press = button(shown ? T.dice.hide : T.dice.show, () => {
    app.notes.seed = shown ? '' : state.id;
    app.redrawPanel();
  }, { class: 'small' });
  if (!shown) return html('div', { class: 'seed' }, press, html('p', { class: 'note' }, T.dice.spoiler));
  const rolled = state.turns.filter((/** @type {any} */ turn) => turn.roll);
  const wrong = rolled.filter((/** @type {any} */ turn) => turn.roll !== rollOfSeed(state.seed, (turn.number - 1) * 2 + (turn.side === 'b' ? 1 : 0)))
    .map((/** @type {any} */ turn) => `${turn.number}${turn.side === 'w' ? '' : '…'} ${turn.roll}`);
  return html('div', { class: 'seed' }, press, html('p', { class: 'note' }, html('code', {}, state.seed), ` ${wrong.length ? T.dice.wrong(wrong.join(', ')) : T.dice.right(rolled.length)}`));
}

/** Lets a person give the dice of a turn that is looked at. @param {any} app @param {string} roll the present one */
export function rollChooser(app, roll) {
  const faces = [...(roll || 'PPP')];
  const pick = (/** @type {number} */ index) => html('select', {
    'aria-label': T.dice.die(index + 1), value: faces[index], onchange: (/** @type {Event} */ event) => {
      faces[index] = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
      app.setRoll(faces.join(''));
    },
  }, ...[...FACES].map((face) => html('option', { value: face, selected: face === faces[index] }, NAMES[face])));
  const random = () => app.setRoll(Array.from({ length: 3 }, () => FACES[Math.floor(Math.random() * 6)]).join(''));
  return html('div', { class: 'row roller' }, button(T.dice.roll, random, { class: roll ? 'small' : 'primary' }), pick(0), pick(1), pick(2));
}
