// A position set up by hand; the position parser says what is wrong with it.

import { Refusal, post } from './api.js';
import { button, choice, html } from './dom.js';
import { DROPPED, DROPPED_FLAT, fields } from './fields.js';
import { at, name } from './flat.js';
import { pieceIcon, pieceName } from './pieces.js';
import { T } from './text.js';

const PIECES = /** @type {Record<string, string>} */ ({ superchess: 'KQAESVRBNP', cubes4d: 'KQNRBGP', breakthrough: 'P' });

/** A position that is being set up. */
export class Setup {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    /** What a click does: a piece's letter, `hand`, `remove`, `raise` or `lower`. */
    this.tool = 'hand';
    /** @type {string | null} */
    this.held = null;
    this.fen = app.shown().fen;
    /** The position string as it is being written. @type {string | null} */
    this.draft = null;
    this.view = structuredClone(app.shown());
    this.view.steps = [];
    this.verdict = '';
    this.sound = true;
    this.check();
  }

  /** The pieces by squares. */
  pieces() {
    return new Map(this.view.pieces.map((/** @type {any} */ one) => [one.square, one]));
  }

  /** @returns {import('./flat.js').Marks} */
  marks() {
    return { selected: this.held, arrows: [], targets: new Map(), sources: new Set() };
  }

  /** Whether there is something to drag on a square without a piece: a cube. @param {string} square */
  lifts(square) {
    return Boolean(this.view.relief && this.height(square) > 0);
  }

  /** @param {string} square */
  height(square) {
    return this.app.board.ground(square).height;
  }

  /** @param {string} square @param {number} height */
  setHeight(square, height) {
    const { relief } = this.view;
    const [file, rank] = at(square);
    const [left, bottom] = relief.origin;
    const row = [...relief.heights[rank - bottom]];
    row[file - left] = String(height);
    relief.heights[rank - bottom] = row.join('');
  }

  /** @param {string} square */
  pick(square) {
    const { tool } = this;
    if (tool === 'raise') this.setHeight(square, Math.min(3, this.height(square) + 1));
    else if (tool === 'lower') this.setHeight(square, Math.max(0, this.height(square) - 1));
    else if (tool === 'remove') this.put(square, null);
    else if (tool === 'hand') {
      if (this.held && this.held !== square) {
        this.drop(this.held, square);
        this.held = null;
        return;
      }
      this.held = this.held || !this.pieces().has(square) ? null : square;
      this.app.draw();
      return;
    } else this.put(square, this.pieces().get(square)?.letter === tool ? null : tool);
    this.changed();
  }

  /** @param {string} square @param {string | null} letter @param {boolean} [promoted] whether the piece was a pawn */
  put(square, letter, promoted = false) {
    const pieces = this.pieces();
    if (letter) pieces.set(square, { square, letter, promoted });
    else pieces.delete(square);
    this.view.pieces = [...pieces.values()];
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (to === from) return this.app.draw();
    const one = this.pieces().get(from);
    if (one) {
      this.put(from, null);
      if (to) this.put(to, one.letter, one.promoted);
    } else if (to && this.height(from) > 0 && this.height(to) < 3) {
      const [low, high] = [this.height(from), this.height(to)];
      this.setHeight(from, low - 1);
      this.setHeight(to, high + 1);
    }
    this.changed();
  }

  /** The board of the position string, from what is on the board. */
  placement() {
    const pieces = this.pieces();
    const letter = (/** @type {string} */ square) => {
      const one = pieces.get(square);
      return one ? one.letter + (one.promoted ? '~' : '') : '';
    };
    const { left, bottom, width, height } = this.app.board.bounds();
    const ranks = [];
    for (let rank = bottom + height - 1; rank >= bottom; rank--) {
      let text = '';
      let free = 0;
      for (let file = left; file < left + width; file++) {
        const square = name(file, rank);
        if (this.view.relief) text += `${this.height(square)}${letter(square)}`;
        else if (pieces.has(square)) {
          text += (free ? String(free) : '') + letter(square);
          free = 0;
        } else free++;
      }
      ranks.push(text + (free ? String(free) : ''));
    }
    const corner = this.view.relief ? `${name(left, bottom + height - 1)}:` : '';
    return corner + ranks.join('/');
  }

  /** The board was changed: the other words of the string stay. */
  changed() {
    const words = this.fen.split(' ');
    const pool = /\[.*\]/.exec(words[0])?.[0] ?? '';
    words[0] = this.placement() + pool;
    this.fen = words.join(' ');
    this.draft = null;
    this.app.draw();
    this.check(DROPPED[this.app.state.variant] ?? DROPPED_FLAT);
  }

  /** A piece of the palette was put on a square, or beside the board. @param {string} letter @param {string | null} square */
  bring(letter, square) {
    if (!square) return this.app.draw();
    this.put(square, letter);
    this.changed();
  }

  /** Asks the parser; where it refuses the string, once more without what a change of the board has contradicted. @param {number[]} [droppable] the words that it can contradict */
  async check(droppable = []) {
    const asked = this.fen;
    const ask = (/** @type {string} */ fen) => post('/api/check', { variant: this.app.state.variant, fen, rules: this.app.state.rules });
    let good = null;
    let refused = '';
    let dropped = '';
    try {
      good = await ask(asked);
    } catch (error) {
      refused = error instanceof Refusal ? error.message : String(error);
      // Where it is refused without all of them, they are not what is wrong.
      const tries = lowered(asked, droppable);
      const bare = tries.at(-1);
      if (!bare || !(await ask(bare).catch(() => null))) tries.length = 0;
      for (const fen of tries) {
        good = await ask(fen).catch(() => null);
        if (!good) continue;
        dropped = T.setup.dropped;
        break;
      }
    }
    if (asked !== this.fen) return;
    this.sound = Boolean(good);
    this.verdict = refused;
    if (good) {
      const { view, warnings } = good;
      this.verdict = [T.setup.good, ...warnings, dropped].filter(Boolean).join(' ');
      // What was dropped is said once.
      if (warnings.length || dropped) this.fen = view.fen;
      this.view = { ...view, steps: [] };
      this.app.draw();
    }
    this.app.redrawPanel();
  }

  /** The start position of the game, where there is one its prologue. */
  async start() {
    const { view } = await post('/api/check', { variant: this.app.state.variant, fen: 'startpos', rules: this.app.state.rules });
    await this.read(view.fen);
  }

  /** @param {string} fen */
  read(fen) {
    this.fen = fen.trim();
    this.draft = null;
    return this.check();
  }

  /** @param {string} side */
  setSide(side) {
    const words = this.fen.split(' ');
    words[1] = side;
    return this.read(words.join(' '));
  }
}

