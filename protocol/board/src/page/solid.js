// The heap of cubes in three dimensions, drawn by three.js, which is fetched only when this view is asked for. The pieces are the
// drawings of the other views, standing; what is lit, what is clicked and what the keyboard does are the same.

import { html, show } from './dom.js';
import { at, describe, isDark, squareOf } from './flat.js';
import { fileName, rankName } from './notation.js';
import { isWhite, piecePicture } from './pieces.js';
import { ReliefBoard } from './relief.js';
import { T } from './text.js';

/** By a name, so that the types of this page are checked without those of the library. */
const LIBRARY = new URL('three.module.min.js', import.meta.url).href;
/** The height of a cube whose base is 1 by 1: as much flatter as it is in the isometric view. */
const RISE = 0.72;
/** How far a pointer goes before it turns the heap. */
const SLACK = 5;

/** The library. @type {any} */
let THREE = null;

/** The heap in three dimensions. */
export class SolidBoard extends ReliefBoard {
  /** Fetches the library, once. */
  static async load() {
    THREE ??= await import(LIBRARY);
  }

  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.takesWheel = true;
    // Throws where the browser cannot draw in three dimensions.
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute('aria-hidden', 'true');
    /** What the keyboard goes over, and what is read aloud. */
    this.cells = document.createElement('div');
    for (const [name, value] of Object.entries({ class: 'hidden', role: 'group', 'aria-label': T.aria.solid })) this.cells.setAttribute(name, value);
    this.scene = new THREE.Scene();
    this.heap = new THREE.Group();
    this.focus = new THREE.Group();
    this.scene.add(this.heap, this.focus, ...this.lights());
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 100);
    /** Where it is looked from: around, how high, how near. */
    this.way = { around: 0.45, up: 0.72, near: 1 };
    /** Where the pointer is that turns the heap. @type {{ x: number, y: number, moved: boolean } | null} */
    this.held = null;
    /** @type {Map<string, any>} */
    this.kept = new Map();
    /** Shapes of this drawing alone. @type {any[]} */
    this.passing = [];
    /** @type {any[]} */
    this.targets = [];
    this.listen();
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(root);
  }

  /** Gives back what the graphics card holds. */
  leave() {
    this.root.replaceChildren();
    this.sizes.disconnect();
    for (const one of [...this.kept.values(), ...this.passing]) one.dispose?.();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  lights() {
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    sun.position.set(-5, 11, 5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -9, right: 9, top: 9, bottom: -9, near: 1, far: 30 });
    sun.shadow.normalBias = 0.02;
    return [sun, new THREE.HemisphereLight(0xffffff, 0xb8a88c, 1.75)];
  }

  /** The pointer turns the heap where it takes up nothing; the wheel comes nearer. */
  listen() {
    const { canvas } = this;
    canvas.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      // On a square the right button draws arrows and circles, as on the other boards.
      if (!this.squareAt(event.clientX, event.clientY)) this.held = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (!this.held) return;
      const [x, y] = [event.clientX - this.held.x, event.clientY - this.held.y];
      if (!this.held.moved && Math.hypot(x, y) < SLACK) return;
      this.held = { x: event.clientX, y: event.clientY, moved: true };
      this.look(-x * 0.008, y * 0.006, 1);
    });
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, () => { this.held = null; });
    canvas.addEventListener('contextmenu', (/** @type {Event} */ event) => event.preventDefault());
    canvas.addEventListener('wheel', (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      this.look(0, 0, Math.exp(event.deltaY * 0.001));
    }, { passive: false });
    this.cells.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      const turn = /** @type {Record<string, [number, number, number]>} */ ({ q: [-0.2, 0, 1], e: [0.2, 0, 1], PageUp: [0, 0.1, 1], PageDown: [0, -0.1, 1], '+': [0, 0, 0.9], '-': [0, 0, 1.1] })[event.key];
      if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.look(...turn);
    });
    this.cells.addEventListener('focusin', () => this.showFocus());
    this.cells.addEventListener('focusout', () => this.showFocus());
  }

  /** What takes up nothing turns the heap. @param {PointerEvent} event */
  swing(event) {
    this.held = { x: event.clientX, y: event.clientY, moved: true };
  }

  /** Looks from elsewhere. @param {number} around @param {number} up @param {number} nearer a factor */
  look(around, up, nearer) {
    const { way } = this;
    way.around += around;
    way.up = Math.min(1.5, Math.max(0.12, way.up + up));
    way.near = Math.min(1.8, Math.max(0.35, way.near * nearer));
    this.render();
  }

  /** Turns by quarters, as the other view of the cubes. @param {number} quarters */
  turnBy(quarters) {
    this.look((quarters === 3 ? -1 : quarters) * (Math.PI / 2), 0, 1);
  }

  /** The side that is looked from, so that arrow keys go where they point. @param {string} square @param {number} right @param {number} up */
  neighbour(square, right, up) {
    const quarter = Math.round(this.way.around / (Math.PI / 2)) + (this.flipped ? 2 : 0);
    const [dx, dy] = [[right, up], [-up, right], [-right, -up], [up, -right]][((quarter % 4) + 4) % 4];
    const { left, bottom, width, height } = this.bounds();
    const [file, rank] = at(square);
    const [x, y] = [file + dx, rank + dy];
    return x >= left && y >= bottom && x < left + width && y < bottom + height ? String.fromCharCode(97 + x) + (y + 1) : square;
  }

  /** A color of the page. @param {string} name */
  color(name) {
    return new THREE.Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888888');
  }

  /** Something that is made once. @template R @param {string} name @param {() => R} make @returns {R} */
  keep(name, make) {
    let one = this.kept.get(name);
    if (!one) this.kept.set(name, one = make());
    return one;
  }

  /** Where a square lies, at a height in cubes. @param {string} square @param {number} level */
  spot(square, level) {
    const { left, bottom, width, height } = this.bounds();
    const [file, rank] = at(square);
    return new THREE.Vector3(file - left - (width - 1) / 2, level * RISE, (height - 1) / 2 - (rank - bottom));
  }

  /** @param {any} view @param {import('./flat.js').Marks} marks */
  draw(view, marks) {
    this.view = view;
    if (this.canvas.parentNode !== this.root) this.root.replaceChildren(this.canvas, this.cells);
    this.heap.clear();
    // What is not drawn again is held by the graphics card until it is given back.
    for (const shape of this.passing.splice(0)) shape.dispose();
    this.targets = [];
    const pieces = new Map(view.pieces.map((/** @type {any} */ one) => [one.square, one]));
    const { left, bottom, width, height } = this.bounds();
    const cells = [];
    for (let rank = bottom; rank < bottom + height; rank++) {
      for (let file = left; file < left + width; file++) {
        const square = String.fromCharCode(97 + file) + (rank + 1);
        const one = pieces.get(square);
        this.column(square, one, marks);
        cells.push(html('button', {
          type: 'button', key: square, 'data-square': square, tabindex: square === (marks.cursor ?? `${String.fromCharCode(97 + left)}${bottom + 1}`) ? 0 : -1, 'data-piece': one?.letter, 'data-height': this.ground(square).height,
          'aria-label': `${describe(one?.letter ?? '', square, marks, '')}, ${this.groundName(square)}`,
        }, square));
        if (rank === bottom || rank === bottom + height - 1) this.edge(square, fileName(file), 0, rank === bottom ? 0.75 : -0.75);
        if (file === left || file === left + width - 1) this.edge(square, rankName(rank), file === left ? -0.75 : 0.75, 0);
      }
    }
    show(this.cells, ...cells);
    const from = marks.selected;
    if (from && pieces.has(from)) for (const to of marks.targets?.keys() ?? []) if (this.isBridge(from, to)) this.bow(from, to, '--accent', 0.03);
    for (const { line, kind } of marks.arrows ?? []) this.bow(line[0], line[1], kind.startsWith('danger') ? '--warn' : '--good', 0.06);
    for (const { squares: [tail, head] } of marks.shapes ?? []) {
      if (head) this.bow(tail, head, '--accent', 0.05);
      else this.ring(tail);
    }
    this.fit();
  }

  /** A cell with its cubes, its piece and what is lit on it. @param {string} square @param {any} one @param {import('./flat.js').Marks} marks */
  column(square, one, marks) {
    const { height, trench } = this.ground(square);
    const [file, rank] = at(square);
    const box = this.keep('box', () => new THREE.BoxGeometry(0.985, RISE * 0.99, 0.985));
    for (let level = 0; level < height; level++) {
      const dark = isDark(file, rank, level);
      this.put(square, box, this.stuff(dark ? '--c-dark-top' : '--c-light-top'), level + 0.5, { hit: true, shadow: true });
    }
    const floor = this.keep('floor', () => new THREE.PlaneGeometry(0.96, 0.96).rotateX(-Math.PI / 2));
    if (!height) this.put(square, floor, trench ? this.stuff('--pit') : this.unseen(), 0.01, { hit: true });
    const wash = (/** @type {string} */ color, /** @type {number} */ opacity) => this.put(square, floor, this.light(color, opacity), height, {});
    if (marks.last?.has(square)) wash('--last', 0.5);
    if (marks.dangers?.has(square)) wash('--warn', 0.45);
    if (marks.check === square) wash('--warn', 0.65);
    if (marks.selected === square) wash('--select', 0.65);
    const frame = this.keep('frame', () => new THREE.RingGeometry(0.6, 0.66, 4, 1, Math.PI / 4).rotateX(-Math.PI / 2));
    if (marks.selected !== square && marks.sources?.has(square)) this.put(square, frame, this.light('--select', one ? 0.85 : 0.4), height, {});
    if (this.view.relief.last_cube === square) this.put(square, frame, this.light('--accent', 0.8), height, {});
    const target = marks.targets?.get(square);
    if (target === 'cube') this.put(square, box, this.light('--target', 0.45), height + 0.5, { hit: true });
    else if (target) {
      const disc = one ? this.keep('ring', () => new THREE.RingGeometry(0.33, 0.46, 40).rotateX(-Math.PI / 2)) : this.keep('disc', () => new THREE.CircleGeometry(0.2, 32).rotateX(-Math.PI / 2));
      this.put(square, disc, this.light(target === 'capture' ? '--take' : '--target', 0.85), height, {});
    }
    if (one) this.piece(square, one.letter, height);
    const label = marks.labels?.get(square);
    if (label) this.edge(square, label, 0, 0, height + 0.2);
  }

  /** @param {string} square @param {any} shape @param {any} stuff @param {number} level @param {{ hit?: boolean, shadow?: boolean }} how */
  put(square, shape, stuff, level, { hit = false, shadow = false }) {
    const mesh = new THREE.Mesh(shape, stuff);
    mesh.position.copy(this.spot(square, level));
    // What lies on a surface lies a little above it.
    if (!hit) mesh.position.y += 0.012;
    mesh.castShadow = shadow;
    mesh.receiveShadow = shadow;
    mesh.userData.square = square;
    this.heap.add(mesh);
    if (hit) this.targets.push(mesh);
    return mesh;
  }

  /** @param {string} color */
  stuff(color) {
    return this.keep(`stuff ${color} ${this.color(color).getHexString()}`, () => new THREE.MeshLambertMaterial({ color: this.color(color) }));
  }

  /** @param {string} color @param {number} opacity */
  light(color, opacity) {
    return this.keep(`light ${color} ${opacity} ${this.color(color).getHexString()}`, () => new THREE.MeshBasicMaterial({ color: this.color(color), transparent: true, opacity, depthWrite: false }));
  }

  unseen() {
    return this.keep('unseen', () => new THREE.MeshBasicMaterial({ transparent: true, opacity: 0, depthWrite: false }));
  }

  /** A piece on his foot. @param {string} square @param {string} letter @param {number} level */
  piece(square, letter, level) {
    const foot = this.keep('foot', () => new THREE.CylinderGeometry(0.3, 0.34, 0.09, 40));
    this.put(square, foot, this.stuff(isWhite(letter) ? '--white-piece' : '--black-piece'), level, { hit: true, shadow: true }).position.y += 0.05;
    const figure = new THREE.Sprite(this.keep(`piece ${letter}`, () => new THREE.SpriteMaterial({ map: this.picture(`piece ${letter}`, 256, async (pen) => {
      const image = new Image();
      image.src = piecePicture(letter);
      await image.decode();
      pen.drawImage(image, 0, 0, 256, 256);
    }), alphaTest: 0.3 })));
    figure.center.set(0.5, 0.1);
    figure.scale.setScalar(1.04);
    figure.position.copy(this.spot(square, level));
    figure.position.y += 0.08;
    figure.userData = { square, narrow: true };
    this.heap.add(figure);
    this.targets.push(figure);
  }

  /** A text that stands beside or on a square. @param {string} square @param {string} text @param {number} right @param {number} near @param {number} [level] */
  edge(square, text, right, near, level = 0.1) {
    const on = level > 0.1;
    const ink = `#${this.color(on ? '--accent' : '--soft').getHexString()}`;
    const sign = new THREE.Sprite(this.keep(`text ${text} ${ink}`, () => new THREE.SpriteMaterial({ map: this.picture(`text ${text} ${ink}`, 128, async (pen) => {
      pen.fillStyle = ink;
      pen.font = `${on ? 700 : 600} ${text.length > 2 ? 50 : 84}px system-ui, sans-serif`;
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.fillText(text, 64, 64);
    }), transparent: true, depthTest: !on })));
    sign.scale.setScalar(on ? 0.8 : 0.5);
    sign.position.copy(this.spot(square, level)).add(new THREE.Vector3(right, 0, near));
    this.heap.add(sign);
  }

  /** A texture that is drawn once it can be. @param {string} name @param {number} size @param {(pen: CanvasRenderingContext2D) => Promise<void>} draw */
  picture(name, size, draw) {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    this.kept.set(`picture ${name}`, texture);
    draw(/** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))).then(() => {
      texture.needsUpdate = true;
      this.render();
    });
    return texture;
  }

  /** A bow with a head from one square to another. @param {string} from @param {string} to @param {string} color @param {number} thick */
  bow(from, to, color, thick) {
    const [begin, end] = [from, to].map((square) => this.spot(square, this.ground(square).height + 0.5));
    const middle = begin.clone().add(end).multiplyScalar(0.5);
    middle.y += 0.35 + begin.distanceTo(end) * 0.22;
    const curve = new THREE.QuadraticBezierCurve3(begin, middle, end);
    const stuff = this.stuff(color);
    const tube = new THREE.TubeGeometry(curve, 32, thick, 8);
    this.passing.push(tube);
    this.heap.add(new THREE.Mesh(tube, stuff));
    const head = new THREE.Mesh(this.keep('head', () => new THREE.ConeGeometry(0.13, 0.3, 20)), stuff);
    head.position.copy(end);
    head.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), curve.getTangent(1).normalize());
    this.heap.add(head);
  }

  /** A circle around a square. @param {string} square */
  ring(square) {
    const ring = this.keep('circle', () => new THREE.RingGeometry(0.4, 0.47, 40).rotateX(-Math.PI / 2));
    this.put(square, ring, this.light('--accent', 0.95), this.ground(square).height, {});
  }

  /** Shows which square the keyboard is at. */
  showFocus() {
    this.focus.clear();
    const square = this.cells.contains(document.activeElement) && document.activeElement?.matches(':focus-visible') ? squareOf(document.activeElement) : null;
    if (square) {
      const frame = this.keep('cursor', () => new THREE.RingGeometry(0.52, 0.66, 4, 1, Math.PI / 4).rotateX(-Math.PI / 2));
      const mesh = new THREE.Mesh(frame, this.light('--accent', 0.95));
      mesh.position.copy(this.spot(square, this.ground(square).height));
      mesh.position.y += 0.03;
      this.focus.add(mesh);
    }
    this.render();
  }

  /** Takes the size that the page gives. */
  fit() {
    const { clientWidth, clientHeight } = this.root;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  render() {
    if (!this.view) return;
    const { width, height } = this.bounds();
    const { around, up, near } = this.way;
    const wide = Math.hypot(width, height) / 2 + 0.4;
    const far = (wide / Math.sin((this.camera.fov / 2) * (Math.PI / 180)) / Math.min(1.25, Math.max(0.8, this.camera.aspect))) * near;
    const angle = around + (this.flipped ? Math.PI : 0);
    const middle = new THREE.Vector3(0, 0.2, 0);
    this.camera.position.set(Math.sin(angle) * Math.cos(up), Math.sin(up), Math.cos(angle) * Math.cos(up)).multiplyScalar(far).add(middle);
    this.camera.lookAt(middle);
    this.renderer.render(this.scene, this.camera);
  }

  /** The square at a point of the page. @param {number} x @param {number} y @returns {string | null} */
  squareAt(x, y) {
    const element = document.elementFromPoint(x, y);
    if (element !== this.canvas) return squareOf(element);
    const box = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.camera);
    // The corners of a piece's picture are empty.
    const hit = ray.intersectObjects(this.targets, false).find((/** @type {any} */ one) => !one.object.userData.narrow || Math.abs(one.uv.x - 0.5) < 0.3);
    return hit?.object.userData.square ?? null;
  }

  /** Where on the page the top of a square is. @param {string} square @returns {[number, number]} */
  pointOf(square) {
    const box = this.canvas.getBoundingClientRect();
    const spot = this.spot(square, this.ground(square).height).project(this.camera);
    return [box.left + ((spot.x + 1) / 2) * box.width, box.top + ((1 - spot.y) / 2) * box.height];
  }

  /** Only what may move is taken up: everything else turns the heap. @param {string} square */
  grips(square) {
    return this.view.steps.some((/** @type {any} */ step) => step.from === square);
  }
}
