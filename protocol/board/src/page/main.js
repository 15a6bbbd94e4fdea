// The page: the game that is served to it, and everything that looks at it.

import { Refusal, get, listen, post } from './api.js';
import { announce, button, byId, html } from './dom.js';
import { FlatBoard } from './flat.js';
import { drawTabs, fillPanel, fromHash, painted, themeButton, tick } from './frame.js';
import { installPieces } from './pieces.js';
import { capital, extras, playPanel, seatBar } from './panels.js';
import { ReliefBoard } from './relief.js';
import { applyTheme, set, setting, tab } from './settings.js';
import { drawEval, glide, marks } from './stage.js';
import { T } from './text.js';
import { Input } from './turn.js';

/** What each tab of the panel shows: loaded when it is looked at. @type {Record<string, () => Promise<any>>} */
const PANELS = {
  analyse: () => import('./analysis.js'),
  learn: () => import('./rules.js'),
  games: () => import('./match.js'),
  match: () => import('./match.js'),
  setup: () => import('./setup.js'),
};

class App {
  constructor() {
    /** @type {any} */
    this.start = null;
    /** @type {any} */
    this.state = null;
    /** The turns after which the board is shown; null: the game as it stands. @type {number | null} */
    this.at = null;
    /** The position of an earlier turn, or of a line. @type {any} */
    this.other = null;
    /** The line that is followed: its positions and how far. @type {any} */
    this.line = null;
    /** @type {any[]} */
    this.lines = [];
    /** @type {any[]} */
    this.assessed = [];
    /** @type {any} */
    this.hinted = null;
    /** @type {any} */
    this.dangers = null;
    /** @type {any} */
    this.static_eval = null;
    /** What sets up a position. @type {any} */
    this.setup = null;
    this.tabName = setting('tab');
    /** @type {Record<string, any>} */
    this.modules = {};
    /** The state of the panels that outlives a redraw. @type {Record<string, any>} */
    this.notes = {};
    this.closeStream = () => {};
    this.flipped = false;
    /** When the clocks were told. */
    this.told = 0;
    /** The board in three dimensions, once it is fetched. @type {typeof import('./solid.js').SolidBoard | null} */
    this.Solid = null;
    /** @type {FlatBoard} */
    this.board = new FlatBoard(byId('board'));
    this.input = new Input(byId('board'), {
      view: () => this.shown(),
      canMove: () => this.canMove(),
      board: () => this.board,
      setup: () => this.setup,
      send: (token) => this.send(token),
      why: (from, to) => this.why(from, to),
      redraw: () => this.draw(),
      undoStep: () => this.undoStep(),
    });
  }

  /** The position on the board. */
  shown() {
    return this.setup?.view ?? this.other ?? this.input.preview(this.state.view);
  }

  /** Whether the board shows the game as it stands. */
  isLive() {
    return this.other === null && !this.setup;
  }

  /** Whether a person may make a step now. */
  canMove() {
    const { state } = this;
    const player = state.view.side === 'w' ? state.white : state.black;
    const judged = state.lesson && state.lesson.status !== 'open';
    return Boolean(state.id) && this.isLive() && !state.end && player.kind === 'human' && !judged;
  }

  async begin() {
    this.start = JSON.parse(byId('start').textContent ?? '');
    drawTabs(this);
    const kept = tab.get();
    const linked = fromHash();
    try {
      if (linked) await this.open({ ...linked, white: { kind: 'human' }, black: { kind: 'human' } });
      else if (kept?.id) await this.resume(kept);
      else if (this.start.games.length) this.take(await post('/api/import', { text: '', variant: this.start.variant, index: 0 }));
      else await this.first();
    } catch (error) {
      await this.open({ variant: this.start.variant, ...this.players(this.start.variant) });
      this.fail(error);
    }
    if (!kept && this.start.match) this.show('match');
    else if (!kept && this.start.games.length > 1) this.show('games');
    addEventListener('hashchange', () => this.followLink());
  }

  /** Begins the game that the program was started for, and draws its position before the server answers. */
  async first() {
    const { variant, fen, opening } = this.start;
    const players = this.players(variant);
    if (opening) {
      this.look({ id: '', version: 0, variant, start: opening.fen, turns: [], partial_turn: [], view: { ...opening, steps: [] }, ...players, thinking: false });
      this.draw();
      this.redrawPanel();
      this.say(this.condition());
      await painted();
    }
    await this.open({ variant, fen: fen ?? undefined, ...players });
  }

