// The two names of a cell in Cubes 4D: as the lines of the arena are lettered and numbered, `f8`, or as the rules count from its middle,
// `(-2,0)`, with the level as a third number. A switch says which one board, list and sentences have.

import { setting } from './settings.js';

/** The file and rank from 0 of the middle of the arena. */
const MIDDLE = 7;

/** Whether cells are counted from the middle. */
export function isCounted() {
  return document.body.dataset.game === 'cubes4d' && setting('notation') === 'counted';
}

/** The name of a file. @param {number} file from 0 */
export function fileName(file) {
  return isCounted() ? String(file - MIDDLE) : String.fromCharCode(97 + file);
}

/** The name of a rank. @param {number} rank from 0 */
export function rankName(rank) {
  return String(isCounted() ? rank - MIDDLE : rank + 1);
}

/** A turn with its number, as people count: `3. Nf3` of White, `3… Nc6` of Black. @param {any} turn of the game */
export function numbered(turn) {
  return `${turn.number}${turn.side === 'w' ? '.' : '…'} ${spelled(turn.san)}`;
}

/** A turn or a sentence with the names that are wanted. @param {string} text */
export function spelled(text) {
  if (document.body.dataset.game !== 'cubes4d') return text;
  if (isCounted()) return text.replace(/\b([a-o])(1[0-5]|[1-9])\b/g, (_, file, rank) => `(${file.charCodeAt(0) - 97 - MIDDLE},${rank - 1 - MIDDLE})`);
  return text.replace(/\((-?\d+),(-?\d+)(?:,\d+)?\)/g, (_, file, rank) => String.fromCharCode(97 + MIDDLE + Number(file)) + (Number(rank) + MIDDLE + 1));
}
