// The page: the game that is served to it, the place in it that is shown, and everything that looks at it.

import { Refusal, get, getText, hasWorker, listen, post, send } from './api.js';
import { announce, ask, button, byId, html, show } from './dom.js';
import { FlatBoard } from './flat.js';
import { drawTabs, fillPanel, fromHash, hashOf, painted, sizeHandle, themeButton, tick } from './frame.js';
import { help, keys, wheel } from './keys.js';
import { spelled } from './notation.js';
import { sendDraft } from './notes.js';
import { installPieces } from './pieces.js';
import { capital, extras, playPanel, seatBar } from './panels.js';
import { before, exists, keyOf, lineOf, turnAt } from './place.js';
import { Premoves } from './premove.js';
import { ReliefBoard } from './relief.js';
import { applyTheme, set, setting, tab } from './settings.js';
import { drawEval, glide, marks } from './stage.js';
import { T } from './text.js';
import { Input } from './turn.js';

/** What each tab of the panel shows: loaded when it is looked at. @type {Record<string, () => Promise<any>>} */
const PANELS = {
  analyse: () => import('./analysis.js'),
  learn: () => import('./rules.js'),
  puzzles: () => import('./puzzles.js'),
  games: () => import('./match.js'),
  match: () => import('./match.js'),
  setup: () => import('./setup.js'),
};
/** How often a server that has gone is looked for, in ms. */
const SEEK = 700;

const HUMAN = { kind: 'human' };

class App {
  constructor() {
    /** @type {any} */
    this.start = null;
    /** The game. @type {any} */
    this.state = null;
    /** The place of the game that is shown, with what is made of its turn; null: the game as it stands. @type {{ path: string, roll?: string, steps?: string[] } | null} */
    this.place = null;
    /** The position of that place. @type {any} */
    this.looked = null;
    /** Where the page is on its way to. @type {string | null} */
    this.heading = null;
    /** How often it was sent to a place. */
    this.goings = 0;
    /** Positions that were looked at, as long as the game does not change. @type {Map<string, any>} */
    this.known = new Map();
    /** A position along a line of the engine, shown while the pointer is over it. @type {any} */
    this.preview = null;
    /** The lines of the analysis of what is shown. @type {any[]} */
    this.lines = [];
    /** What was found about the turns of the game, by their places. @type {any[]} */
    this.assessed = [];
    /** The report of White and Black. @type {any[] | null} */
    this.sides = null;
    /** Learning from mistakes, while that is done. @type {import('./retry.js').Retry | null} */
    this.retry = null;
    /** @type {any} */
    this.hinted = null;
    /** @type {any} */
    this.dangers = null;
    /** @type {any} */
    this.staticEval = null;
    /** What sets up a position. @type {any} */
    this.setup = null;
    this.tabName = setting('tab');
    /** @type {Record<string, any>} */
    this.modules = {};
    /** The state of the panels that outlives a redraw. @type {Record<string, any>} */
    this.notes = {};
    this.closeStream = () => {};
    this.flipped = false;
    /** Whether the server does not answer. */
    this.gone = false;
    /** Whether what is said is that something failed. */
    this.failed = false;
    /** How often something has failed. */
    this.failures = 0;
    /** When the clocks were received. */
    this.told = 0;
    /** The board in three dimensions, once it is fetched. @type {typeof import('./solid.js').SolidBoard | null} */
    this.Solid = null;
    /** @type {FlatBoard} */
    this.board = new FlatBoard(byId('board'));
    this.premoves = new Premoves(this);
    /** @type {Input} */
    this.input = new Input(byId('board'), {
      view: () => this.shown(),
      canMove: () => this.canMove(),
      premoves: () => this.premoves,
      board: () => this.board,
      setup: () => this.setup,
      send: (token, dropped) => this.send(token, dropped),
      why: (from, to) => this.why(from, to),
      redraw: () => this.draw(),
      undoStep: () => this.undoStep(),
      shapes: (shape) => this.toggleShape(shape),
    });
  }

  /** The position on the board. @returns {any} */
  shown() {
    return this.setup?.view ?? this.preview?.view ?? this.input.preview(this.looked?.view ?? this.premoves.preview(this.state.view));
  }

  /** Whether the board shows the game as it stands. */
  isLive() {
    return this.place === null && !this.setup && !this.preview;
  }

  /** The place that is shown, as text. */
  here() {
    return this.place?.path ?? String(this.state.turns.length);
  }

  /** The place that is shown with the steps of its turn so far. @returns {{ path: string, roll?: string, steps?: string[] }} */
  placed() {
    return this.place ?? { path: this.here(), steps: this.state.partial_turn.map((/** @type {any} */ step) => step.token) };
  }

  /** The steps of the turn that is being made where the board stands. @returns {any[]} */
  partialTurn() {
    return this.place ? (this.looked?.partial_turn ?? []) : this.state.partial_turn;
  }

  /** How the game has ended where the board stands. */
  end() {
    if (this.preview || this.setup) return null;
    return this.place ? (this.looked?.end ?? null) : (this.state.end ?? null);
  }

  /** The lesson or puzzle that the game is. @returns {any} */
  task() {
    return this.state.lesson ?? this.state.puzzle ?? null;
  }

