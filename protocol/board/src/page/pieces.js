// The drawings of the pieces: one body of paths for each letter, the same for both colours. A family has one sign: whoever
// leaps as a knight is a horse, and the superpieces wear what they have besides (crown, tower, mitre, the king's cross).

import { svg } from './dom.js';
import { setting } from './settings.js';

const FOOT = '<path class="b" d="M22 89v-4q0-7 8-8h40q8 1 8 8v4q0 2-2 2H24q-2 0-2-2z"/>';
const HORSE =
  '<path class="b" d="M76 78C79 58 76 33 57 23L59 10 46 19C37 22 32 28 29 37 25 45 17 51 14 58 12 65 18 71 25 69l9-5c8 1 13-1 18-8 1 9-4 13-10 17-3 2-5 3-6 5z"/>' +
  '<circle class="f" cx="37" cy="38" r="3.4"/><path class="d" d="M60 28c9 9 11 24 9 43M20 61l4-2"/>';
/** A horse that leaves room for what it wears. */
const STEED = `<g transform="translate(8 17) scale(.8)">${HORSE}</g>`;

/** @type {Record<string, string>} */
const DRAWINGS = {
  P: '<circle class="b" cx="50" cy="36" r="14"/><path class="b" d="M35 49h30q3 0 3 3.500t-3 3.500h-6c1 10 5 16 12 21H29c7-5 11-11 12-21h-6q-3 0-3-3.500t3-3.500z"/>',
  G:
    '<circle class="b" cx="50" cy="12" r="5"/><path class="b" d="M31 36C31 14 69 14 69 36z"/><path class="b" d="M20 36h60q3 0 3 4t-3 4H20q-3 0-3-4t3-4z"/>' +
    '<path class="b" d="M38 44h24v8c3 12 8 19 15 25H23c7-6 12-13 15-25z"/><path class="d" d="M36 58l14 9 14-9"/>',
  N: HORSE,
  B:
    '<circle class="b" cx="50" cy="13" r="5.500"/><path class="b" d="M50 18c17 11 23 26 13 39H37c-10-13-4-28 13-39z"/><path class="d" d="M50 29v17M42 37h16"/>' +
    '<path class="b" d="M33 57h34q3 0 3 3.500t-3 3.500h-5c1 6 5 10 10 13H28c5-3 9-7 10-13h-5q-3 0-3-3.500t3-3.500z"/>',
  R:
    '<path class="b" d="M26 18h11v8h8v-8h10v8h8v-8h11v19l-9 7v24l7 9H28l7-9V44l-9-7z"/><path class="d" d="M35 44h30M35 67h30"/>',
  Q:
    '<path class="b" d="M25 64 16 31l18 16 2-25 14 22 14-22 2 25 18-16-9 33z"/><circle class="b" cx="15" cy="28" r="5"/><circle class="b" cx="36" cy="19" r="5"/>' +
    '<circle class="b" cx="64" cy="19" r="5"/><circle class="b" cx="85" cy="28" r="5"/><path class="b" d="M25 64h50l-3 13H28z"/><path class="d" d="M30 70h40"/>',
  K:
    '<path class="b" d="M46 6h8v7h8v8h-8v10h-8V21h-8v-8h8z"/><path class="b" d="M50 62C30 62 16 52 18 40 20 27 41 27 50 43 59 27 80 27 82 40 84 52 70 62 50 62z"/>' +
    '<path class="d" d="M50 43v18"/><path class="b" d="M26 60c14 5 34 5 48 0l-2 17H28z"/><path class="d" d="M29 69c14 4 28 4 42 0"/>',
  A:
    STEED +
    '<path class="b" d="M30 37 20 13l17 11L50 8l13 16 17-11-10 24z"/><circle class="b" cx="20" cy="11" r="4.500"/><circle class="b" cx="50" cy="6.500" r="4.500"/><circle class="b" cx="80" cy="11" r="4.500"/>',
  E: STEED + '<path class="b" d="M26 8h11v7h8V8h10v7h8V8h11v29H26z"/><path class="d" d="M26 25h48"/>',
  S:
    STEED +
    '<path class="b" d="M50 3c17 7 24 20 20 34H30C26 23 33 10 50 3z"/><path class="d" d="M50 13v17M42 21h16"/>',
  V:
    STEED +
    '<path class="b" d="M45 3h10v6h8v8h-8v9h-10v-9h-8V9h8z"/><path class="b" d="M27 26h46v11H27z"/>',
};

