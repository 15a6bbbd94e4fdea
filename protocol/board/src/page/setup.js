// A position set up by hand; the position parser says what is wrong with it.

import { Refusal, post } from './api.js';
import { button, choice, html } from './dom.js';
import { at, name } from './flat.js';
import { pieceIcon, pieceName } from './pieces.js';
import { T } from './text.js';

const PIECES = /** @type {Record<string, string>} */ ({ superchess: 'KQAESVRBNP', cubes4d: 'KQNRBGP', breakthrough: 'P' });

/** A position that is being set up. */
class Setup {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    /** What a click does: a piece's letter, `hand`, `remove`, `raise` or `lower`. */
    this.tool = 'hand';
    /** @type {string | null} */
    this.held = null;
    this.fen = app.shown().fen;
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

  /** @param {string} square @param {string | null} letter */
  put(square, letter) {
    const pieces = this.pieces();
    if (letter) pieces.set(square, { square, letter });
    else pieces.delete(square);
    this.view.pieces = [...pieces.values()];
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (to === from) return this.app.draw();
    const one = this.pieces().get(from);
    if (one) {
      this.put(from, null);
      if (to) this.put(to, one.letter);
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
    this.app.draw();
    this.check();
  }

  /** Asks the parser. */
  async check() {
    const asked = this.fen;
    try {
      const { view, warnings } = await post('/api/check', { variant: this.app.state.variant, fen: asked, rules: this.app.state.rules });
      if (asked !== this.fen) return;
      this.sound = true;
      this.verdict = [T.setup.good, ...warnings].join(' ');
      // What was dropped is said once.
      if (warnings.length) this.fen = view.fen;
      this.view = { ...view, steps: [] };
      this.app.draw();
    } catch (error) {
      if (asked !== this.fen) return;
      this.sound = false;
      this.verdict = error instanceof Refusal ? error.message : String(error);
    }
    this.app.redrawPanel();
  }

  /** @param {string} fen */
  read(fen) {
    this.fen = fen.trim();
    return this.check();
  }

  /** @param {string} side */
  setSide(side) {
    const words = this.fen.split(' ');
    words[1] = side;
    return this.read(words.join(' '));
  }
}

/** @param {any} app */
export function panel(app) {
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
    type: 'button', class: `piecebutton${setup.tool === letter ? ' chosen' : ''}`, 'aria-pressed': String(setup.tool === letter), 'aria-label': pieceName(letter), title: pieceName(letter), onclick: () => choose(app, letter),
  }, pieceIcon(letter, 32))));
  const text = html('textarea', { id: 'setupfen', 'aria-label': T.setup.fen, spellcheck: false, value: setup.fen, onchange: (/** @type {Event} */ event) => setup.read(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value) });
  const play = (/** @type {any} */ more) => app.newGame({ fen: setup.fen, ...more });
  return [
    html('h2', {}, T.setup.title), html('p', { class: 'note' }, T.setup.tools),
    html('div', { class: 'palette' }, tool('hand', T.setup.hand), tool('remove', T.setup.remove), setup.view.relief && tool('raise', T.setup.raise), setup.view.relief && tool('lower', T.setup.lower)),
    row(letters), row(letters.map((letter) => letter.toLowerCase())),
    choice(T.setup.side, [['w', T.side.w], ['b', T.side.b]], setup.fen.split(' ')[1] ?? 'w', (side) => setup.setSide(side)),
    html('label', { class: 'choice' }, T.setup.fen, text),
    html('p', { class: setup.sound ? 'right' : 'wrong', role: 'status', id: 'verdict' }, setup.verdict),
    html('div', { class: 'row' }, button(T.setup.start, () => setup.read('startpos').then(() => setup.read(setup.view.fen))), button(T.setup.empty, () => { setup.view.pieces = []; setup.changed(); })),
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
