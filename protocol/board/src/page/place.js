// Places in the tree of a game's turns, as the server writes them: `5` is the position after five turns of the game, `5.0.2` the
// one after two turns of the first variation to the sixth turn.

/** @param {string} path @returns {number[]} */
const numbers = (path) => path.split('.').map(Number);

/** The line in which a place lies, and how many of its turns are made. @param {any} state @param {string} path @returns {{ turns: any[], made: number, stem: string }} */
export function lineOf(state, path) {
  const parts = numbers(path);
  const made = /** @type {number} */ (parts.pop());
  let { turns } = state;
  for (let i = 0; i < parts.length; i += 2) turns = turns[parts[i]]?.variations?.[parts[i + 1]]?.turns ?? [];
  return { turns, made, stem: parts.map((part) => `${part}.`).join('') };
}

/** Whether the game has such a place. @param {any} state @param {string} path */
export function exists(state, path) {
  const { turns, made } = lineOf(state, path);
  return made <= turns.length && (path.includes('.') ? made > 0 : made >= 0);
}

/** The turn that leads to a place. @param {any} state @param {string} path */
export function turnAt(state, path) {
  const { turns, made } = lineOf(state, path);
  return turns[made - 1];
}

/** The turns from the first position to a place. @param {any} state @param {string} path @returns {any[]} */
export function turnsTo(state, path) {
  const parts = numbers(path);
  const all = [];
  let { turns } = state;
  for (let i = 0; i + 1 < parts.length; i += 2) {
    all.push(...turns.slice(0, parts[i]));
    turns = turns[parts[i]]?.variations?.[parts[i + 1]]?.turns ?? [];
  }
  all.push(...turns.slice(0, parts[parts.length - 1]));
  return all;
}

/** The place before; null at the beginning. @param {string} path */
export function before(path) {
  const parts = numbers(path);
  const made = /** @type {number} */ (parts.pop());
  if (made > 1 || (made === 1 && !parts.length)) return [...parts, made - 1].join('.');
  if (!parts.length) return null;
  parts.pop();
  return parts.join('.');
}

/** The place behind, on the same line; null at its end. @param {any} state @param {string} path */
export function behind(state, path) {
  const { turns, made, stem } = lineOf(state, path);
  return made < turns.length ? `${stem}${made + 1}` : null;
}

/** The first place of the line, or where the variation leaves its line. @param {string} path */
export function lineStart(path) {
  const parts = numbers(path);
  return parts.length > 1 ? parts.slice(0, -2).join('.') : '0';
}

/** The last place of the line. @param {any} state @param {string} path */
export function lineEnd(state, path) {
  const { turns, stem } = lineOf(state, path);
  return `${stem}${turns.length}`;
}

/** The other lines that begin where the turn begins that leads to a place, in their order, the line itself first. @param {any} state @param {string} path @returns {string[]} */
export function siblings(state, path) {
  const parts = numbers(path);
  const made = /** @type {number} */ (parts.at(-1));
  let at = made - 1;
  let stem = parts.slice(0, -1);
  if (made === 1 && stem.length) {
    at = /** @type {number} */ (stem.at(-2));
    stem = stem.slice(0, -2);
  }
  const { turns } = lineOf(state, [...stem, at].join('.'));
  const turn = turns[at];
  if (!turn) return [];
  return [[...stem, at + 1].join('.'), ...(turn.variations ?? []).map((/** @type {any} */ _, /** @type {number} */ i) => [...stem, at, i, 1].join('.'))];
}

/** A name for a position that is looked at. @param {{ path: string, roll?: string, steps?: string[] } | null | undefined} place */
export function keyOf(place) {
  return place ? `${place.path} ${place.roll ?? ''} ${(place.steps ?? []).join()}` : '';
}
