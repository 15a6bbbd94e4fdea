// A picture of what the board shows, to be saved: a drawing that stands by itself (SVG), or its pixels (PNG).

import { ask, button, choice, html, show, svg } from './dom.js';
import { save } from './files.js';
import { FlatBoard } from './flat.js';
import { FACES, bodyOf, isWhite, piece } from './pieces.js';
import { ReliefBoard } from './relief.js';
import { setting } from './settings.js';
import { marks } from './stage.js';
import { T } from './text.js';

/** The width of a row beside the board, in units of its own drawing; the heights of rows with pieces and with words. */
const WIDE = 800;
const HIGH = 58;
/** The width of the pixels. */
const PIXELS = 1200;
/** The attributes that say where something lies. */
const PLACES = ['x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2', 'points', 'd', 'viewBox', 'transform'];

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A computed colour as attributes that every program reads: transparency stands beside the colour. @param {string} name @param {string} value */
function paint(name, value) {
  const [, red, green, blue, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(value) ?? [];
  if (alpha === undefined) return ` ${name}="${value.replaceAll(' ', '')}"`;
  return alpha === '0' ? ` ${name}="none"` : ` ${name}="rgb(${red},${green},${blue})" ${name}-opacity="${alpha}"`;
}

/** How an element looks, as attributes. @param {Element} element @param {CSSStyleDeclaration} style */
function look(element, style) {
  const parts = [];
  if (style.opacity !== '1') parts.push(` opacity="${style.opacity}"`);
  if (['g', 'svg'].includes(element.tagName)) return parts.join('');
  parts.push(paint('fill', style.fill));
  if (style.stroke !== 'none') {
    parts.push(paint('stroke', style.stroke), ` stroke-width="${parseFloat(style.strokeWidth)}" stroke-linecap="${style.strokeLinecap}" stroke-linejoin="${style.strokeLinejoin}"`);
    if (style.strokeDasharray !== 'none') parts.push(` stroke-dasharray="${style.strokeDasharray.replaceAll('px', '').replaceAll(',', '')}"`);
  }
  if (element.tagName === 'text') parts.push(` font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="${parseFloat(style.fontSize)}" font-weight="${style.fontWeight}" text-anchor="${style.textAnchor}"`);
  return parts.join('');
}

/** An element of the page as a text that needs neither the page nor its styles. @param {Element} element @param {Set<string>} pieces the letters that are used @param {string} [where] its place, instead of its own @returns {string} */
function plain(element, pieces, where = '') {
  const style = getComputedStyle(element);
  if (style.opacity === '0' || element.classList.contains('focus')) return '';
  const places = PLACES.map((name) => [name, element.getAttribute(name)]).filter(([name, value]) => value !== null && (!where || name === 'viewBox'));
  const at = where + places.map(([name, value]) => ` ${name}="${value}"`).join('');
  if (element.tagName === 'use') {
    const letter = /** @type {string} */ (element.getAttribute('href')).replace('#piece-', '');
    const own = element.classList.contains('white') ? letter : letter.toLowerCase();
    pieces.add(own);
    return `<use href="#${nameOf(own)}"${at}${style.opacity === '1' ? '' : ` opacity="${style.opacity}"`}/>`;
  }
  const inner = element.tagName === 'text' ? escaped(element.textContent ?? '') : [...element.children].map((child) => plain(child, pieces)).join('');
  return `<${element.tagName}${at}${look(element, style)}${inner ? `>${inner}</${element.tagName}>` : '/>'}`;
}

/** @param {string} letter capital for White */
const nameOf = (letter) => `${isWhite(letter) ? 'white' : 'black'}-${letter.toUpperCase()}`;

/** Pieces in a row, with a word before them. @param {string} words @param {string[]} letters */
function pieceRow(words, letters) {
  const begin = 30 + words.length * 11.5;
  const step = Math.min(40, (WIDE - begin - 60) / Math.max(1, letters.length - 1));
  return svg('svg', { viewBox: `0 0 ${WIDE} ${HIGH}` }, svg('text', { x: 12, y: 37, class: 'words' }, words),
    svg('rect', { x: begin - 8, y: 3, width: step * (letters.length - 1) + 62, height: HIGH - 6, rx: 10, class: 'ground' }),
    ...letters.map((letter, i) => piece(letter, begin + i * step, 6, 46)));
}

/** Whose turn it is, or how the game has ended, with the dice of the turn. @param {any} app @param {any} view */
function stateRow(app, view) {
  const words = app.setup ? T.toMove(view.side) : app.condition();
  const dice = view.dice && !app.end() ? [...(view.dice.rolled || view.dice.left)] : [];
  const room = WIDE - 56 - dice.length * 62;
  const left = [...(view.dice?.left ?? '')];
  const size = Math.min(22, (room * 1.85) / words.length);
  return svg('svg', { viewBox: `0 0 ${WIDE} ${HIGH}` },
    svg('circle', { cx: 26, cy: 30, r: 11, class: `turnof ${view.side}` }),
    svg('text', { x: 48, y: 37, class: 'words', style: { fontSize: `${size}px` } }, words),
    ...dice.map((face, i) => {
      const place = left.indexOf(face);
      if (place >= 0) left.splice(place, 1);
      const letter = view.side === 'w' ? face : face.toLowerCase();
      return svg('svg', { x: WIDE - 62 * (dice.length - i), y: 2, width: 54, height: 54, viewBox: '0 0 100 100', class: `die${place < 0 ? ' used' : ''} ${view.side === 'w' ? 'ofwhite' : 'ofblack'}` },
        svg('rect', { x: 5, y: 5, width: 90, height: 90, rx: 20, class: 'facet' }), svg('text', { x: 14, y: 29, class: 'pip' }, String(FACES.indexOf(face) + 1)), piece(letter, 17, 15, 68));
    }));
}

/** The rows above and below the board. @param {any} app @param {any} view */
function rows(app, view) {
  const pool = (/** @type {'white' | 'black'} */ side) => (view.pool?.[side] ? [pieceRow(view.relief ? T.outside : T.pool, [...view.pool[side]])] : []);
  const tray = view.tray ? [pieceRow(T.tray, [...view.tray].map((letter) => (view.side === 'w' ? letter : letter.toLowerCase())))] : [];
  const [top, bottom] = app.flipped ? /** @type {const} */ (['white', 'black']) : /** @type {const} */ (['black', 'white']);
  return { above: pool(top), below: [...pool(bottom), ...tray, stateRow(app, view)] };
}

/** The picture as SVG. @param {any} app @param {string} kind `cubes`, `numbers` (from above), or nothing where there is one view only */
export function pictureOf(app, kind) {
  const view = app.shown();
  const stand = document.createElement('div');
  stand.className = 'easel board';
  document.body.append(stand);
  try {
    const board = kind === 'cubes' ? new ReliefBoard(stand) : new FlatBoard(stand);
    if (board instanceof ReliefBoard) board.turned = setting('turned');
    board.flipped = app.flipped;
    // What a person is about to do belongs to the page, not to the position.
    const lit = marks(app);
    board.draw(view, { last: lit.last, check: lit.check, dangers: lit.dangers, labels: lit.labels, arrows: lit.arrows?.filter((one) => one.kind !== 'premove'), shapes: lit.shapes });
    /** @type {Set<string>} */
    const pieces = new Set();
    const drawing = /** @type {SVGSVGElement} */ (stand.firstElementChild);
    const { width, height } = drawing.viewBox.baseVal;
    const high = (HIGH * width) / WIDE;
    const { above, below } = rows(app, view);
    let y = above.length * high;
    const parts = [plain(drawing, pieces, ` y="${y}" width="${width}" height="${height}"`)];
    y += height;
    const bare = document.createElement('div');
    stand.append(bare);
    show(bare, ...above, ...below);
    [...bare.children].forEach((row, i) => {
      const at = i < above.length ? i * high : y + (i - above.length) * high;
      parts.push(plain(row, pieces, ` y="${at}" width="${width}" height="${high}"`));
    });
    // Whole numbers: a browser that rounds the size would leave an edge bare.
    y = Math.ceil(y + below.length * high);
    const paper = getComputedStyle(document.body).backgroundColor;
    const symbols = [...pieces].toSorted().map((letter) => `<symbol id="${nameOf(letter)}" viewBox="0 0 100 100">${bodyOf(letter)}</symbol>`);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}"><title>${escaped(T.games[app.state.variant] ?? app.state.variant)}</title><desc>${escaped(view.fen)}</desc>` +
      `<defs>${symbols.join('')}</defs><rect width="${width}" height="${y}"${paint('fill', paper)}/>${parts.join('')}</svg>\n`;
  } finally {
    stand.remove();
  }
}

