// The words of a position string behind its board, each with what sets it by hand: castling, en passant, pool, dice, prologue.

import { button, choice, html } from './dom.js';
import { at, name } from './flat.js';
import { FACES, NAMES, pieceIcon, pieceName } from './pieces.js';
import { T } from './text.js';

/** The words that a change of the board can contradict: they are dropped where the rest is sound. @type {Record<string, number[]>} */
export const DROPPED = { cubes4d: [2, 4] };
/** The same for the games on 64 squares: castling and en passant. */
export const DROPPED_FLAT = [2, 3];
/** What may be in a pool. @type {Record<string, string>} */
const POOLS = { superchess: 'QAESVRBN', cubes4d: 'QG' };

/** A position in which the prologue is over, with the pool that it begins with. @type {Record<string, (words: string[]) => string[]>} */
const OVER = {
  superchess: (words) => [`${words[0]}[NBRQnbrq]`, ...words.slice(1, -1)],
  cubes4d: (words) => words.slice(0, -1),
};

/** Whether a string is one of the prologue. @param {string} fen */
const isPrologue = (fen) => /^(p\d|pre)$/.test(fen.split(' ').at(-1) ?? '');

/** Everything that can be set beside the board. @param {import('./setup.js').Setup} setup @param {string} variant @returns {any[]} */
export function fields(setup, variant) {
  /** @type {string[]} */
  const words = setup.fen.split(' ');
  const put = (/** @type {number} */ place, /** @type {string} */ word) => setup.read(words.map((old, i) => (i === place ? word : old)).join(' '));
  const prologue = isPrologue(setup.fen);
  const parts = [];
  if (OVER[variant]) {
    const begin = (/** @type {string} */ which) => (which === 'game' ? setup.read(OVER[variant](words).join(' ')) : setup.start());
    parts.push(choice(T.setup.phase, [['prologue', T.setup.prologue], ['game', T.setup.game]], prologue ? 'prologue' : 'game', begin));
  }
  if (prologue) return parts;
  parts.push(rights(words, variant, put));
  if (variant !== 'cubes4d') parts.push(passing(setup, words, put));
  if (POOLS[variant]) parts.push(pool(words, variant, put));
  if (variant === 'dicechess') parts.push(dice(words, put));
  if (variant === 'twomove') parts.push(choice(T.setup.moves, [['2', '2'], ['1', '1']], words[6] ?? '2', (moves) => put(6, moves)));
  return parts;
}

/** @param {string[]} words @param {string} variant @param {(place: number, word: string) => void} put */
function rights(words, variant, put) {
  const letters = variant === 'cubes4d' ? 'RBrb' : 'KQkq';
  const label = (/** @type {string} */ letter) => `${letter === letter.toUpperCase() ? T.side.w : T.side.b}, ${T.setup.rights[/** @type {'K'} */ (letter.toUpperCase())]}`;
  const has = (/** @type {string} */ letter) => (words[2] ?? '').includes(letter);
  const toggle = (/** @type {string} */ letter) => put(2, [...letters].filter((one) => has(one) !== (one === letter)).join('') || '-');
  return html('fieldset', { class: 'rights' }, html('legend', {}, T.setup.castling), ...[...letters].map((letter) =>
    html('label', { key: letter }, html('input', { type: 'checkbox', checked: has(letter), 'data-right': letter, onchange: () => toggle(letter) }), label(letter))));
}

/** Where a pawn may be captured in passing: behind those that may have gone two squares. @param {import('./setup.js').Setup} setup @param {string[]} words @param {(place: number, word: string) => void} put */
function passing(setup, words, put) {
  const pieces = setup.pieces();
  const white = words[1] === 'w';
  const [rank, step, pawn] = white ? [4, 1, 'p'] : [3, -1, 'P'];
  const behind = [...pieces.values()].filter((one) => one.letter === pawn && at(one.square)[1] === rank)
    .map((one) => name(at(one.square)[0], rank + step))
    .filter((square) => !pieces.has(square) && !pieces.has(name(at(square)[0], rank + 2 * step)));
  const squares = [...new Set([...behind, words[3]])].filter((square) => square && square !== '-').toSorted();
  return choice(T.setup.passing, [['-', T.setup.none], ...squares.map((square) => /** @type {[string, string]} */ ([square, square]))], words[3] ?? '-', (square) => put(3, square));
}

/** What pawns can become; in Cubes 4D what is outside the game. @param {string[]} words @param {string} variant @param {(place: number, word: string) => void} put */
function pool(words, variant, put) {
  const isCubes = variant === 'cubes4d';
  const board = words[0].replace(/\[.*\]/, '');
  const letters = (isCubes ? (words[3] ?? '') : (/\[(.*)\]/.exec(words[0])?.[1] ?? '')).replaceAll('-', '');
  const write = (/** @type {string} */ all) => (isCubes ? put(3, all || '-') : put(0, `${board}[${all}]`));
  const side = (/** @type {(letter: string) => string} */ cased, /** @type {string} */ label) => html('div', { class: 'row' },
    html('span', { class: 'note' }, label),
    ...[...letters].map((letter, i) => letter === cased(letter) && html('button', { type: 'button', key: i, class: 'piecebutton', 'data-pool': letter, 'aria-label': T.setup.takeOut(pieceName(letter)), title: T.setup.takeOut(pieceName(letter)), onclick: () => write(letters.slice(0, i) + letters.slice(i + 1)) }, pieceIcon(letter, 24))),
    choice(T.setup.addOf(label), [['', T.setup.add], ...[...POOLS[variant]].map((letter) => /** @type {[string, string]} */ ([cased(letter), pieceName(cased(letter))]))], '', (letter) => { if (letter) write(letters + letter); }, true));
  return html('fieldset', { class: 'pools' }, html('legend', {}, isCubes ? T.outside : T.pool), side((letter) => letter.toUpperCase(), T.side.w), side((letter) => letter.toLowerCase(), T.side.b));
}

/** The dice of the turn, or none where they are still to be rolled. @param {string[]} words @param {(place: number, word: string) => void} put */
function dice(words, put) {
  const rolled = /^[A-Z]{3}$/i.test(words[6] ?? '') ? words[6].toUpperCase() : '';
  const pick = (/** @type {number} */ index) => choice(T.dice.die(index + 1), [...FACES].map((face) => /** @type {[string, string]} */ ([face, NAMES[face]])), rolled[index], (face) => put(6, [...rolled].map((old, i) => (i === index ? face : old)).join('')));
  return html('div', { class: 'row', id: 'setupdice' }, button(rolled ? T.setup.noDice : T.setup.dice, () => put(6, rolled ? '-' : 'PNB'), { class: 'small' }), ...(rolled ? [pick(0), pick(1), pick(2)] : []));
}
