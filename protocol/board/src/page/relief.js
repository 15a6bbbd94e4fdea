// The heap of cubes in isometric projection, turned in four directions; pieces stand on the columns.

import { show, svg } from './dom.js';
import { FlatBoard, at, describe, isDark, name } from './flat.js';
import { fileName, rankName } from './notation.js';
import { piece } from './pieces.js';
import { T } from './text.js';

/** Half the width and half the height of a cell's diamond, the height of a cube, the size of a piece. */
const W = 46;
const H = 27;
const C = 33;
const PIECE = 66;

/** A board of cubes. */
export class ReliefBoard extends FlatBoard {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** Quarter turns. */
    this.turned = 0;
  }

  /** Across to the right and towards the viewer. @param {string} square @returns {[number, number]} */
  place(square) {
    const { left, bottom, width, height } = this.bounds();
    const [file, rank] = at(square);
    const [x, y] = [file - left, rank - bottom];
    switch ((this.turned + (this.flipped ? 2 : 0)) % 4) {
      case 1: return [height - 1 - y, width - 1 - x];
      case 2: return [width - 1 - x, y];
      case 3: return [y, x];
      default: return [x, height - 1 - y];
    }
  }

  /** The extent of the ground in cells, as it is turned. */
  extent() {
    const { width, height } = this.bounds();
    return this.turned % 2 ? [height, width] : [width, height];
  }

  /** The middle of the diamond of a cell at a level. @param {string} square @param {number} level @returns {[number, number]} */
  point(square, level) {
    const [a, b] = this.place(square);
    const [, deep] = this.extent();
    return [(a - b + deep) * W, (a + b + 1) * H + 3 * C + 12 - level * C];
  }

  /** @param {string} square @returns {[number, number]} */
  middle(square) {
    const [x, y] = this.point(square, this.ground(square).height);
    return [x, y - 4];
  }

  /** The keyboard goes along the edges of the cells. @param {string} square @param {number} right @param {number} up */
  neighbour(square, right, up) {
    const { left, bottom, width, height } = this.bounds();
    const turned = (this.turned + (this.flipped ? 2 : 0)) % 4;
    const [dx, dy] = [[right, up], [-up, right], [-right, -up], [up, -right]][turned];
    const [file, rank] = at(square);
    const [x, y] = [file + dx, rank + dy];
    return x >= left && y >= bottom && x < left + width && y < bottom + height ? name(x, y) : square;
  }

  /** @param {any} view @param {import('./flat.js').Marks} marks */
  draw(view, marks) {
    this.view = view;
    const { left, bottom, width, height } = this.bounds();
    const [wide, deep] = this.extent();
    const drawing = svg('svg', {
      viewBox: `22 36 ${(wide + deep) * W - 44} ${(wide + deep) * H + 3 * C - 32}`, class: 'relief', role: 'group', 'aria-label': T.aria.cubes,
    });
    const pieces = new Map(view.pieces.map((/** @type {any} */ one) => [one.square, one]));
    const squares = [];
    for (let rank = bottom; rank < bottom + height; rank++) {
      for (let file = left; file < left + width; file++) squares.push(name(file, rank));
    }
    // From the back to the front.
    const depth = (/** @type {string} */ square) => this.place(square)[0] + this.place(square)[1];
    squares.sort((p, q) => depth(p) - depth(q));
    const ground = svg('g', { class: 'ground', 'aria-hidden': 'true' });
    for (const square of squares) {
      if (this.ground(square).height || this.ground(square).trench) ground.append(this.diamond(square, 0, 'shadow', 1.16, 7));
    }
    drawing.append(ground);
    const cursor = marks.cursor ?? squares[0];
    for (const square of squares) drawing.append(this.cell(square, pieces.get(square), marks, square === cursor));
    const ghosts = svg('g', { class: 'ghosts', 'aria-hidden': 'true' });
    for (const one of view.pieces) if (this.isHidden(one.square)) ghosts.append(this.standing(one));
    drawing.append(ghosts, this.ways(marks), this.letters(), this.arrows(marks, 60));
    show(this.root, drawing);
  }

  /** @param {string} square @param {number} level @param {string} kind @param {number} scale @param {number} down */
  diamond(square, level, kind, scale = 1, down = 0) {
    const [x, y] = this.point(square, level);
    const [w, h] = [W * scale, H * scale];
    return svg('polygon', { points: `${x},${y - h + down} ${x + w},${y + down} ${x},${y + h + down} ${x - w},${y + down}`, class: kind });
  }

  /** @param {string} square @param {any} one @param {import('./flat.js').Marks} marks @param {boolean} focus */
  cell(square, one, marks, focus) {
    const { height, trench } = this.ground(square);
    const group = svg('g', {
      'data-square': square, role: 'button', tabindex: focus ? 0 : -1, class: `square${one ? ' full' : ''}${marks.lifted === square ? ' lifted' : ''}`, key: square,
      'aria-label': describe(one?.letter ?? '', square, marks, '') + `, ${this.groundName(square)}`,
    });
    if (!height) group.append(this.diamond(square, 0, trench ? 'pit' : 'nothing'));
    if (trench) group.append(this.pit(square));
    const lifted = marks.selected === square && !one && height ? 1 : 0;
    for (let level = 0; level < height; level++) group.append(this.cube(square, level, lifted && level === height - 1 ? 10 : 0));
    const top = (/** @type {string} */ kind, scale = 1) => group.append(this.diamond(square, height, kind, scale, lifted ? -10 : 0));
    if (marks.last?.has(square)) top('wash last');
    if (marks.dangers?.has(square)) top('wash danger');
    if (marks.check === square) top('wash check');
    if (marks.selected === square) top('wash selected');
    else if (marks.sources?.has(square)) top(one ? 'edge source' : 'edge source cubesource', 0.86);
    const target = marks.targets?.get(square);
    if (target === 'cube') group.append(this.cube(square, height, 0, 'wanted'));
    else if (target) top(`aim ${target}`, 0.62);
    if (this.view.relief.last_cube === square) top('edge resting', 0.8);
    if (one) group.append(this.standing(one));
    if (target && one) {
      const [x, y] = this.point(square, height);
      group.append(svg('ellipse', { cx: x, cy: y - 2, rx: W * 0.72, ry: H * 0.72, class: `ring ${target}` }));
    }
    group.append(this.diamond(square, height, 'focus', 0.9));
    const label = marks.labels?.get(square);
    if (label) {
      const [x, y] = this.point(square, height);
      const length = label.length * 9 + 10;
      group.append(svg('rect', { x: x - length / 2, y: y + 3, width: length, height: 19, rx: 6, class: 'badge' }),
        svg('text', { x, y: y + 17, class: 'badgetext small' }, label));
    }
    return group;
  }

  /** The walls of a trench that are seen: those at its back. @param {string} square */
  pit(square) {
    const [x, y] = this.point(square, 0);
    const depth = 9;
    return svg('g', { class: 'walls' },
      svg('polygon', { points: `${x - W},${y} ${x},${y - H} ${x},${y - H + depth} ${x - W + depth * 1.7},${y}`, class: 'wall' }),
      svg('polygon', { points: `${x},${y - H} ${x + W},${y} ${x + W - depth * 1.7},${y} ${x},${y - H + depth}`, class: 'wall far' }));
  }

  /** @param {string} square @param {number} level @param {number} lift @param {string} extra */
  cube(square, level, lift = 0, extra = '') {
    const [file, rank] = at(square);
    const dark = isDark(file, rank, level);
    const [x, base] = this.point(square, level);
    const y = base - lift;
    const t = y - C;
    return svg('g', { class: `cube ${dark ? 'dark' : 'light'} ${extra}` },
      svg('polygon', { points: `${x - W},${t} ${x},${t + H} ${x},${y + H} ${x - W},${y}`, class: 'left' }),
      svg('polygon', { points: `${x + W},${t} ${x},${t + H} ${x},${y + H} ${x + W},${y}`, class: 'right' }),
      svg('polygon', { points: `${x},${t - H} ${x + W},${t} ${x},${t + H} ${x - W},${t}`, class: 'top' }));
  }

  /** @param {any} one */
  standing(one) {
    const [x, y] = this.point(one.square, this.ground(one.square).height);
    return svg('g', {}, svg('ellipse', { cx: x, cy: y + 2, rx: 25, ry: 12, class: 'shade' }), piece(one.letter, x - PIECE / 2, y - PIECE + 14, PIECE));
  }

  /** Whether a column in front covers much of a piece. @param {string} square */
  isHidden(square) {
    const { height } = this.ground(square);
    return [[1, 0], [0, -1], [1, -1]].some(([right, up]) => {
      const front = this.neighbour(square, right, up);
      const step = right && up ? 3 : 2;
      return front !== square && this.ground(front).height >= height + step;
    });
  }

  /** Arcs over the lower cells of bridges, for the piece that is selected. @param {import('./flat.js').Marks} marks */
  ways(marks) {
    const group = svg('g', { class: 'ways', 'aria-hidden': 'true' });
    const from = marks.selected;
    if (!from || !this.view.pieces.some((/** @type {any} */ one) => one.square === from)) return group;
    for (const to of marks.targets?.keys() ?? []) if (this.isBridge(from, to)) group.append(this.arc(from, to));
    return group;
  }

  /** @param {string} from @param {string} to */
  isBridge(from, to) {
    const [x0, y0] = at(from);
    const [x1, y1] = at(to);
    const [dx, dy] = [x1 - x0, y1 - y0];
    const length = Math.max(Math.abs(dx), Math.abs(dy));
    if (length < 2 || (dx && dy && Math.abs(dx) !== Math.abs(dy))) return false;
    const level = this.ground(from).height;
    if (this.ground(to).height !== level) return false;
    for (let i = 1; i < length; i++) {
      if (this.ground(name(x0 + Math.sign(dx) * i, y0 + Math.sign(dy) * i)).height >= level) return false;
    }
    return true;
  }

  /** @param {string} from @param {string} to */
  arc(from, to) {
    const [x0, y0] = this.middle(from);
    const [x1, y1] = this.middle(to);
    return svg('path', { d: `M${x0} ${y0}Q${(x0 + x1) / 2} ${(y0 + y1) / 2 - 62} ${x1} ${y1}`, class: 'way' });
  }

  /** The letters and numbers of the edges, on the table. */
  letters() {
    const { left, bottom, width, height } = this.bounds();
    const group = svg('g', { class: 'labels', 'aria-hidden': 'true' });
    const [wide, deep] = this.extent();
    const put = (/** @type {string} */ square, /** @type {string} */ text) => {
      const [x, y] = this.point(square, 0);
      group.append(svg('text', { x, y: y + 7, class: 'edge' }, text));
    };
    const front = (/** @type {string} */ square) => this.place(square)[1] === deep - 1;
    const right = (/** @type {string} */ square) => this.place(square)[0] === wide - 1;
    for (let rank = bottom; rank < bottom + height; rank++) {
      for (let file = left; file < left + width; file++) {
        const square = name(file, rank);
        const corner = front(square) && right(square);
        const { height: cubes, trench } = this.ground(square);
        if (corner || cubes || trench || !(front(square) || right(square))) continue;
        const across = this.turned % 2 === 0 ? front(square) : right(square);
        put(square, across ? fileName(file) : rankName(rank));
      }
    }
    return group;
  }

  /** A circle around a cell, lying on it. @param {[number, number]} middle @param {string} kind */
  circle([x, y], kind) {
    return svg('ellipse', { cx: x, cy: y + 2, rx: W * 0.8, ry: H * 0.8, class: kind });
  }

  /** @param {string} square @returns {[number, number, number]} */
  figure(square) {
    const [x, y] = this.point(square, this.ground(square).height);
    return [x - PIECE / 2, y - PIECE + 14, PIECE];
  }
}