/** @param {string} drawing SVG */
const address = (drawing) => `data:image/svg+xml,${encodeURIComponent(drawing)}`;

/** The pixels of a drawing. @param {string} drawing SVG @returns {Promise<Blob>} */
async function pixels(drawing) {
  const image = new Image();
  image.src = address(drawing);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PIXELS;
  canvas.height = Math.round((PIXELS * image.naturalHeight) / image.naturalWidth);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  // Proportions that are rounded leave a hair's breadth at the edge.
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(T.picture.failed))), 'image/png');
  });
}

/** The dialog in which a picture is looked at and saved. @param {any} app */
export function picture(app) {
  const { variant } = app.state;
  const isRelief = Boolean(app.shown().relief);
  let kind = !isRelief ? '' : setting('relief') === 'numbers' ? 'numbers' : 'cubes';
  const drawing = () => pictureOf(app, kind);
  const views = /** @type {[string, string][]} */ ([['cubes', T.reliefViews.cubes], ['numbers', T.reliefViews.numbers]]);
  const dialog = ask(T.picture.title, (close) => [
    html('h2', {}, T.picture.title),
    html('img', { src: address(drawing()), alt: app.shown().fen, class: 'sample' }),
    isRelief && choice(T.picture.view, views, kind, (value) => {
      kind = value;
      /** @type {HTMLImageElement} */ (dialog.querySelector('.sample')).src = address(drawing());
    }),
    html('div', { class: 'row' },
      button(T.picture.svg, () => save(`${variant}.svg`, new Blob([drawing()], { type: 'image/svg+xml' })), { class: 'primary' }),
      button(T.picture.png, () => app.guarded(async () => save(`${variant}.png`, await pixels(drawing()))), { class: 'primary' }),
      button(T.close, close)),
  ], { class: 'ask' });
}