  /** Whether a step here is one of the game that is played, and not of a variation. */
  isPlayed() {
    const { state } = this;
    return this.isLive() && !state.end && !state.live;
  }

  /** Whether a person may make a step now. @returns {boolean} */
  canMove() {
    const { state } = this;
    if (!state.id || this.setup || this.preview || this.gone) return false;
    const task = this.task();
    if (task && (this.place || task.status !== 'open')) return false;
    if (!this.isPlayed()) return this.shown().steps.length > 0;
    const player = state.view.side === 'w' ? state.white : state.black;
    return player.kind === 'human';
  }

  async begin() {
    this.start = JSON.parse(byId('start').textContent ?? '');
    drawTabs(this);
    const linked = fromHash();
    // Without a server the browser keeps the games, also those of tabs that are closed.
    const kept = tab.get() ?? (hasWorker && !linked ? (await get('/api/kept'))[0] : null);
    try {
      if (linked) await this.followLink(linked);
      else if (kept?.id) await this.resume(kept);
      else if (this.start.file) await this.open({ variant: this.start.variant, file: { id: this.start.file.id, index: 0 } });
      else await this.first();
    } catch (error) {
      if (!this.state?.id) {
        const anew = () => this.open({ variant: this.start.variant, ...this.players(this.start.variant) }, true);
        // An address that leads nowhere does not cost the tab its game.
        if (linked && kept?.id) await this.resume(kept, true).catch(anew);
        else await anew();
      }
      this.fail(error);
    }
    if (this.tabName === 'games') this.show('games');
    if (!kept && this.start.match) this.show('match');
    else if (!kept && this.start.file?.total > 1) this.show('games');
    addEventListener('hashchange', () => {
      const link = fromHash();
      if (!link) return;
      this.guarded(() => this.followLink(link).catch((error) => {
        this.address();
        throw error;
      }));
    });
  }

  /** Begins the game that the program was started for, and draws its position before the server answers. */
  async first() {
    const { variant, fen, opening } = this.start;
    const players = this.players(variant);
    if (opening) {
      this.look({ id: '', version: 0, variant, start: opening.fen, turns: [], lead: {}, partial_turn: [], view: { ...opening, steps: [] }, ...players, thinking: false });
      this.draw();
      this.redrawPanel();
      this.say(this.condition());
      await painted();
    }
    await this.open({ variant, fen: fen ?? undefined, ...players });
  }

  /** Takes up a game that this tab had. @param {any} kept @param {boolean} [replaces] as in `take` */
  async resume(kept, replaces = false) {
    try {
      this.take(await get(`/api/games/${kept.id}`), replaces);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      await this.setUpAgain(kept, replaces);
    }
  }

  /** The server has lost a game: it is set up anew, with everything in it. @param {any} kept @param {boolean} [replaces] as in `take` @param {boolean} [analyses] whether its analysis was on */
  async setUpAgain(kept, replaces = false, analyses = false) {
    const { variant, start, rules, turns, seed, names, opened, pgn, lesson, puzzle, clock, partial } = kept;
    const left = clock && { white: clock.white, black: clock.black, runs: Boolean(clock.running) };
    const more = { names, lesson, puzzle, clock: clock?.control, left, partial_turn: partial };
    // A program that is no longer there leaves its place to a person.
    const [white, black] = [kept.white, kept.black].map((player) => (player.kind !== 'program' || this.programs(variant).includes(player.name) ? player : HUMAN));
    const plain = () => this.open({ variant, fen: start, rules, turns, seed, white, black, ...more }, replaces);
    // A comment that is being written cannot be sent to the game that is lost: it is written on in the one that takes its place.
    const draft = this.notes.draft?.id === kept.id ? this.notes.draft : null;
    if (draft) this.notes.draft = null;
    // Turns may have been made since the PGN was kept; where they were taken back, the turns alone are the game.
    if (pgn && pgn.turns.every((/** @type {string} */ turn, /** @type {number} */ i) => turn === turns[i])) {
      const { id } = await send(`/api/files?variant=${variant}`, new Blob([pgn.text]));
      await this.open({ variant, file: { id, index: 0, own: !opened }, turns: turns.slice(pgn.turns.length), white, black, ...more }, replaces).catch(plain);
    } else await plain();
    if (draft && exists(this.state, draft.path)) {
      this.notes.draft = { id: this.state.id, path: draft.path, text: draft.text };
      this.redrawPanel();
    }
    if (analyses) await this.analyse(true);
    // Nothing is lost where nothing was done, and without a server lessons and puzzles are kept by their tab alone.
    const isOnlyHere = !(turns.length || partial?.length) || (hasWorker && (lesson !== undefined || puzzle));
    if (!isOnlyHere) this.say(T.lost);
  }

