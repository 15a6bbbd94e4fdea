// Learning from mistakes: the position before each mistake of a side, in which a better turn is to be found. Every turn is accepted
// that loses less than an inaccuracy, by a search of the server.

import { button, html } from './dom.js';
import { numbered, spelled } from './notation.js';
import { pieceName } from './pieces.js';
import { setting } from './settings.js';
import { T } from './text.js';

/** The turns of a side that are mistakes or blunders, by their places in the game. @param {any} app @param {string} side @returns {number[]} */
export function mistakesOf(app, side) {
  const isOne = (/** @type {any} */ one) => one && (one.quality === 'mistake' || one.quality === 'blunder') && app.state.turns[one.turn]?.side === side;
  return app.assessed.filter(isOne).map((/** @type {any} */ one) => one.turn);
}

/** The circle of a hint: where a turn begins. @param {any} step its first one @returns {string[]} */
export function hintShapes(step) {
  const square = step?.from ?? step?.to;
  return square ? [`G${square}`] : [];
}

/** The sentence of a hint: the piece that moves first. @param {any} app @param {any} step the first one of the turn */
export function hintText(app, step) {
  const moved = app.shown().pieces.find((/** @type {any} */ piece) => piece.square === step?.from)?.letter ?? step?.piece;
  return moved ? T.retry.hinted(pieceName(moved)) : T.retry.hintedCube;
}

export class Retry {
  /** @param {any} app @param {string} side @param {number[]} turns the mistakes */
  constructor(app, side, turns) {
    this.app = app;
    this.side = side;
    this.turns = turns;
    /** Which of them is looked at. */
    this.index = 0;
    /** @type {'find' | 'asked' | 'wrong' | 'right' | 'shown' | 'done'} */
    this.status = 'find';
    this.said = '';
    this.hinted = false;
    /** Those for which a better turn was found without being shown. @type {Set<number>} */
    this.solved = new Set();
  }

  /** The place before the mistake. */
  get path() {
    return String(this.turns[this.index]);
  }

  /** What was found about the mistake. @returns {any} */
  get assessed() {
    return this.app.assessed[this.turns[this.index]];
  }

  /** Whether a turn that is made on the board is an answer. */
  takes() {
    return (this.status === 'find' || this.status === 'wrong') && this.app.here() === this.path;
  }

  /** Whether the board has gone elsewhere. */
  isAway() {
    return this.status !== 'done' && this.app.here() !== this.path;
  }

  /** Shows the position before the mistake, with nothing tried. */
  async open() {
    this.app.preview = null;
    await this.app.goTo(this.path);
    this.app.redrawPanel();
  }

  /** Judges a whole turn. @param {any} place with the steps of the turn @param {any} looked the position behind it */
  async judge(place, looked) {
    const { app } = this;
    const made = app.state.turns[this.turns[this.index]];
    const tokens = (/** @type {any[]} */ steps) => steps.map((step) => step.token).join();
    if (place.steps.join() === tokens(made.steps)) return this.refuse(T.retry.same(spelled(made.san)));
    this.status = 'asked';
    this.said = T.retry.asked;
    app.redrawPanel();
    // Weighed by a search of its own, the report's best turn might be refused.
    const { best, best_steps: bestSteps } = this.assessed;
    const tried = place.steps.join() === tokens(bestSteps)
      ? { san: best, error: 0, accepted: true }
      : await app.ask({ do: 'weigh', place, nodes: setting('nodes') });
    if (app.retry !== this || this.status !== 'asked') return undefined;
    if (!tried) return this.refuse('');
    if (!tried.accepted) return this.refuse(T.retry.wrong(spelled(tried.san), tried.error));
    if (!this.hinted) this.solved.add(this.index);
    this.status = 'right';
    this.said = T.retry.right(spelled(tried.san), tried.error, spelled(best));
    app.preview = { view: looked.view, steps: [] };
    app.draw();
    return app.redrawPanel();
  }

  /** The turn is not good enough: once more. @param {string} why */
  async refuse(why) {
    await this.app.goTo(this.path);
    this.status = 'wrong';
    this.said = why;
    this.app.redrawPanel();
  }

  /** The circle of the hint. @returns {string[]} */
  shapes() {
    return this.hinted && this.takes() ? hintShapes(this.assessed?.best_steps[0]) : [];
  }

  hint() {
    this.hinted = true;
    this.said = hintText(this.app, this.assessed.best_steps[0]);
    this.app.draw();
    this.app.redrawPanel();
  }

  async show() {
    const { app } = this;
    const { best_token: token, best_steps: steps, best } = this.assessed;
    const views = await app.ask({ do: 'line', place: { path: this.path }, line: [token] });
    if (!views || app.retry !== this) return;
    await app.goTo(this.path);
    this.status = 'shown';
    this.said = T.retry.shown(spelled(best));
    app.preview = { view: views[0], steps };
    app.draw();
    app.redrawPanel();
  }

  /** Goes to the next mistake, or to the end. */
  async next() {
    this.hinted = false;
    if (this.index + 1 === this.turns.length) {
      this.status = 'done';
      this.said = T.retry.done(this.solved.size, this.turns.length);
      this.app.preview = null;
      this.app.draw();
      this.app.redrawPanel();
      return;
    }
    this.index += 1;
    this.status = 'find';
    this.said = '';
    await this.open();
  }

  leave() {
    const { app } = this;
    app.retry = null;
    app.preview = null;
    app.draw();
    app.redrawPanel();
  }

  /** What the panel says and offers. */
  panel() {
    const { app, status } = this;
    if (status === 'done') {
      return html('section', { class: 'lesson retry' }, html('p', { class: 'said done', role: 'status' }, this.said),
        html('div', { class: 'row' }, button(T.retry.again, () => begin(app, this.side), { class: 'small' }), button(T.retry.leave, () => this.leave(), { class: 'small primary' })));
    }
    const made = app.state.turns[this.turns[this.index]];
    const open = status === 'find' || status === 'wrong';
    const tone = { right: ' done', wrong: ' failed' }[/** @type {'right'} */ (status)] ?? '';
    return html('section', { class: 'lesson retry' },
      html('h2', {}, T.retry.title(this.index + 1, this.turns.length)),
      html('p', {}, T.retry.task(numbered(made), this.assessed.error, this.side)),
      html('p', { class: `said${tone}`, role: 'status' }, this.said),
      html('div', { class: 'row' },
        this.isAway() && button(T.retry.back, () => this.open(), { class: 'small primary' }),
        open && button(T.retry.hint, () => this.hint(), { class: 'small', disabled: this.hinted || this.isAway() }),
        open && button(T.retry.show, () => this.show(), { class: 'small' }),
        button(T.retry.next, () => this.next(), { class: `small${open ? '' : ' primary'}`, disabled: status === 'asked' }),
        button(T.retry.leave, () => this.leave(), { class: 'small' })));
  }
}

/** Begins with the first mistake of a side. @param {any} app @param {string} side */
export function begin(app, side) {
  // What the engine says of the position would be the answer.
  if (app.state.analysis) app.analyse(false);
  app.retry = new Retry(app, side, mistakesOf(app, side));
  return app.retry.open();
}
