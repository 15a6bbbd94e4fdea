// Puzzles: positions with one right turn, from easy to hard; what was solved is kept by the browser.

import { Refusal, getFile } from './api.js';
import { button, html } from './dom.js';
import { spelled } from './notation.js';
import { hintShapes, hintText } from './retry.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** How long each turn of a solution is shown, in ms. */
const PACE = 900;

/** The puzzles of each game, a line each, easy ones first. @type {Record<string, string[]>} */
const known = {};

/** Fetches the puzzles of a game; some have none. @param {string} variant */
async function load(variant) {
  try {
    known[variant] = (await getFile(`puzzles-${variant}.txt`)).trim().split('\n');
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    known[variant] = [];
  }
}

/** What was done with the puzzles of a game. @param {string} variant @returns {{ solved: number[], streak: number, best: number }} */
function record(variant) {
  return setting('puzzles')[variant] ?? { solved: [], streak: 0, best: 0 };
}

/** @param {string} variant @param {any} changed */
function note(variant, changed) {
  set('puzzles', { ...setting('puzzles'), [variant]: { ...record(variant), ...changed } });
}

/** How the puzzle on the board goes: a new one for each game that is opened. */
class Attempt {
  /** @param {string} id of the game @param {boolean} whole whether its first turn was not made yet: only then it counts */
  constructor(id, whole) {
    this.id = id;
    this.counts = whole;
    /** Whether help was taken or a wrong turn made. */
    this.spoiled = false;
    this.hinted = false;
    this.shown = false;
  }

  /** The circle of the hint. @param {any} app @returns {string[]} */
  shapes(app) {
    const { id, puzzle } = app.state;
    return this.hinted && id === this.id && puzzle?.status === 'open' ? hintShapes(wanted(app, puzzle)) : [];
  }
}

/** @param {any} app @returns {Attempt} */
function attempt(app) {
  if (app.notes.attempt?.id !== app.state.id) app.notes.attempt = new Attempt(app.state.id, app.state.turns.length === 0);
  return app.notes.attempt;
}

/** @param {any} app */
export async function panel(app) {
  const { variant, puzzle } = app.state;
  if (!known[variant]) await app.fetched(() => load(variant));
  if (!known[variant]) return [];
  const parts = [html('h2', {}, `${T.games[variant] ?? variant} · ${T.puzzles.title}`)];
  if (!known[variant].length) return [...parts, html('p', { class: 'note' }, T.puzzles.none)];
  return [...parts, puzzle ? current(app, puzzle) : overview(app), standing(variant)];
}

/** What was solved. @param {string} variant */
function standing(variant) {
  const { solved, streak, best } = record(variant);
  return html('p', { class: 'note' }, T.puzzles.standing(solved.length, known[variant].length, streak, best));
}

/** @param {any} app */
function overview(app) {
  return html('div', { class: 'lesson puzzle' }, html('p', {}, T.puzzles.about),
    html('div', { class: 'row' }, button(record(app.state.variant).solved.length ? T.puzzles.goOn : T.puzzles.begin, () => open(app, following(app.state.variant, -1)), { class: 'primary' }), any(app)));
}

/** @param {any} app */
function any(app) {
  const { variant } = app.state;
  return button(T.puzzles.any, () => open(app, Math.floor(Math.random() * known[variant].length)), { class: 'small' });
}

/** The first puzzle behind a number that was not solved, or the next one where all were. @param {string} variant @param {number} number */
function following(variant, number) {
  const solved = new Set(record(variant).solved);
  const order = Array.from({ length: known[variant].length }, (_, i) => (number + 1 + i) % known[variant].length);
  return order.find((one) => !solved.has(one)) ?? order[0];
}

/** @param {any} app @param {number} puzzle */
function open(app, puzzle) {
  app.preview = null;
  return app.openTask({ puzzle: { number: puzzle, text: known[app.state.variant][puzzle] } });
}

/** Counts the puzzle once it is decided. @param {any} app @param {any} puzzle */
function settle(app, puzzle) {
  const tried = attempt(app);
  const { variant } = app.state;
  if (puzzle.status === 'failed' || tried.shown) {
    if (!tried.spoiled) note(variant, { streak: 0 });
    tried.spoiled = true;
  }
  if (puzzle.status !== 'done' || !tried.counts || tried.spoiled) return;
  tried.counts = false;
  const { solved, streak, best } = record(variant);
  const longer = tried.hinted ? streak : streak + 1;
  note(variant, { solved: [...new Set([...solved, puzzle.number])], streak: longer, best: Math.max(best, longer) });
}

/** The first step of the turn that is looked for. @param {any} app @param {any} puzzle */
function wanted(app, puzzle) {
  return puzzle.solution[app.state.turns.length]?.steps[0];
}

/** @param {any} app @param {any} puzzle */
function current(app, puzzle) {
  settle(app, puzzle);
  const tried = attempt(app);
  const { number, mate, level, status, solution } = puzzle;
  const count = known[app.state.variant].length;
  const side = T.side[solution[0].side];
  const names = solution.map((/** @type {any} */ turn) => spelled(turn.san));
  const said = status === 'done' ? T.puzzles.done(names[0]) : tried.shown ? T.puzzles.shown(names.join(' ')) : status === 'failed' ? T.puzzles.failed(mate) : tried.hinted ? hintText(app, wanted(app, puzzle)) : app.state.turns.length ? T.puzzles.further : '';
  const isOpen = status === 'open' && !tried.shown;
  return html('div', { class: 'lesson puzzle' },
    html('h3', {}, T.puzzles.number(number + 1, count)),
    html('p', {}, T.puzzles.task(side, mate)),
    html('p', { class: 'note' }, T.puzzles.rating(app.levels(app.state.variant)[level - 1])),
    said && html('p', { class: `said ${status}`, role: 'status' }, said),
    html('div', { class: 'row' },
      status === 'failed' && button(T.puzzles.again, () => { app.preview = null; return app.act({ do: 'undo_turn' }); }, { class: 'primary' }),
      isOpen && button(T.puzzles.hint, () => hint(app), { disabled: tried.hinted }),
      (isOpen || (status === 'failed' && !tried.shown)) && button(T.puzzles.show, () => reveal(app, puzzle)),
      status === 'done' && solution.length > app.state.turns.length && button(T.puzzles.goesOn, () => reveal(app, puzzle)),
      button(T.puzzles.next, () => open(app, following(app.state.variant, number)), { class: status === 'done' || tried.shown ? 'primary' : 'small' }),
      any(app), button(T.puzzles.leave, () => { app.preview = null; return app.newGame(); }, { class: 'small' })));
}

/** @param {any} app */
function hint(app) {
  attempt(app).hinted = true;
  app.draw();
  app.redrawPanel();
}

/** Plays the solution on the board, turn by turn. @param {any} app @param {any} puzzle */
async function reveal(app, puzzle) {
  const tried = attempt(app);
  if (puzzle.status !== 'done') tried.shown = true;
  const { id } = app.state;
  const line = puzzle.solution.map((/** @type {any} */ turn) => turn.token);
  const views = await app.ask({ do: 'line', place: { path: '0' }, line });
  app.redrawPanel();
  for (const [index, view] of (views ?? []).entries()) {
    if (app.state.id !== id || app.notes.attempt !== tried) return;
    app.preview = { view, steps: puzzle.solution[index].steps };
    app.draw();
    await new Promise((done) => { setTimeout(done, PACE); });
  }
}