  /** Keeps the game as PGN beside its turns, in case that the server loses it: with its variations, what is written in it, and how it has ended. */
  keepTree() {
    const { id } = this.state;
    const written = this.state.end || JSON.stringify([this.state.turns, this.state.lead]).match(/"(?:variations|comment|nags|shapes)":/);
    clearTimeout(this.notes.keeping);
    if (!id || !written) return;
    this.notes.keeping = setTimeout(async () => {
      try {
        const turns = tokensOf(this.state);
        const text = await getText(`/api/games/${id}/pgn`);
        if (tab.get()?.id === id) tab.set({ ...tab.get(), pgn: { text, turns } });
      } catch {
        // A server that does not answer is seen by its stream of events.
      }
    }, 300);
  }

  /** Goes to the game and place of an address, which is in the history already. @param {any} link */
  async followLink(link) {
    if (link.id) {
      if (link.id !== this.state?.id) {
        const kept = Object.values(tab.get()?.games ?? {}).find((one) => one.id === link.id);
        if (kept) await this.resume(kept, true);
        else this.take(await get(`/api/games/${link.id}`), true);
      }
    } else {
      const { at, ...wanted } = link;
      this.take(await post('/api/games', { ...wanted, white: HUMAN, black: HUMAN }), true);
      link.path = at;
    }
    if (link.path && exists(this.state, link.path)) await this.goTo(link.path);
  }

  /** Begins a game. @param {any} wanted @param {boolean} [replaces] as in `take` */
  async open(wanted, replaces = false) {
    this.take(await post('/api/games', wanted), replaces);
  }

  /** Shows a game from now on. @param {any} state @param {boolean} [replaces] whether its address takes the place of the one before */
  take(state, replaces = false) {
    this.look(state);
    this.address(!replaces);
    this.connect();
    this.changed(null);
    this.fetchReport();
  }

  /** Fetches what was found about the game before this page looked at it. */
  async fetchReport() {
    const { id, turns } = this.state;
    if (!turns.length) return;
    const report = await this.ask({ do: 'report' });
    if (!report?.turns.length || this.state.id !== id || this.notes.reviewing) return;
    this.assessed = report.turns;
    this.sides = report.sides;
    this.redrawPanel();
  }

  /** Writes the address of what is shown. @param {boolean} [fresh] whether it is a new one to go back from */
  address(fresh = false) {
    if (!this.state.id) return;
    const hash = hashOf(this.state.id, this.place?.path);
    if (location.hash === hash) return;
    if (fresh && location.hash.startsWith('#/')) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
  }

  /** Looks at a game, with nothing left of the one before. @param {any} state */
  look(state) {
    this.closeStream();
    // What was being written in the game before is sent there.
    if (this.state) sendDraft(this);
    const other = this.state && this.state.variant !== state.variant;
    Object.assign(this, { state, place: null, looked: null, heading: null, preview: null, lines: [], assessed: [], sides: null, retry: null, hinted: null, dangers: null, staticEval: null, setup: null, gone: false });
    this.notes.reviewing = Boolean(state.reviewing);
    this.known.clear();
    if (other || !this.games) this.drawGames();
    this.flipped = state.white.kind !== 'human' && state.black.kind === 'human';
    this.premoves.clear();
    this.input.reset();
    this.input.cursor = undefined;
    this.chooseBoard();
  }

  connect() {
    this.closeStream();
    if (!this.state.id) return;
    this.closeStream = listen(`/api/games/${this.state.id}/events`, {
      state: (state) => this.update(state),
      lines: ({ place, lines }) => {
        // A line under the pointer stays as it is until it was looked at.
        if (keyOf(place) !== keyOf(this.place) || this.notes.hovered) return;
        this.lines = lines;
        drawEval(this);
        this.modules.analyse?.linesChanged?.(this);
        if (!this.preview && setting('arrows')) this.drawBoard();
      },
      review: ({ sides, ...assessed }) => {
        this.assessed[assessed.turn] = assessed;
        this.sides = sides;
        this.notes.reviewing = true;
        this.assessedSoon();
      },
      reviewed: () => {
        // The state of the game comes first: it has drawn the panel where it says so, too.
        if (this.notes.reviewing) {
          this.notes.reviewing = false;
          this.redrawPanel();
        }
        // A page that was opened meanwhile has not seen all turns.
        this.fetchReport();
      },
    }, () => this.lose());
  }

  /** Assesses the whole game, or stops that. @param {boolean} on */
  assess(on) {
    this.notes.reviewing = on;
    if (on) Object.assign(this, { assessed: [], sides: null, retry: null });
    this.ask({ do: 'review', nodes: on ? setting('nodes') : 0 });
    this.redrawPanel();
  }

  /** Redraws what was assessed, but not for each turn: the longer that takes, the more rarely. */
  assessedSoon() {
    this.notes.assessing ??= setTimeout(async () => {
      const begun = performance.now();
      await this.redrawPanel();
      this.notes.redrawing = performance.now() - begun;
      this.notes.assessing = null;
    }, Math.max(400, 50 * (this.notes.redrawing ?? 0)));
  }

  /** The server has gone: that is said, and it is looked for until it is back. */
  lose() {
    this.closeStream();
    if (this.gone) return;
    this.gone = true;
    this.stopClock();
    document.body.classList.add('gone');
    this.say(T.silent, true);
    this.drawBars();
    setTimeout(() => this.seek(), SEEK);
  }