  /** Takes up the game that this tab had. @param {any} kept */
  async resume(kept) {
    try {
      this.take(await get(`/api/games/${kept.id}`));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      // The program was started anew since.
      const { variant, start, rules, turns, seed, white, black, names } = kept;
      await this.open({ variant, fen: start, rules, turns, seed, white, black, names });
      this.say(T.lost);
    }
  }

  async followLink() {
    const linked = fromHash();
    if (linked) await this.guarded(() => this.open({ ...linked, white: { kind: 'human' }, black: { kind: 'human' } }));
  }

  /** Begins a game. @param {any} wanted */
  async open(wanted) {
    this.take(await post('/api/games', wanted));
  }

  /** Shows a game from now on. @param {any} state */
  take(state) {
    this.look(state);
    this.connect();
    this.changed(null);
  }

  /** Looks at a game, with nothing left of the one before. @param {any} state */
  look(state) {
    this.closeStream();
    const other = this.state && this.state.variant !== state.variant;
    Object.assign(this, { state, at: null, other: null, line: null, lines: [], assessed: [], hinted: null, dangers: null, static_eval: null, setup: null });
    if (other || !this.games) this.drawGames();
    this.flipped = state.white.kind === 'engine' && state.black.kind === 'human';
    this.input.reset();
    this.input.cursor = undefined;
    this.chooseBoard();
  }

  connect() {
    this.closeStream();
    if (!this.state.id) return;
    this.closeStream = listen(`/api/games/${this.state.id}/events`, {
      state: (state) => this.update(state),
      lines: (lines) => {
        this.lines = lines;
        drawEval(this);
        this.modules.analyse?.linesChanged?.(this);
        if (this.isLive() && setting('arrows')) this.draw();
      },
      review: (assessed) => {
        this.assessed[assessed.turn] = assessed;
        this.notes.reviewing = true;
        this.redrawPanel();
      },
      reviewed: () => {
        this.notes.reviewing = false;
        this.redrawPanel();
      },
    });
  }

  /** The server's state of the game has changed. @param {any} state */
  update(state) {
    if (state.id !== this.state.id || state.version < this.state.version) return;
    const before = this.state;
    this.state = state;
    if (state.version === before.version) {
      this.told = performance.now();
      this.drawBars();
      return;
    }
    const same = state.view.fen === before.view.fen && state.turns.length === before.turns.length;
    if (!same) {
      this.lines = [];
      this.hinted = null;
      this.static_eval = null;
      this.input.reset();
      if (this.assessed.length > state.turns.length) this.assessed.length = state.turns.length;
      if (this.dangers) this.fetchDangers();
    }
    if (this.at !== null && this.at >= state.turns.length) this.at = this.other = null;
    this.changed(before);
  }

  /** @param {any} before */
  changed(before) {
    const { state } = this;
    const { variant, start, seed, rules, white, black, names, id } = state;
    this.told = performance.now();
    tab.set({ id, variant, start, seed, rules, white, black, names, turns: state.turns.map((/** @type {any} */ turn) => (turn.roll ? `${turn.roll}:${turn.token}` : turn.token)) });
    document.title = `${T.games[variant]} · Fauve`;
    this.draw(before);
    drawEval(this);
    this.redrawPanel();
    const last = state.turns.at(-1);
    if (before && last && state.turns.length > before.turns.length) announce(`${T.side[last.side]}: ${last.san}. ${state.end ? capital(state.end.text) : T.toMove(state.view.side)}`);
    this.say(state.notice ?? (state.lesson ? '' : this.condition()));
  }

  /** What there is to say of the position. */
  condition() {
    const { state } = this;
    const { view } = state;
    if (state.end) return `${state.end.result.replaceAll('1/2', '½')} – ${capital(state.end.text)}`;
    if (view.task) return view.task;
    const parts = [T.toMove(view.side)];
    if (view.moves_left === 2) parts.push(T.firstMove);
    else if (view.moves_left === 1) parts.push(view.mid_turn ? T.secondMove : T.onlyMove);
    if (view.check) parts.push(view.check.lines.some((/** @type {any} */ line) => line.length > 1) ? T.checkByTwo : T.check);
    return parts.join(' · ');
  }

