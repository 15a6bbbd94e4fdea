// How a turn is put together: clicks, drags and keys on the board, the tray and the choices, from the steps that the server
// allows. What is not among them is asked about, and the reason shown.

import { ask, html, show, svg } from './dom.js';
import { at, name, squareOf } from './flat.js';
import { spelled } from './notation.js';
import { isWhite, pieceIcon, pieceName } from './pieces.js';
import { strength } from './premove.js';
import { T } from './text.js';

/**
 * What the input needs of the page.
 * @typedef {object} Host
 * @property {() => any} view the position on the board
 * @property {() => boolean} canMove
 * @property {() => any} board
 * @property {() => import('./premove.js').Premoves} premoves
 * @property {() => any} setup what takes clicks while a position is set up, or null
 * @property {(token: string, dropped?: boolean) => void} send
 * @property {(from: string, to: string) => void} why
 * @property {() => void} redraw
 * @property {() => void} undoStep
 * @property {(shape: string) => void} shapes an arrow or a circle was drawn
 */

/** How far a pointer goes before it drags. */
const SLACK = 6;
/** Within how many milliseconds a pointer's own click follows when it is lifted. */
const CLICK_FOLLOWS = 300;

export class Input {
  /** @param {HTMLElement} root @param {Host} host */
  constructor(root, host) {
    this.root = root;
    this.host = host;
    /** @type {string | null} */
    this.selected = null;
    /** The superpiece that is taken from the tray. @type {string | null} */
    this.tray = null;
    /** The placement that may still get a swap. @type {any} */
    this.placing = null;
    /** @type {string | null} */
    this.swapFrom = null;
    /** @type {string | undefined} */
    this.cursor = undefined;
    /** @type {any} */
    this.drag = null;
    /** The arrow or circle that is being drawn. @type {string | null} */
    this.shape = null;
    /** Whether what is being chosen was put on its square by hand. */
    this.dropping = false;
    /** @type {any} */
    this.drawn = null;
    /** When a pointer was last lifted, as events tell the time. */
    this.lifted = -Infinity;
    root.addEventListener('pointerdown', (event) => this.down(event));
    root.addEventListener('click', (event) => this.click(event));
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('focusin', (event) => {
      const square = squareOf(event.target);
      if (square) this.cursor = square;
    });
    addEventListener('pointermove', (event) => this.move(event));
    addEventListener('pointerup', (event) => this.up(event));
    addEventListener('pointercancel', () => this.letGo());
    addEventListener('keydown', (event) => { if (event.key === 'Escape' && (this.drag || this.shape)) this.letGo(); });
    root.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /** Forgets the steps that were begun. */
  reset() {
    this.selected = this.tray = this.placing = this.swapFrom = null;
  }

  /** @returns {any[]} */
  steps() {
    return this.host.canMove() ? this.host.view().steps : [];
  }

  /** The squares on which something may begin. */
  sources() {
    return new Set(this.steps().filter((step) => step.from).map((step) => step.from));
  }

  /** Where the chosen piece, cube or superpiece can go. @returns {Map<string, string>} */
  targets() {
    /** @type {Map<string, string>} */
    const targets = new Map();
    for (const step of this.steps()) {
      if (this.placing) {
        if (!step.swap || !step.token.startsWith(`${this.placing.token},`)) continue;
        if (this.swapFrom && !step.swap.includes(this.swapFrom)) continue;
        for (const square of step.swap) if (square !== this.swapFrom) targets.set(square, 'swap');
      } else if (this.tray) {
        if (step.kind === 'place' && step.piece.toUpperCase() === this.tray) targets.set(step.to, 'place');
      } else if (this.selected) {
        if (step.from === this.selected) targets.set(step.to, step.kind === 'cube' ? 'cube' : step.captures ? 'capture' : step.kind === 'castle' ? 'castle' : 'move');
      } else if (step.kind === 'choose') {
        targets.set(step.to, 'place');
      }
    }
    return targets;
  }

  /** What is lit because of the input. @returns {import('./flat.js').Marks} */
  marks() {
    const targets = this.targets();
    const places = this.tray && !this.placing;
    return {
      selected: this.placing ? this.swapFrom : this.selected,
      sources: this.selected || this.tray ? new Set() : this.sources(),
      targets,
      lifted: this.drag?.ghost ? this.drag.from : null,
      mirror: new Set(places ? [...targets.keys()].map(mirrored) : []),
      cursor: this.cursor,
    };
  }

  /** The position as it will be once the placement is made. @param {any} view */
  preview(view) {
    if (!this.placing) return view;
    const { to, piece } = this.placing;
    const pieces = view.pieces.map((/** @type {any} */ one) => {
      if (one.square === to) return { ...one, letter: piece };
      if (one.square === mirrored(to)) return { ...one, letter: piece === piece.toUpperCase() ? piece.toLowerCase() : piece.toUpperCase() };
      return one;
    });
    return { ...view, pieces };
  }

  /** A square was clicked, or chosen with the keyboard. @param {string} square */
  pick(square) {
    const setup = this.host.setup();
    if (setup) return setup.pick(square);
    if (!this.host.canMove()) return this.prepare(square);
    if (this.placing) return this.pickSwap(square);
    const from = this.tray ?? this.selected;
    if (from && from !== square) {
      if (this.try(from, square)) return;
      if (!this.tray && this.sources().has(square)) {
        this.selected = square;
      } else {
        this.host.why(from, square);
        this.selected = null;
      }
    } else if (from === square) {
      this.selected = null;
    } else {
      const choice = this.steps().find((step) => step.kind === 'choose' && step.to === square);
      if (choice) return this.host.send(choice.token);
      // A piece that cannot move is held as well: where it was meant to go tells more of the reason.
      if (this.sources().has(square) || this.isOwn(square)) this.selected = square;
      if (!this.sources().has(square)) this.host.why(square, square);
    }
    this.host.redraw();
  }

  /** A square was chosen while the other side thinks: it is a part of the turn that comes next. @param {string} square */
  prepare(square) {
    const premoves = this.host.premoves();
    if (!premoves.side()) {
      premoves.refuse();
      return;
    }
    // A piece that is dropped on an own one means to take what takes that.
    if (this.selected && this.selected !== square && (this.dropping || !this.isPrepared(square))) {
      premoves.add(this.selected, square);
      this.selected = null;
    } else if (this.selected === square || !this.isPrepared(square)) {
      if (!this.selected) premoves.clear();
      this.selected = null;
    } else this.selected = square;
    this.host.redraw();
  }

  /** Whether the piece here may be moved by the turn that comes next. @param {string} square */
  isPrepared(square) {
    const side = this.host.premoves().side();
    const one = side && this.host.view().pieces.find((/** @type {any} */ piece) => piece.square === square);
    return Boolean(one) && isWhite(one.letter) === (side === 'w');
  }

  /** Whether a piece of the side to move stands here, or a cube that could be meant. @param {string} square */
  isOwn(square) {
    const view = this.host.view();
    const one = view.pieces.find((/** @type {any} */ piece) => piece.square === square);
    return one ? isWhite(one.letter) === (view.side === 'w') : Boolean(view.relief) && this.host.board().ground(square).height > 0;
  }

  /** @param {string} square */
  pickSwap(square) {
    const between = (/** @type {any} */ step) => step.swap?.includes(square) && step.swap.includes(this.swapFrom) && step.token.startsWith(`${this.placing.token},`);
    const swap = this.swapFrom && square !== this.swapFrom && this.steps().find(between);
    if (swap) return this.host.send(swap.token);
    this.swapFrom = this.swapFrom !== square && this.targets().has(square) ? square : null;
    this.host.redraw();
  }

  /** Leaves the superpieces where they are. */
  keep() {
    if (this.placing) this.host.send(this.placing.token);
  }

  /** A superpiece of the tray was chosen. @param {string} letter */
  pickTray(letter) {
    this.placing = this.swapFrom = this.selected = null;
    this.tray = this.tray === letter ? null : letter;
    this.host.redraw();
  }

  /** Makes the step if there is one. @param {string} from @param {string} to */
  try(from, to) {
    const fits = (/** @type {any} */ step) => step.to === to && (this.tray ? step.kind === 'place' && step.piece.toUpperCase() === from && !step.swap : step.from === from);
    const steps = this.steps().filter(fits);
    if (steps.length === 0) return false;
    if (steps.length > 1) {
      this.choose(steps);
    } else if (this.tray && this.steps().some((step) => step.swap && step.token.startsWith(`${steps[0].token},`))) {
      this.placing = steps[0];
      this.host.redraw();
    } else {
      this.host.send(steps[0].token, this.dropping);
    }
    return true;
  }

  /** Asks which of several steps between the same squares is meant: on the square, the strongest piece first. @param {any[]} steps */
  choose(steps) {
    const { dropping } = this;
    const sorted = steps.toSorted((a, b) => strength(a) - strength(b));
    const dialog = ask(T.promote, (close) => [
      html('p', { class: sorted[0].piece ? 'hidden' : '' }, sorted[0].piece ? T.promote : T.chooseStep),
      html('div', { class: 'choices' }, ...sorted.map((step) => {
        const press = () => {
          close();
          this.host.send(step.token, dropping);
        };
        const label = step.piece ? pieceName(step.piece) : spelled(step.san);
        return html('button', { type: 'button', class: 'piecebutton', 'aria-label': label, title: label, onclick: press }, step.piece ? pieceIcon(step.piece, 56) : spelled(step.san));
      }))], { class: 'choose' }, () => {
      this.selected = null;
      this.host.redraw();
    });
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    const square = this.root.querySelector(`[data-square="${sorted[0].to}"]`)?.getBoundingClientRect();
    if (!square || !square.width) return;
    const box = dialog.getBoundingClientRect();
    const clamp = (/** @type {number} */ wanted, /** @type {number} */ size, /** @type {number} */ all) => Math.max(4, Math.min(wanted, all - size - 4));
    dialog.style.left = `${clamp(square.left + square.width / 2 - box.width / 2, box.width, innerWidth)}px`;
    dialog.style.top = `${clamp(square.top, box.height, innerHeight)}px`;
    dialog.classList.add('here');
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (this.drag || this.shape) {
      // A second finger, or another button: nothing is meant by that.
      this.letGo();
      return;
    }
    const square = this.host.board().squareAt(event.clientX, event.clientY);
    if (!square) return;
    if (event.button === 2 && !this.host.setup()) {
      event.preventDefault();
      if (this.host.premoves().queue.length) {
        this.host.premoves().clear();
        this.host.redraw();
        return;
      }
      const colour = event.shiftKey ? 'R' : event.ctrlKey ? 'B' : event.altKey ? 'Y' : 'G';
      this.shape = `${colour}${square}`;
      this.drawn = { from: square, colour, pointer: event.pointerId };
      this.host.redraw();
      return;
    }
    if (event.button !== 0) return;
    event.preventDefault();
    this.drag = { from: square, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
    this.cursor = square;
  }

  /** Begins a drag of a superpiece of the tray. @param {PointerEvent} event @param {string} letter */
  downTray(event, letter) {
    if (event.button !== 0) return;
    this.drag = { tray: letter, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
  }

  /** Begins a drag of a piece of the palette. @param {PointerEvent} event @param {string} letter */
  downPalette(event, letter) {
    if (event.button !== 0) return;
    this.drag = { palette: letter, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (this.shape && this.drawn.pointer === event.pointerId) {
      const square = this.host.board().squareAt(event.clientX, event.clientY);
      const shape = `${this.drawn.colour}${this.drawn.from}${square && square !== this.drawn.from ? square : ''}`;
      if (shape !== this.shape) {
        this.shape = shape;
        this.host.redraw();
      }
      return;
    }
    if (!drag || drag.pointer !== event.pointerId) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
      if (!this.lift(drag)) {
        this.host.board().swing(event);
        this.drag = null;
        return;
      }
    }
    drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`;
  }

  /** Takes up what is dragged; `false` if there is nothing. @param {any} drag */
  lift(drag) {
    const setup = this.host.setup();
    const one = this.host.view().pieces.find((/** @type {any} */ piece) => piece.square === drag.from);
    if (setup) {
      if (!drag.palette && !one && !setup.lifts(drag.from)) return false;
    } else if (drag.tray) {
      if (this.tray !== drag.tray) this.pickTray(drag.tray);
    } else {
      // Without cubes there is nothing on an empty square.
      if (!one && !this.host.view().relief) return false;
      const prepares = !this.host.canMove() && this.isPrepared(drag.from);
      if (!(this.host.canMove() || prepares) || this.placing || !this.host.board().grips(drag.from)) return false;
      this.tray = null;
      this.selected = drag.from;
    }
    const size = this.root.getBoundingClientRect().width / 8;
    const letter = drag.tray ?? drag.palette ?? one?.letter;
    drag.ghost = document.createElement('div');
    drag.ghost.className = 'ghost';
    show(drag.ghost, letter ? pieceIcon(letter, size) : cubeIcon(size));
    document.body.append(drag.ghost);
    this.host.redraw();
    return true;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { drag } = this;
    this.lifted = event.timeStamp;
    if (this.shape && this.drawn.pointer === event.pointerId) {
      const { shape } = this;
      this.shape = null;
      this.host.shapes(shape);
      return;
    }
    if (!drag || drag.pointer !== event.pointerId) return;
    this.drag = null;
    if (!drag.ghost) {
      if (drag.from) this.pick(drag.from);
      return;
    }
    drag.ghost.remove();
    const square = this.host.board().squareAt(event.clientX, event.clientY);
    const setup = this.host.setup();
    if (setup) {
      if (drag.palette) setup.bring(drag.palette, square);
      else setup.drop(drag.from, square);
    } else if (square && square !== drag.from) {
      this.dropping = true;
      // The other side may have moved meanwhile: what is in the hand is still meant.
      if (drag.from && !this.tray) this.selected = drag.from;
      this.pick(square);
      this.dropping = false;
    } else {
      this.selected = null;
      this.host.redraw();
    }
  }

  /** A screen reader or a voice clicks on a square without a pointer. @param {MouseEvent} event */
  click(event) {
    const square = squareOf(event.target);
    // The click that follows a pointer means what the pointer has done already.
    if (square && event.timeStamp - this.lifted > CLICK_FOLLOWS) this.pick(square);
  }

  letGo() {
    const held = this.drag?.ghost || this.shape;
    this.drag?.ghost?.remove();
    this.drag = this.shape = null;
    if (!held) return;
    this.selected = null;
    this.host.redraw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const ways = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] });
    const square = squareOf(event.target);
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ways[event.key]) {
      this.cursor = this.host.board().neighbour(square, ...ways[event.key]);
      this.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.pick(square);
    } else if (event.key === 'Escape') {
      this.host.premoves().clear();
      this.reset();
      this.host.redraw();
    } else if (event.key === 'Backspace') {
      this.host.undoStep();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Puts the focus on the square of the cursor. */
  focus() {
    for (const element of this.root.querySelectorAll('[data-square]')) {
      const is = element.getAttribute('data-square') === this.cursor;
      element.setAttribute('tabindex', is ? '0' : '-1');
      if (is) /** @type {SVGElement} */ (element).focus({ preventScroll: true });
    }
  }
}

/** The same file on the other side. @param {string} square */
export function mirrored(square) {
  const [file, rank] = at(square);
  return name(file, 7 - rank);
}

/** @param {number} size */
function cubeIcon(size) {
  return svg('svg', { viewBox: '0 0 100 110', width: size, height: size * 1.1, class: 'cube light' },
    svg('polygon', { points: '4,32 50,58 50,106 4,80', class: 'left' }),
    svg('polygon', { points: '96,32 50,58 50,106 96,80', class: 'right' }),
    svg('polygon', { points: '50,4 96,32 50,58 4,32', class: 'top' }));
}
