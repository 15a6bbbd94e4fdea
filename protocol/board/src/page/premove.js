// Premoves: a turn that a person puts together while the other side thinks, and that is made as soon as it can be.

import { announce } from './dom.js';
import { T } from './text.js';

/** The pieces that a pawn may become, the strongest first. */
const STRONGEST = 'AQESVRGBNP';
/** How many moves a turn has, where that is more than one. @type {Record<string, number>} */
const MOVES = { twomove: 2 };

/** The order of steps between the same squares: what becomes the strongest piece comes first. @param {any} step */
export function strength(step) {
  return STRONGEST.indexOf((step.piece ?? '').toUpperCase());
}

export class Premoves {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    /** The moves of the turn, in their order. @type {{ from: string, to: string }[]} */
    this.queue = [];
  }

  /** The side that waits for its turn, a person's; nothing where nobody waits. @returns {'w' | 'b' | null} */
  waiting() {
    const { app } = this;
    const { state } = app;
    if (!state.id || !app.isLive() || state.end || app.task() || state.stalled || app.gone) return null;
    const [mover, other] = state.view.side === 'w' ? [state.white, state.black] : [state.black, state.white];
    if (mover.kind === 'human' || other.kind !== 'human') return null;
    return state.view.side === 'w' ? 'b' : 'w';
  }

  /** The side whose turn may be prepared; nothing where that cannot be: with dice nobody knows what can be moved. @returns {'w' | 'b' | null} */
  side() {
    const { variant, view } = this.app.state;
    return variant === 'dicechess' || view.tray ? null : this.waiting();
  }

  /** Says why nothing can be prepared, where a person tries that. */
  refuse() {
    const { app } = this;
    if (app.state.variant === 'dicechess' && this.waiting()) app.say(T.premove.noDice);
  }

  /** @param {string} from @param {string} to */
  add(from, to) {
    if (this.queue.length >= (MOVES[this.app.state.variant] ?? 1)) this.queue = [];
    this.queue.push({ from, to });
    announce(T.premove.set(from, to));
  }

  clear() {
    this.queue = [];
  }

  /** The position as it would be after the moves. @param {any} view */
  preview(view) {
    return this.queue.reduce((seen, { from, to }) => {
      const moved = seen.pieces.find((/** @type {any} */ one) => one.square === from);
      if (!moved) return seen;
      const others = seen.pieces.filter((/** @type {any} */ one) => one.square !== to && one !== moved);
      return { ...seen, pieces: [...others, { ...moved, square: to }] };
    }, view);
  }

  /** What is drawn of them. */
  arrows() {
    return this.queue.map(({ from, to }) => ({ line: /** @type {[string, string]} */ ([from, to]), kind: 'premove' }));
  }

  /** Makes the moves, now that it may be the person's turn. */
  async play() {
    const { app, queue } = this;
    if (!queue.length || (this.side() && !app.canMove())) return;
    this.clear();
    for (const { from, to } of queue) {
      if (!app.isPlayed() || !app.canMove()) break;
      const [step] = app.state.view.steps.filter((/** @type {any} */ one) => one.from === from && one.to === to).toSorted((/** @type {any} */ a, /** @type {any} */ b) => strength(a) - strength(b));
      if (!step) {
        app.draw();
        app.say(T.premove.impossible(from, to), true);
        return;
      }
      await app.send(step.token, true);
      if (app.failed) return;
    }
    app.draw();
  }
}