  chooseBoard() {
    const wanted = this.state.view.relief ? setting('relief') : 'numbers';
    document.body.dataset.game = this.state.variant;
    document.body.dataset.relief = wanted === 'numbers' ? 'flat' : 'cubes';
    const { Solid } = this;
    if (Solid && wanted === 'solid' && this.board instanceof Solid) return;
    this.board.leave();
    if (wanted === 'solid' && Solid) {
      this.board = new Solid(byId('board'));
    } else if (wanted === 'numbers') {
      this.board = new FlatBoard(byId('board'));
    } else {
      const board = new ReliefBoard(byId('board'));
      board.turned = setting('turned');
      this.board = board;
      // The isometric view stands in until the other one is there.
      if (wanted === 'solid') this.loadSolid();
    }
  }

  /** Fetches the view in three dimensions, and shows it if it can be drawn. */
  async loadSolid() {
    try {
      const { SolidBoard } = await import('./solid.js');
      await SolidBoard.load();
      this.Solid = SolidBoard;
      if (this.state.view.relief && setting('relief') === 'solid') {
        this.chooseBoard();
        this.draw();
      }
    } catch (error) {
      this.Solid = null;
      this.setRelief('cubes');
      this.say(T.noSolid, true);
      console.warn(error);
    }
  }

  /** @param {string} which */
  setRelief(which) {
    set('relief', which);
    this.chooseBoard();
    this.draw();
  }