  /** The clock stands while the server is gone: what is left of it is kept. */
  stopClock() {
    const { clock, id } = this.state;
    if (!clock?.running || tab.get()?.id !== id) return;
    const key = clock.running === 'w' ? 'white' : 'black';
    const left = Math.max(1, Math.round(clock[key] - (performance.now() - this.told)));
    tab.set({ ...tab.get(), clock: { ...clock, [key]: left } });
  }

  /** Looks for the server; once it is back the game is, too. */
  async seek() {
    const { id } = this.state;
    const place = this.place?.path;
    const analyses = Boolean(this.state.analysis);
    const kept = tab.get();
    try {
      const state = await get(`/api/games/${id}`);
      if (this.state.id !== id) return;
      this.back();
      // Another run of the program counts anew.
      this.state.version = -1;
      this.connect();
      this.update(state);
    } catch (error) {
      // A board that is shared anew has another key: nothing is to be had with the old one.
      if (error instanceof Refusal && error.status === 403) {
        this.say(error.message, true);
        return;
      }
      if (!(error instanceof Refusal) || error.status !== 404) {
        setTimeout(() => this.seek(), SEEK);
        return;
      }
      this.back();
      await this.guarded(() => this.setUpAgain(kept, true, analyses));
    }
    if (place && exists(this.state, place)) await this.goTo(place);
    // The game is there as it was kept, but nothing searches yet.
    if (analyses && this.state.id === id && !this.state.analysis) await this.analyse(true);
  }

  /** The server answers again. */
  back() {
    this.gone = false;
    document.body.classList.remove('gone');
  }

  /** The server's state of the game has changed. @param {any} state */
  update(state) {
    if (state.id !== this.state.id || state.version < this.state.version) return;
    const last = this.state;
    this.state = state;
    if (state.version === last.version) {
      this.told = performance.now();
      this.drawBars();
      return;
    }
    this.known.clear();
    const same = state.view.fen === last.view.fen && state.turns.length === last.turns.length;
    const looked = keyOf(this.place);
    this.notes.reviewing = Boolean(state.reviewing);
    if (state.turns.length < last.turns.length) this.premoves.clear();
    // What was found holds as far as the turns are the same: a variation may have become the game.
    const common = sameTurns(last, state);
    if (this.assessed.length > common) {
      this.assessed.length = common;
      Object.assign(this, { sides: null, retry: null });
      this.fetchReport();
    }
    // The end of the game is the game as it stands, unless a turn is being tried there, which may have dice of its own.
    const isAtEnd = this.place?.path === String(state.turns.length) && !this.place.steps?.length && !this.place.roll;
    this.place = this.place && exists(state, this.place.path) && !isAtEnd ? this.place : null;
    if (!this.place) this.looked = null;
    if (keyOf(this.place) !== looked || (!same && !this.place)) this.elsewhere();
    this.changed(last);
    this.premoves.play();
  }

  /** Another position is shown: what was found out about the one before does not hold. */
  elsewhere() {
    this.notes.hovered = '';
    this.lines = [];
    this.hinted = null;
    this.preview = null;
    this.input.reset();
    if (this.dangers) this.fetchDangers();
    if (this.staticEval) this.fetchStatics();
    this.searchHere();
  }

  /** Lets the analysis, where it is on, search what is shown. */
  searchHere() {
    const { state } = this;
    if (!state.analysis || this.setup || keyOf(state.analysis.place) === keyOf(this.place)) return;
    clearTimeout(this.notes.search);
    this.notes.search = setTimeout(() => {
      if (this.state.analysis && keyOf(this.state.analysis.place) !== keyOf(this.place)) this.analyse(true);
    }, 60);
  }

  /** @param {boolean} on */
  analyse(on) {
    return this.act({ do: 'analyse', on, place: this.place, lines: setting('lines'), threads: setting('threads'), hash: setting('hash') });
  }

  /** @param {any} last the state before */
  changed(last) {
    const { state } = this;
    const { variant, start, seed, rules, white, black, names, opened, id, clock } = state;
    this.told = performance.now();
    const pgn = tab.get()?.id === id ? tab.get().pgn : undefined;
    const task = { lesson: state.lesson?.number, puzzle: state.puzzle?.chosen };
    tab.set({ pgn, id, variant, start, seed, rules, white, black, names, opened, clock, ...task, partial: state.partial_turn.map((/** @type {any} */ step) => step.token), turns: tokensOf(state) });
    this.keepTree();
    document.title = `${T.games[variant]} · Fauve`;
    this.draw(this.isLive() && last && { view: last.view, steps: latest(last, state) });
    this.redrawPanel();
    this.searchHere();
    if (last) this.sound(last);
    const made = state.turns.at(-1);
    if (last && made && state.turns.length > last.turns.length) announce(`${T.side[made.side]}: ${spelled(made.san)}. ${state.end ? capital(state.end.text) : T.toMove(state.view.side)}`);
    if (this.gone) return;
    this.say(state.notice ?? (this.task() ? '' : this.condition()), Boolean(state.stalled));
  }

  /** Lets be heard what has happened. @param {any} last the state before */
  async sound(last) {
    const { state } = this;
    if (!setting('sounds') || state.id !== last.id || state.version <= last.version || last.version < 0) return;
    const { play, soundsOf } = await import('./sounds.js');
    soundsOf(last, state, latest(last, state)).forEach((name, i) => play(name, 0.25 * i));
  }