/** The other set: the letter of each piece on a disc, by which superpieces are recognized at once. @param {string} letter */
const disc = (letter) => `<circle class="b" cx="50" cy="50" r="41"/><text class="f" x="50" y="69" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" font-size="54">${letter}</text>`;

/** The body of a piece in the set that is chosen. @param {string} letter capital */
function drawingOf(letter) {
  return setting('pieces') === 'letters' ? disc(letter) : DRAWINGS[letter] + FOOT;
}

/** The names of the pieces, for those who hear them. */
export const NAMES = /** @type {Record<string, string>} */ ({
  P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king',
  A: 'Amazon', E: 'Empress', S: 'Princess', V: 'Veteran', G: 'Grand Pawn',
});

/** The faces of the dice, 1 to 6. */
export const FACES = 'PNBRQK';

/** @param {string} letter a piece, capital for White */
export function isWhite(letter) {
  return letter === letter.toUpperCase();
}

/** @param {string} letter */
export function pieceName(letter) {
  return `${isWhite(letter) ? 'white' : 'black'} ${NAMES[letter.toUpperCase()] ?? letter}`;
}

/** Puts the drawings of the chosen set into the document: everything else refers to them. */
export function installPieces() {
  document.querySelector('svg.defs')?.remove();
  const defs = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ width: 0, height: 0, 'aria-hidden': true, class: 'defs' })) defs.setAttribute(name, String(value));
  const icon = '<symbol id="icon" viewBox="0 0 32 32"><path d="M16 3 27 9.500v13L16 29 5 22.500v-13z" fill="#f2c48d"/><path d="M16 16 27 9.500v13L16 29z" fill="#8c3a17"/><path d="M16 16 5 9.500v13L16 29z" fill="#d9632a"/></symbol>';
  const symbols = Object.keys(DRAWINGS).map((letter) => `<symbol id="piece-${letter}" viewBox="0 0 100 100">${drawingOf(letter)}</symbol>`);
  defs.innerHTML = icon + symbols.join('');
  document.body.append(defs);
}

/**
 * A piece to be put into a drawing.
 * @param {string} letter capital for White
 * @param {number} x @param {number} y the upper left corner
 * @param {number} size
 */
export function piece(letter, x, y, size) {
  return svg('use', {
    href: `#piece-${letter.toUpperCase()}`, x, y, width: size, height: size,
    class: `piece ${isWhite(letter) ? 'white' : 'black'}`,
  });
}

/** The paths of a piece in its own colours, for what cannot refer to the document. @param {string} letter capital for White */
export function bodyOf(letter) {
  const color = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [fill, line, detail] = (isWhite(letter) ? ['--white-piece', '--white-line', '--white-line'] : ['--black-piece', '--black-line', '--black-detail']).map(color);
  const body = drawingOf(letter.toUpperCase()).replaceAll('class="b"', `fill="${fill}" stroke="${line}"`).replaceAll('class="d"', `fill="none" stroke="${detail}"`).replaceAll('class="f"', `fill="${detail}"`);
  return `<g stroke-width="4" stroke-linejoin="round" stroke-linecap="round">${body}</g>`;
}

/** A piece as the address of a picture. @param {string} letter */
export function piecePicture(letter) {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="256" height="256">${bodyOf(letter)}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** A piece that stands by itself. @param {string} letter @param {number} size */
export function pieceIcon(letter, size) {
  return svg('svg', { viewBox: '0 0 100 100', width: size, height: size, 'aria-hidden': 'true', class: 'icon' }, piece(letter, 0, 0, 100));
}