/** A string with less and less of some of its words, the most that is left first. @param {string} fen @param {number[]} places */
function lowered(fen, places) {
  /** @type {string[]} */
  const words = fen.split(' ');
  let all = [words];
  for (const place of places.filter((one) => words[one] && words[one] !== '-')) {
    const letters = [...words[place]];
    // Of rights each may stay or go; a square stays or goes.
    const parts = place === 2 ? Array.from({ length: 2 ** letters.length }, (_, set) => letters.filter((_letter, i) => set & (1 << i)).join('')) : ['', words[place]];
    all = all.flatMap((one) => parts.map((part) => one.map((word, i) => (i === place ? part || '-' : word))));
  }
  return all.map((one) => one.join(' ')).filter((one) => one !== fen).toSorted((a, b) => b.length - a.length || (a < b ? 1 : -1));
}

/** @param {any} app */
export function panel(app) {
  // What was set up before another tab was looked at is still there.
  if (!app.setup && app.notes.setup?.variant === app.state.variant) {
    app.setup = app.notes.setup;
    app.draw();
  }
  if (!app.setup || app.setup.variant !== app.state.variant) {
    app.setup = new Setup(app);
    app.setup.variant = app.state.variant;
    app.draw();
  }
  /** @type {Setup} */
  const setup = app.setup;
  const { variant } = app.state;
  const tool = (/** @type {string} */ which, /** @type {string} */ text) => button(text, () => choose(app, which), { 'aria-pressed': String(setup.tool === which) });
  const letters = [...(PIECES[variant] ?? 'KQRBNP')];
  const row = (/** @type {string[]} */ pieces) => html('div', { class: 'palette' }, ...pieces.map((letter) => html('button', {
    type: 'button', class: `piecebutton${setup.tool === letter ? ' chosen' : ''}`, 'aria-pressed': String(setup.tool === letter), 'aria-label': pieceName(letter), title: pieceName(letter), 'data-palette': letter, onclick: () => choose(app, letter), onpointerdown: (/** @type {PointerEvent} */ event) => app.input.downPalette(event, letter),
  }, pieceIcon(letter, 32))));
  const typed = (/** @type {Event} */ event) => /** @type {HTMLTextAreaElement} */ (event.currentTarget).value;
  const text = html('textarea', {
    id: 'setupfen', 'aria-label': T.setup.fen, spellcheck: false, value: setup.draft ?? setup.fen, oninput: (/** @type {Event} */ event) => { setup.draft = typed(event); }, onchange: (/** @type {Event} */ event) => setup.read(typed(event)),
  });
  const play = (/** @type {any} */ more) => {
    app.notes.setup = null;
    return app.newGame({ fen: setup.fen, ...more });
  };
  return [
    html('h2', {}, T.setup.title), html('p', { class: 'note' }, T.setup.tools),
    html('div', { class: 'palette' }, tool('hand', T.setup.hand), tool('remove', T.setup.remove), setup.view.relief && tool('raise', T.setup.raise), setup.view.relief && tool('lower', T.setup.lower)),
    row(letters), row(letters.map((letter) => letter.toLowerCase())),
    choice(T.setup.side, [['w', T.side.w], ['b', T.side.b]], setup.fen.split(' ')[1] ?? 'w', (side) => setup.setSide(side)),
    ...fields(setup, variant),
    html('label', { class: 'choice' }, T.setup.fen, text),
    html('p', { class: setup.sound ? 'right' : 'wrong', role: 'status', id: 'verdict' }, setup.verdict),
    html('div', { class: 'row' }, button(T.setup.start, () => setup.start()), button(T.setup.board, () => { app.setup = app.notes.setup = null; app.redrawPanel(); }), button(T.setup.empty, () => { setup.view.pieces = []; setup.changed(); })),
    html('div', { class: 'row' }, button(T.setup.play, () => play({}).then(() => app.show('play')), { class: 'primary', disabled: !setup.sound }),
      button(T.setup.analyse, () => play({ white: { kind: 'human' }, black: { kind: 'human' } }).then(() => app.show('analyse')), { disabled: !setup.sound })),
  ];
}

/** @param {any} app @param {string} tool */
function choose(app, tool) {
  app.setup.tool = app.setup.tool === tool ? 'hand' : tool;
  app.setup.held = null;
  app.redrawPanel();
}
