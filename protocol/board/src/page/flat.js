// The board seen from above: 64 squares, or the cells of a relief with their heights as numbers.

import { show, svg } from './dom.js';
import { fileName, rankName, spelled } from './notation.js';
import { piece, pieceName } from './pieces.js';
import { T } from './text.js';

/**
 * What is lit on a board.
 * @typedef {object} Marks
 * @property {string | null} [selected]
 * @property {Set<string>} [sources] pieces that may move
 * @property {Map<string, string>} [targets] squares with what happens there
 * @property {Set<string>} [mirror] squares that change with them
 * @property {Set<string>} [last] the latest turn
 * @property {string | null} [check]
 * @property {Set<string>} [dangers]
 * @property {{ line: [string, string], kind: string }[]} [arrows]
 * @property {Map<string, string>} [labels] small texts on squares
 * @property {string | null} [lifted] the square whose piece is in the hand
 * @property {{ squares: string[], color: string }[]} [shapes] arrows and circles of the person
 * @property {string} [cursor] the square that the keyboard is at
 */

const TILE = 100;

/** @param {string} square @returns {[number, number]} file and rank from 0 */
export function at(square) {
  return [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
}

/** @param {number} file @param {number} rank */
export function name(file, rank) {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/**
 * Whether a cube of Cubes 4D is dark: its coordinates have an even sum. Files and ranks from 0 have the same parity of the sum as those
 * from -7; the lowest cube of a column has level 0.
 * @param {number} file @param {number} rank @param {number} level
 */
export function isDark(file, rank, level) {
  return (file + rank + level) % 2 === 0;
}

/** @param {string} letter @param {string} square @param {Marks} marks @param {string} ground */
export function describe(letter, square, marks, ground) {
  const parts = [spelled(square), letter ? pieceName(letter) : ground];
  if (marks.selected === square) parts.push(T.aria.selected);
  const target = marks.targets?.get(square);
  if (target) parts.push(T.aria[/** @type {'move'} */ (target)] ?? T.aria.move);
  else if (marks.sources?.has(square)) parts.push(T.aria.source);
  if (marks.check === square) parts.push(T.aria.check);
  if (marks.dangers?.has(square)) parts.push(T.aria.danger);
  return parts.filter(Boolean).join(', ');
}

/** The square to which an element belongs. @param {EventTarget | null} target @returns {string | null} */
export function squareOf(target) {
  return target instanceof Element ? (target.closest('[data-square]')?.getAttribute('data-square') ?? null) : null;
}

/** A board seen from above. */
export class FlatBoard {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.flipped = false;
    /** Whether the wheel does something else here than to step through the game. */
    this.takesWheel = false;
    /** @type {any} */
    this.view = null;
  }

  /** The files and ranks that are shown. */
  bounds() {
    const relief = this.view.relief;
    if (!relief) return { left: 0, bottom: 0, width: 8, height: 8 };
    const [left, bottom] = relief.origin;
    return { left, bottom, width: relief.heights[0].length, height: relief.heights.length };
  }

  /** @param {string} square @returns {[number, number]} the upper left corner of a square */
  corner(square) {
    const { left, bottom, width, height } = this.bounds();
    const [file, rank] = at(square);
    const [x, y] = [file - left, rank - bottom];
    return this.flipped ? [(width - 1 - x) * TILE, y * TILE] : [x * TILE, (height - 1 - y) * TILE];
  }

  /** The middle of a piece. @param {string} square @returns {[number, number]} */
  middle(square) {
    const [x, y] = this.corner(square);
    return [x + TILE / 2, y + TILE / 2];
  }

  /** The neighbour in a direction of the screen. @param {string} square @param {number} right @param {number} up */
  neighbour(square, right, up) {
    const { left, bottom, width, height } = this.bounds();
    const sign = this.flipped ? -1 : 1;
    const [file, rank] = at(square);
    const [x, y] = [file + sign * right, rank + sign * up];
    const inside = x >= left && y >= bottom && x < left + width && y < bottom + height;
    return inside ? name(x, y) : square;
  }

  /** @param {string} square */
  ground(square) {
    const relief = this.view.relief;
    if (!relief) return { height: 1, trench: false, dark: (at(square)[0] + at(square)[1]) % 2 === 0 };
    const [file, rank] = at(square);
    const [left, bottom] = relief.origin;
    const height = Number(relief.heights[rank - bottom]?.[file - left] ?? 0);
    return { height, trench: relief.trenches.includes(square), dark: height > 0 && isDark(file, rank, height - 1) };
  }

  /** @param {string} square */
  groundName(square) {
    if (!this.view.relief) return T.aria.empty;
    const { height, trench } = this.ground(square);
    return height ? T.aria.level(height) : trench ? T.aria.trench : T.aria.table;
  }

  /** The square at a point of the page. @param {number} x @param {number} y @returns {string | null} */
  squareAt(x, y) {
    return squareOf(document.elementFromPoint(x, y));
  }

  /** Whether something can be taken up from a square. @type {(square: string) => boolean} */
  grips() {
    return true;
  }

  /** A pointer that takes up nothing may do something else. @type {(event: PointerEvent) => void} */
  swing() {}

  /** Another board takes the place of this one. */
  leave() {
    show(this.root);
  }

  /** @param {any} view @param {Marks} marks */
  draw(view, marks) {
    this.view = view;
    const { left, bottom, width, height } = this.bounds();
    const drawing = svg('svg', {
      viewBox: `0 0 ${width * TILE} ${height * TILE}`, class: `flat${view.relief ? ' numbers' : ''}`, role: 'group', 'aria-label': T.aria.board,
    });
    const pieces = new Map(view.pieces.map((/** @type {any} */ one) => [one.square, one]));
    const cursor = marks.cursor ?? name(left, bottom);
    for (let rank = bottom + height - 1; rank >= bottom; rank--) {
      for (let file = left; file < left + width; file++) {
        const square = name(file, rank);
        drawing.append(this.square(square, pieces.get(square), marks, square === cursor));
      }
    }
    drawing.append(this.labels(), this.arrows(marks));
    show(this.root, drawing);
  }

  /** @param {string} square @param {any} one the piece @param {Marks} marks @param {boolean} focus */
  square(square, one, marks, focus) {
    const [x, y] = this.corner(square);
    const { height, trench, dark } = this.ground(square);
    const relief = Boolean(this.view.relief);
    const kind = relief && !height ? (trench ? 'trench' : 'table') : dark ? 'dark' : 'light';
    const group = svg('g', {
      'data-square': square, role: 'button', tabindex: focus ? 0 : -1,
      'aria-label': describe(one?.letter ?? '', square, marks, this.groundName(square)),
      class: `square${one ? ' full' : ''}${marks.lifted === square ? ' lifted' : ''}`, key: square,
    });
    group.append(svg('rect', { x, y, width: TILE, height: TILE, class: `tile ${kind}${relief ? ` h${height}` : ''}` }));
    const wash = (/** @type {string} */ kinds) => group.append(svg('rect', { x, y, width: TILE, height: TILE, class: `wash ${kinds}` }));
    if (marks.last?.has(square)) wash('last');
    if (marks.dangers?.has(square)) wash('danger');
    if (marks.check === square) wash('check');
    if (marks.mirror?.has(square)) wash('mirror');
    if (marks.selected === square) wash('selected');
    else if (marks.sources?.has(square)) {
      group.append(svg('rect', { x: x + 4, y: y + 4, width: TILE - 8, height: TILE - 8, rx: 12, class: 'source' }));
    }
    if (relief && (height || trench)) {
      group.append(svg('text', { x: x + 9, y: y + 27, class: 'height' }, height ? String(height) : 'o'));
    }
    if (one) {
      group.append(piece(one.letter, x + 4, y + 2, TILE - 8));
      if (one.promoted) group.append(svg('circle', { cx: x + 84, cy: y + 84, r: 9, class: 'promoted' }));
    }
    const target = marks.targets?.get(square);
    if (target) {
      const full = one || target === 'place';
      group.append(full
        ? svg('circle', { cx: x + 50, cy: y + 50, r: 44, class: `ring ${target}` })
        : svg('circle', { cx: x + 50, cy: y + 50, r: 15, class: `dot ${target}` }));
    }
    group.append(svg('rect', { x: x + 2.5, y: y + 2.5, width: TILE - 5, height: TILE - 5, class: 'focus' }));
    const label = marks.labels?.get(square);
    if (label) {
      const length = label.length * 13 + 14;
      group.append(svg('rect', { x: x + TILE - length - 2, y: y + 3, width: length, height: 27, rx: 7, class: 'badge' }),
        svg('text', { x: x + TILE - length / 2 - 2, y: y + 23, class: 'badgetext' }, label));
    }
    return group;
  }

  labels() {
    const { left, bottom, width, height } = this.bounds();
    const group = svg('g', { class: 'labels', 'aria-hidden': 'true' });
    for (let i = 0; i < width; i++) {
      const [x] = this.corner(name(left + i, bottom));
      group.append(svg('text', { x: x + TILE - 8, y: height * TILE - 8, class: 'file' }, fileName(left + i)));
    }
    for (let i = 0; i < height; i++) {
      const [, y] = this.corner(name(left, bottom + i));
      if (!this.view.relief) group.append(svg('text', { x: 7, y: y + 22, class: 'rank' }, rankName(bottom + i)));
      else group.append(svg('text', { x: width * TILE - 7, y: y + 22, class: 'rank right' }, rankName(bottom + i)));
    }
    return group;
  }

  /** The arrows of the engine and those of the person, with circles. @param {Marks} marks @param {number} [size] of a square, as far as arrows go */
  arrows(marks, size = TILE) {
    const group = svg('g', { class: 'arrows', 'aria-hidden': 'true' });
    for (const { line, kind } of marks.arrows ?? []) group.append(arrow(this.middle(line[0]), this.middle(line[1]), kind, size));
    for (const { squares: [from, to], color } of marks.shapes ?? []) {
      group.append(to ? arrow(this.middle(from), this.middle(to), `own ${color}`, size) : this.circle(this.middle(from), `circle ${color}`));
    }
    return group;
  }

  /** A circle around a square. @param {[number, number]} middle @param {string} kind */
  circle([x, y], kind) {
    return svg('circle', { cx: x, cy: y, r: 44, class: kind });
  }

  /** Where a piece is drawn: the corner and the size. @param {string} square @returns {[number, number, number]} */
  figure(square) {
    const [x, y] = this.corner(square);
    return [x + 4, y + 2, TILE - 8];
  }
}

/**
 * @param {[number, number]} from @param {[number, number]} to @param {string} kind @param {number} size of a square
 */
function arrow([x0, y0], [x1, y1], kind, size) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = size * 0.34;
  const [ex, ey] = [x1 - ux * size * 0.12, y1 - uy * size * 0.12];
  const [bx, by] = [ex - ux * head, ey - uy * head];
  const half = head * 0.5;
  return svg('g', { class: `arrow ${kind}` },
    svg('line', { x1: x0 + ux * size * 0.3, y1: y0 + uy * size * 0.3, x2: bx, y2: by, 'stroke-width': size * 0.12 }),
    svg('polygon', { points: `${ex},${ey} ${bx - uy * half},${by + ux * half} ${bx + uy * half},${by - ux * half}` }));
}