  /** What there is to say of the position. */
  condition() {
    const end = this.end();
    if (end) return `${end.result.replaceAll('1/2', '½')} – ${capital(end.text)}`;
    const view = this.shown();
    if (view.task) return view.task;
    if (view.awaits_roll) return T.rollDue(view.side);
    const parts = [T.toMove(view.side)];
    if (view.moves_left === 2) parts.push(T.firstMove);
    else if (view.moves_left === 1) parts.push(view.mid_turn ? T.secondMove : T.onlyMove);
    if (view.check) parts.push(view.check.lines.some((/** @type {any} */ line) => line.length > 1) ? T.checkByTwo : T.check);
    return parts.join(' · ');
  }

  /** Shows the game on the board that is wanted. @param {boolean} [anew] whether also where that is the present one */
  chooseBoard(anew = false) {
    const wanted = this.state.view.relief ? setting('relief') : 'numbers';
    document.body.dataset.game = this.state.variant;
    document.body.dataset.relief = wanted === 'numbers' ? 'flat' : 'cubes';
    const { Solid } = this;
    if (!anew && Solid && wanted === 'solid' && this.board instanceof Solid) return;
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

  /** Names the cells otherwise. @param {string} which */
  setNotation(which) {
    set('notation', which);
    this.draw();
    this.redrawPanel();
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

  /** Draws everything anew after colours or pieces were exchanged. */
  redrawAll() {
    this.chooseBoard(true);
    this.draw();
    this.redrawPanel();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** Draws the board and what is around it. @param {any} [from] the view before and the steps since, to let pieces glide */
  draw(from) {
    this.drawBoard();
    if (from) glide(this, from);
    this.drawBars();
    drawEval(this);
    show(byId('extras'), ...extras(this));
  }

  drawBoard() {
    this.board.flipped = this.flipped;
    this.board.draw(this.shown(), marks(this));
    document.body.dataset.fen = this.shown().fen;
  }

  drawBars() {
    const [top, bottom] = this.flipped ? /** @type {const} */ (['w', 'b']) : /** @type {const} */ (['b', 'w']);
    show(byId('top'), ...seatBar(this, top));
    show(byId('bottom'), ...seatBar(this, bottom));
  }

  /** Says something under the board. @param {string} text @param {boolean} [sharp] */
  say(text, sharp = false) {
    const message = byId('message');
    this.failed = false;
    message.textContent = text;
    message.classList.toggle('sharp', sharp);
  }

  /** @param {unknown} error */
  fail(error) {
    if (error instanceof Refusal && error.status === 0) {
      this.lose();
      return;
    }
    this.say(error instanceof Error ? error.message : String(error), true);
    this.failed = true;
    this.failures += 1;
  }

  /**
   * Does something that the person asks for and that may be refused. What was refused before is old news once it succeeds, but not
   * what was refused meanwhile.
   * @template R @param {() => Promise<R>} work @returns {Promise<R | undefined>}
   */
  async guarded(work) {
    const { failures } = this;
    const done = await this.fetched(work);
    if (this.failed && failures === this.failures && !this.gone) this.say(this.condition());
    return done;
  }

  /**
   * Does something that the page itself asks for, such as the script of a panel: whether it was refused is said, and what else was
   * refused stays to be read.
   * @template R @param {() => Promise<R>} work @returns {Promise<R | undefined>}
   */
  async fetched(work) {
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Asks something of the game. @param {any} action */
  async ask(action) {
    // The first game may not have begun yet.
    if (!this.state.id) return undefined;
    return this.guarded(() => post(`/api/games/${this.state.id}`, action));
  }

  /** Changes the game. @param {any} action */
  async act(action) {
    const state = await this.ask(action);
    if (state) this.update(state);
  }

  /** Changes the tree of the game, and goes where that leads. @param {any} action @param {{ stays?: boolean, dropped?: boolean }} [how] */
  async edit(action, { stays = false, dropped = false } = {}) {
    const { goings } = this;
    const done = await this.ask(action);
    if (!done) return;
    const seen = this.shown();
    this.update(done.state);
    // Where the board was sent before the answer came, it stays.
    if (!stays && goings === this.goings) await this.goTo(done.path, { from: dropped ? null : seen });
  }

  /** Makes a step where the board stands. @param {string} token @param {boolean} [dropped] whether the piece was put there by hand */
  async send(token, dropped = false) {
    this.notes.dropped = dropped;
    if (this.isPlayed()) {
      this.input.reset();
      return this.act({ do: 'step', token });
    }
    const { path, roll, steps = [] } = this.placed();
    const place = { path, roll, steps: [...steps, token] };
    const looked = await this.ask({ do: 'look', place });
    if (!looked) return;
    this.input.reset();
    if (!looked.partial_turn?.length && this.retry?.takes()) return this.retry.judge(place, looked);
    if (!looked.partial_turn?.length) {
      await this.edit({ do: 'vary', place }, { dropped });
      return;
    }
    const from = { view: this.shown(), steps: dropped ? [] : looked.partial_turn.slice(-1) };
    this.arrive(place, looked, from);
  }

  /** Plays what was typed, or says why not. @param {HTMLInputElement} field */
  async type(field) {
    const text = field.value.trim();
    if (!text) return;
    if (!this.canMove()) {
      this.say(this.end() ? T.typed.over : T.typed.wait, true);
      return;
    }
    const steps = await this.ask({ do: 'read', text, place: this.place });
    if (!steps) {
      field.select();
      return;
    }
    field.value = '';
    for (const token of steps) {
      await this.send(token);
      if (this.failed) return;
    }
  }

  /** Puts the keyboard where turns are typed. */
  async typeHere() {
    if (!['play', 'analyse'].includes(this.tabName)) {
      this.show('play');
      await this.redrawPanel();
    }
    document.getElementById('typed')?.focus();
  }

  /** Takes the last turn back, with the engine's answer. */
  takeBack() {
    // Otherwise it would be made in the position before.
    this.premoves.clear();
    return this.act({ do: 'undo_turn' });
  }

  /** Takes the last step of the turn back that is being made. */
  async undoStep() {
    if (!this.partialTurn().length) return;
    if (!this.place) {
      this.act({ do: 'undo_step' });
      return;
    }
    const place = { ...this.place, steps: (this.place.steps ?? []).slice(0, -1) };
    const looked = await this.ask({ do: 'look', place });
    if (looked) this.arrive(place, looked);
  }

  /** Gives the turn that is shown a roll. @param {string} roll */
  async setRoll(roll) {
    const place = { path: this.here(), roll };
    const looked = await this.ask({ do: 'look', place });
    if (looked) this.arrive(place, looked);
  }

  /** @param {string} from @param {string} to */
  async why(from, to) {
    const { id, version } = this.state;
    const reason = await this.ask({ do: 'why', from, to, place: this.place });
    if (reason && id === this.state.id && version === this.state.version) this.say(spelled(reason), true);
  }

  async hint() {
    const key = keyOf(this.place);
    const { version } = this.state;
    const hint = await this.ask({ do: 'hint', place: this.place });
    if (hint && version === this.state.version && key === keyOf(this.place)) {
      this.hinted = hint;
      this.draw();
      this.redrawPanel();
    }
  }

  /** Asks before something that cannot be undone. @param {string} label @param {string} question @param {string} yes @param {() => void} act @param {string} [no] */
  sure(label, question, yes, act, no = T.play.no) {
    ask(label, (close) => [html('p', {}, question), html('div', { class: 'row' },
      button(yes, () => { close(); act(); }, { class: 'primary' }), button(no, close))], { class: 'ask' });
  }

  resign() {
    this.sure(T.play.resign, T.play.resignSure, T.play.yes, () => this.act({ do: 'resign' }));
  }

  offerDraw() {
    const people = this.state.white.kind === 'human' && this.state.black.kind === 'human';
    if (people) this.sure(T.play.agree, T.play.agreeSure, T.play.agreeYes, () => this.act({ do: 'draw' }));
    else this.act({ do: 'draw' });
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
    const key = keyOf(this.place);
    const dangers = (await this.ask({ do: 'dangers', place: this.place })) ?? null;
    if (key !== keyOf(this.place)) return;
    this.dangers = dangers;
    this.draw();
  }

  async fetchStatics() {
    const key = keyOf(this.place);
    const staticEval = (await this.ask({ do: 'static_eval', place: this.place })) ?? null;
    if (key !== keyOf(this.place)) return;
    this.staticEval = staticEval;
    this.draw();
    this.redrawPanel();
  }

  /** Puts an arrow or a circle beside the turn that is shown, or takes it away. @param {string} shape `Gd2d4`, `Re4` */
  toggleShape(shape) {
    const path = this.here();
    const old = this.beside().shapes ?? [];
    const same = (/** @type {string} */ one) => one.slice(1) === shape.slice(1);
    const shapes = old.filter((/** @type {string} */ one) => !same(one));
    if (!old.includes(shape)) shapes.push(shape);
    return this.edit({ do: 'annotate', path, shapes }, { stays: true });
  }

  /** What stands beside the turn that is shown. @returns {any} */
  beside() {
    if (this.preview || this.setup) return {};
    return turnAt(this.state, this.here()) ?? (this.here() === '0' ? this.state.lead : {}) ?? {};
  }

  /** Shows a place of the game. @param {string} path @param {{ from?: any }} [how] the view before, where pieces glide from another */
  async goTo(path, { from } = {}) {
    const { state } = this;
    if (!exists(state, path)) return;
    this.goings += 1;
    const [old, seen] = [this.here(), from ?? this.shown()];
    this.heading = path;
    if (path === String(state.turns.length)) {
      this.arrive(null, null, travelled(state, old, path, seen, from));
      return;
    }
    const looked = this.known.get(path) ?? (await this.ask({ do: 'look', place: { path } }));
    if (!looked || this.heading !== path || this.state.id !== state.id) return;
    if (this.state === state) this.known.set(path, looked);
    this.arrive({ path }, looked, travelled(state, old, path, seen, from));
  }

  /** Shows a place whose position is known. @param {any} place @param {any} looked @param {any} [from] */
  arrive(place, looked, from) {
    const same = keyOf(place) === keyOf(this.place);
    this.heading = null;
    this.preview = null;
    this.place = place;
    this.looked = looked;
    if (!same) {
      this.premoves.clear();
      this.elsewhere();
    }
    this.draw(from);
    this.redrawPanel();
    this.address();
    if (!this.gone) this.say(this.condition());
  }

  /** Shows where a line of the engine leads, as long as the pointer is over it. @param {any} line @param {number} index @param {number} place of the line in the list */
  async showLine(line, index, place) {
    const turns = line.turns.slice(0, index + 1);
    const name = turns.map((/** @type {any} */ turn) => turn.token).join(' ');
    this.notes.hovered = name;
    this.notes.line = { line, place };
    const tokens = turns.map((/** @type {any} */ turn) => turn.token);
    const views = await this.ask({ do: 'line', place: this.place, line: tokens });
    if (!views || this.notes.hovered !== name) return;
    this.preview = { view: views[index], steps: turns[index].steps };
    this.draw();
  }

  hideLine() {
    this.notes.hovered = '';
    if (!this.preview) return;
    this.preview = null;
    this.draw();
  }

  /** Plays a line of the engine as far as a turn, as a variation, and shows where it leads. @param {any} line @param {number} index @param {number} number of the line in the list */
  adopt(line, index, number) {
    // What was shown under the pointer is meant, whatever the search has found since.
    const seen = this.notes.hovered && this.notes.line.place === number && this.notes.line.line;
    const meant = seen && seen.turns.length > index ? seen : line;
    this.notes.hovered = '';
    this.preview = null;
    const { path, roll, steps = [] } = this.placed();
    const [first, ...rest] = meant.turns.slice(0, index + 1);
    const place = { path, roll, steps: [...steps, ...first.steps.map((/** @type {any} */ step) => step.token)] };
    return this.edit({ do: 'vary', place, line: rest.map((/** @type {any} */ turn) => turn.token) });
  }

  /** The Elo of each level of a game; of the last one, which is full strength, there is none. @param {string} variant @returns {(number | null)[]} */
  levels(variant) {
    return this.start.levels[variant];
  }

  /** The level that is set, as far as a game has it. @param {string} variant */
  level(variant) {
    return Math.min(Number(setting('level')), this.levels(variant).length);
  }

  /** The other programs that play a game. @param {string} variant @returns {string[]} */
  programs(variant) {
    const those = this.start.engines.filter((/** @type {any} */ engine) => engine.variants.includes(variant));
    return those.map((/** @type {any} */ engine) => engine.name);
  }

  /** The opponent that is set, where it plays a game: `engine`, `person`, `watch`, or `program` with its name. @param {string} variant @returns {string} */
  opponent(variant) {
    const wanted = setting('opponent') ?? 'engine';
    return wanted.startsWith('program ') && !this.programs(variant).includes(wanted.slice(8)) ? 'engine' : wanted;
  }

  /** The players that the panel asks for. @param {string} variant */
  players(variant) {
    const opponent = this.opponent(variant);
    const engine = opponent.startsWith('program ') ? { kind: 'program', name: opponent.slice(8) } : { kind: 'engine', level: this.level(variant) };
    if (opponent === 'person') return { white: HUMAN, black: HUMAN };
    if (opponent === 'watch') return { white: engine, black: engine };
    const side = setting('side') ?? 'w';
    const white = side === 'w' || (side === 'random' && Math.random() < 0.5);
    return white ? { white: HUMAN, black: engine } : { white: engine, black: HUMAN };
  }

  /** Begins a lesson or a puzzle of the game that is shown. @param {any} task */
  openTask(task) {
    return this.guarded(() => this.open({ variant: this.state.variant, white: HUMAN, black: HUMAN, ...task }));
  }

  /** Begins a new game, after a question where the present one is not over. @param {any} more */
  newGame(more = {}) {
    const { state } = this;
    const wanted = { variant: state.variant, rules: state.rules, ...this.players(state.variant), clock: clockOf(setting('clock')), ...more };
    const begin = () => this.guarded(() => this.open(wanted));
    const open = state.turns.length > 1 && !state.end && !this.task() && (state.white.kind !== 'human' || state.black.kind !== 'human') && !more.fen;
    if (!open) return begin();
    this.sure(T.play.begin, T.play.unfinished, T.play.begin, begin, T.play.stay);
    return Promise.resolve();
  }

  /** The same game once more: players, clock, rules and first position. @param {boolean} [exchanged] whether the players change sides */
  rematch(exchanged = false) {
    const { white, black, clock, start } = this.state;
    const sessions = exchanged ? { white: black, black: white } : { white, black };
    return this.newGame({ ...sessions, fen: start, clock: clock?.control });
  }

  /** Begins a new game at the position that is looked at. */
  playFromHere() {
    return this.newGame({ fen: this.shown().fen });
  }

  drawGames() {
    show(byId('games'), ...this.start.variants.map((/** @type {string} */ variant) =>
      button(T.games[variant] ?? variant, () => this.change(variant), { 'aria-current': this.state.variant === variant ? 'page' : undefined, title: T.about[variant] })));
    this.games = true;
    // Where a layout is due anyway.
    requestAnimationFrame(() => byId('games').querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }));
  }

  /** Shows the game of another kind that this tab has, or begins one. @param {string} variant */
  async change(variant) {
    if (variant === this.state.variant) return;
    const kept = tab.get()?.games?.[variant];
    await this.guarded(() => (kept ? this.resume(kept) : this.open({ variant, ...this.players(variant) })));
    if (this.tabName === 'setup') this.show('play');
  }

  /** Shows a picture of the board, to be saved. */
  showPicture() {
    return this.guarded(async () => (await import('./picture.js')).picture(this));
  }

  /** @param {string} name of a tab */
  show(name) {
    if (this.tabName === 'setup' && name !== 'setup') {
      if (this.setup) this.notes.setup = this.setup;
      this.setup = null;
      this.draw();
    }
    if (name !== 'analyse') this.retry?.leave();
    this.tabName = name;
    set('tab', name === 'match' || name === 'setup' ? 'play' : name);
    drawTabs(this);
    this.redrawPanel().then(() => this.modules[name]?.enter?.(this));
  }

  async redrawPanel() {
    const name = this.tabName;
    if (name === 'play') {
      fillPanel(this, playPanel(this));
      return;
    }
    this.modules[name] ??= await this.fetched(PANELS[name]);
    const module = this.modules[name];
    if (!module || this.tabName !== name) return;
    const parts = await module.panel(this, name);
    if (this.tabName === name) fillPanel(this, parts);
  }
}

/** What a choice of the clock says: `3+2` are minutes for the game and seconds for each turn; `own` what the person has written; nothing without a clock. @param {string} text */
function clockOf(text) {
  const [minutes, increment] = text === 'own' ? [setting('minutes'), setting('increment')] : (/^(\d+)\+(\d+)$/.exec(text)?.slice(1) ?? []);
  return minutes === undefined ? undefined : { minutes: Number(minutes), increment: Number(increment) };
}

/** The turns of a game as they are sent, each with its roll where there are dice. @param {any} state @returns {string[]} */
function tokensOf(state) {
  return state.turns.map((/** @type {any} */ turn) => (turn.roll ? `${turn.roll}:${turn.token}` : turn.token));
}

/** How many turns two states of a game have in common, from the first one on. @param {any} last @param {any} state @returns {number} */
function sameTurns(last, state) {
  const differs = last.turns.findIndex((/** @type {any} */ turn, /** @type {number} */ i) => turn.token !== state.turns[i]?.token || turn.roll !== state.turns[i].roll);
  return differs < 0 ? last.turns.length : differs;
}

/** The steps by which a game has gone on from one state to the next. @param {any} last @param {any} state @returns {any[]} */
function latest(last, state) {
  const grown = state.turns.length - last.turns.length;
  if (grown < 0 || grown > 1) return [];
  return (grown ? state.turns.at(-1).steps : state.partial_turn).slice(last.partial_turn.length);
}

/** What pieces glide from when the board goes from one place to the next one; nothing when it leaps. @param {any} state @param {string} old @param {string} path @param {any} seen @param {any} from */
function travelled(state, old, path, seen, from) {
  const turn = turnAt(state, path);
  if (turn && (before(path) === old || from)) return { view: seen, steps: turn.steps };
  const undone = before(old) === path && turnAt(state, old);
  if (undone) return { view: seen, steps: undone.steps.toReversed().map((/** @type {any} */ step) => ({ ...step, from: step.to, to: step.from })) };
  return null;
}

applyTheme();
installPieces();
const app = new App();
themeButton(app);
sizeHandle();
byId('keys').onclick = help;
byId('picture').onclick = () => app.showPicture();
byId('looks').onclick = () => app.guarded(async () => (await import('./looks.js')).looks(app));
// What the worker has to say, where one answers.
addEventListener('notice', (event) => app.say(/** @type {CustomEvent} */ (event).detail, true));
// For the console, and for tests.
Object.assign(window, { fauve: app, lineOf });
addEventListener('keydown', (event) => keys(app, event));
byId('board').addEventListener('wheel', (event) => wheel(app, event), { passive: false });
document.addEventListener('visibilitychange', () => {
  // A browser opens few connections to one server: a page that is not looked at gives its own back, unless something goes on in its game.
  if (!app.state) return;
  clearTimeout(app.notes.away);
  if (document.hidden) leaveLater();
  else if (app.notes.left) {
    app.notes.left = false;
    // The server may have begun anew meanwhile, and counts anew then.
    app.state.version = -1;
    app.connect();
  }
});

/** Gives the connection back in a minute, or as much later as something goes on in the game. */
function leaveLater() {
  app.notes.away = setTimeout(() => {
    const { analysis, thinking, clock } = app.state;
    if (analysis || thinking || clock?.running || app.notes.reviewing) {
      leaveLater();
      return;
    }
    app.notes.left = true;
    app.closeStream();
  }, 60_000);
}
setInterval(() => tick(app), 100);
app.begin().catch((error) => app.fail(error));