  /** @param {number} quarters */
  turnRelief(quarters) {
    if (this.Solid && this.board instanceof this.Solid) {
      this.board.turnBy(quarters);
      return;
    }
    set('turned', (setting('turned') + quarters) % 4);
    this.chooseBoard();
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** Draws the board and what is around it. @param {any} [before] the state before, to let pieces glide */
  draw(before) {
    const focused = byId('board').contains(document.activeElement);
    this.board.flipped = this.flipped;
    this.board.draw(this.shown(), marks(this));
    if (focused) this.input.focus();
    document.body.dataset.fen = this.shown().fen;
    if (before) glide(this, before);
    this.drawBars();
    byId('extras').replaceChildren(...extras(this));
  }

  drawBars() {
    const [top, bottom] = this.flipped ? /** @type {const} */ (['w', 'b']) : /** @type {const} */ (['b', 'w']);
    byId('top').replaceChildren(...seatBar(this, top));
    byId('bottom').replaceChildren(...seatBar(this, bottom));
  }

  /** Says something under the board. @param {string} text @param {boolean} [sharp] */
  say(text, sharp = false) {
    const message = byId('message');
    message.textContent = text;
    message.classList.toggle('sharp', sharp);
  }

  /** @param {unknown} error */
  fail(error) {
    this.say(error instanceof Error ? error.message : String(error), true);
  }

  /** Does something that the server may refuse. @template R @param {() => Promise<R>} work @returns {Promise<R | undefined>} */
  async guarded(work) {
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Asks something of the game. @param {any} action */
  async ask(action) {
    // The first game may not have partial_turn yet.
    if (!this.state.id) return undefined;
    return this.guarded(() => post(`/api/games/${this.state.id}`, action));
  }

  /** Changes the game. @param {any} action */
  async act(action) {
    const state = await this.ask(action);
    if (state) this.update(state);
  }

  /** @param {string} token */
  send(token) {
    this.input.reset();
    return this.act({ do: 'step', token });
  }

  undoStep() {
    if (this.state.partial_turn.length) this.act({ do: 'undo_step' });
  }

  /** @param {string} from @param {string} to */
  async why(from, to) {
    const reason = await this.ask({ do: 'why', from, to });
    if (reason) this.say(reason, true);
  }

  async hint() {
    const { version } = this.state;
    const hint = await this.ask({ do: 'hint' });
    if (hint && version === this.state.version) {
      this.hinted = hint;
      this.draw();
      this.redrawPanel();
    }
  }

  resign() {
    const dialog = html('dialog', { class: 'ask', 'aria-label': T.play.resign }, html('p', {}, T.play.resignSure),
      html('div', { class: 'row' },
        button(T.play.yes, () => { dialog.close(); this.act({ do: 'resign' }); }, { class: 'primary' }),
        button(T.play.no, () => dialog.close())));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  async toggleDangers() {
    if (this.dangers) {
      this.dangers = null;
      this.draw();
    } else {
      await this.fetchDangers();
    }
  }

  async fetchDangers() {
    this.dangers = (await this.ask({ do: 'dangers' })) ?? null;
    this.draw();
  }

  /** Shows the position after so many turns. @param {number} turns */
  async goTo(turns) {
    const { state } = this;
    const wanted = Math.max(0, Math.min(turns, state.turns.length));
    this.line = null;
    if (wanted === state.turns.length) {
      this.at = this.other = null;
    } else {
      this.at = wanted;
      const view = await this.guarded(() => get(`/api/games/${state.id}/at/${wanted}`));
      if (!view || this.at !== wanted || this.line) return;
      this.other = view;
    }
    this.draw();
    this.redrawPanel();
  }

  /** Shows a line that begins where the game stands, and goes along it. @param {any} turns @param {number} index */
  async follow(turns, index) {
    const tokens = turns.slice(0, index + 1).map((/** @type {any} */ turn) => turn.token);
    const views = await this.ask({ do: 'line', after: this.state.turns.length, line: tokens });
    if (!views) return;
    this.line = { turns, index, steps: turns[index].steps };
    this.other = views[index];
    this.at = null;
    this.draw();
    this.redrawPanel();
  }

  leaveLine() {
    this.line = this.other = null;
    this.draw();
    this.redrawPanel();
  }

  /** How many levels a game has. @param {string} variant @returns {number} */
  levels(variant) {
    return this.start.levels[variant];
  }

  /** The level that is set, as far as a game has it. @param {string} variant */
  level(variant) {
    return Math.min(Number(setting('level')), this.levels(variant));
  }

  /** The players that the panel asks for. @param {string} variant */
  players(variant) {
    const engine = { kind: 'engine', level: this.level(variant) };
    const human = { kind: 'human' };
    const opponent = setting('opponent') ?? 'engine';
    if (opponent === 'person') return { white: human, black: human };
    if (opponent === 'watch') return { white: engine, black: engine };
    const side = setting('side') ?? 'w';
    const white = side === 'w' || (side === 'random' && Math.random() < 0.5);
    return white ? { white: human, black: engine } : { white: engine, black: human };
  }

  async newGame(more = {}) {
    const clock = /^(\d+)\+(\d+)$/.exec(setting('clock'));
    const wanted = { variant: this.state.variant, rules: this.state.rules, ...this.players(this.state.variant), ...(clock && { clock: { minutes: Number(clock[1]), increment: Number(clock[2]) } }), ...more };
    await this.guarded(() => this.open(wanted));
  }

  /** Begins a new game at the position that is looked at. */
  playFromHere() {
    return this.newGame({ fen: this.shown().fen });
  }

  drawGames() {
    byId('games').replaceChildren(...this.start.variants.map((/** @type {string} */ variant) =>
      button(T.games[variant] ?? variant, () => this.change(variant), { 'aria-current': this.state.variant === variant ? 'page' : undefined, title: T.about[variant] })));
    this.games = true;
    // Where a layout is due anyway.
    requestAnimationFrame(() => byId('games').querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }));
  }

  /** @param {string} variant */
  async change(variant) {
    if (variant === this.state.variant) return;
    location.hash = '';
    await this.guarded(() => this.open({ variant, ...this.players(variant) }));
    if (this.tabName === 'setup') this.show('play');
  }

  /** @param {string} name of a tab */
  show(name) {
    if (this.tabName === 'setup' && name !== 'setup') {
      this.setup = null;
      this.draw();
    }
    this.tabName = name;
    set('tab', name === 'match' || name === 'setup' ? 'play' : name);
    drawTabs(this);
    this.redrawPanel();
  }

  async redrawPanel() {
    const name = this.tabName;
    if (name === 'play') {
      fillPanel(this, playPanel(this));
      return;
    }
    this.modules[name] ??= await this.guarded(PANELS[name]);
    const module = this.modules[name];
    if (module && this.tabName === name) fillPanel(this, await module.panel(this, name));
  }
}

applyTheme();
installPieces();
const app = new App();
themeButton(app);
// For the console, and for tests.
Object.assign(window, { fauve: app });
addEventListener('keydown', (event) => {
  if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog, [role=tab]')) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !app.state) return;
  const here = app.at ?? app.state.turns.length;
  if (event.key === 'ArrowLeft') app.goTo(here - 1);
  else if (event.key === 'ArrowRight') app.goTo(here + 1);
  else if (event.key === 'Home') app.goTo(0);
  else if (event.key === 'End') app.goTo(app.state.turns.length);
  else if (event.key === 'f') app.flip();
  else return;
  event.preventDefault();
});
document.addEventListener('visibilitychange', () => {
  // A browser opens few connections to one server: a page that is not looked at gives its own back.
  if (!app.state) return;
  if (document.hidden) app.notes.away = setTimeout(() => app.closeStream(), 60_000);
  else {
    clearTimeout(app.notes.away);
    app.connect();
  }
});
setInterval(() => tick(app), 100);
app.begin().catch((error) => app.fail(error));
