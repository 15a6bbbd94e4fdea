// What the person has chosen, kept by the browser.

/** @type {Record<string, any>} */
const DEFAULTS = {
  theme: 'auto', relief: 'cubes', notation: 'squares', size: 1, turned: 0, level: 3, lines: 3, threads: 1, hash: 64, clock: 'free', minutes: 15, increment: 10, arrows: true,
  tab: 'play', lessons: {}, puzzles: {}, nodes: 20000, board: 'slate', pieces: 'drawn', sounds: true,
};
const KEY = 'fauve';

/** What the browser keeps now, whichever tab has written it. @returns {Record<string, any>} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** @type {Record<string, any>} */
const kept = { ...DEFAULTS, ...stored() };

/** @param {string} name */
export function setting(name) {
  // What was learned and solved in another tab counts in this one.
  if (name === 'lessons' || name === 'puzzles') kept[name] = stored()[name] ?? kept[name];
  return kept[name];
}

/** @param {string} name @param {unknown} value */
export function set(name, value) {
  kept[name] = value;
  try {
    // Only this: another tab may have chosen otherwise meanwhile.
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), [name]: value }));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The game of this tab, so that it is found after a reload; other tabs have their own. */
export const tab = {
  /** @returns {any} */
  get() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    } catch {
      return null;
    }
  },
  /** The game that is shown now; the last one of each kind is kept beside it. @param {any} value */
  set(value) {
    try {
      const one = { ...value };
      delete one.games;
      const games = { ...tab.get()?.games, [value.variant]: one };
      sessionStorage.setItem(KEY, JSON.stringify({ ...value, games }));
    } catch {
      // As above.
    }
  },
};

/** Shows the page light or dark, and the board in its colours. */
export function applyTheme() {
  document.documentElement.dataset.board = kept.board;
  const theme = kept.theme;
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
