// What stands around the board, and the panel for playing.

import { button, choice, html, svg } from './dom.js';
import { diceTray, rollChooser, seedPanel } from './dice.js';
import { NAMES, isWhite, pieceIcon, pieceName } from './pieces.js';
import { isCounted, spelled } from './notation.js';
import { turnList } from './notes.js';
import { before, behind, lineEnd, lineStart } from './place.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** @param {any} state @param {'w' | 'b'} side */
function playerName(state, side) {
  const [player, other] = side === 'w' ? [state.white, state.black] : [state.black, state.white];
  if (state.names) return state.names[side === 'w' ? 0 : 1];
  if (player.kind === 'engine') return T.engine(player.level);
  if (player.kind === 'program') return player.name;
  return other.kind === 'human' ? T.person : T.human;
}

/** From when on tenths of a second are shown, in ms. */
export const SHORT = 20_000;

/** @param {number} ms */
export function time(ms) {
  const tenths = Math.max(0, Math.ceil(ms / 100));
  const seconds = Math.floor(tenths / 10);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const tail = ms < SHORT ? `.${tenths % 10}` : '';
  return `${minutes}:${String(rest).padStart(2, '0')}${tail}`;
}

/** The line of a player above or below the board. @param {any} app @param {'w' | 'b'} side */
export function seatBar(app, side) {
  const { state } = app;
  const view = app.shown();
  const end = app.end();
  const toMove = !end && view.side === side;
  const pool = view.pool && view.pool[side === 'w' ? 'white' : 'black'];
  const label = view.relief ? T.outside : T.pool;
  const points = end && ({ '1-0': ['1', '0'], '0-1': ['0', '1'] }[/** @type {'1-0'} */ (end.result)] ?? ['½', '½'])[side === 'w' ? 0 : 1];
  const thinks = app.isLive() && toMove && state.thinking;
  return [
    html('span', { class: `disc ${side}${toMove ? ' on' : ''}`, 'aria-hidden': 'true' }),
    html('span', { class: 'who' }, `${T.side[side]} · ${playerName(state, side)}`, thinks && html('em', {}, ` ${T.thinking}`)),
    app.isLive() && toMove && state.stalled && button(T.play.askAgain, () => app.ask({ do: 'move_now' }), { class: 'small' }),
    thinks && !app.gone && button(T.play.moveNow, () => app.ask({ do: 'move_now' }), { class: 'small' }),
    points && html('strong', { class: 'points', 'aria-label': T.play.points(points) }, points),
    pool !== undefined && pool !== null &&
      html('span', { class: 'pool', title: label, 'aria-label': `${label}: ${[...pool].map(pieceName).join(', ') || T.poolEmpty}`, role: 'img' }, ...[...pool].map((letter, i) => html('span', { key: i, class: pool[i - 1] === letter ? 'same' : '' }, pieceIcon(letter, 24)))),
    captured(view, side),
    state.clock && clockFace(app, side),
  ].filter(Boolean);
}

/** The clock of a side. @param {any} app @param {'w' | 'b'} side */
function clockFace(app, side) {
  const { clock } = app.state;
  const left = side === 'w' ? clock.white : clock.black;
  // Between two messages of the server its text is changed without Preact (frame.js): with each message it is made anew.
  return html('span', { key: `clock ${app.told}`, class: `clock${clock.running === side ? ' runs' : ''}${left < SHORT ? ' short' : ''}`, 'data-clock': side }, time(left));
}

/** What pieces are worth, as the rules of each game have it. @type {Record<string, Record<string, number>>} */
const VALUES = { usual: { P: 1, N: 3, B: 3, R: 5, Q: 9, A: 12, E: 9, S: 8.5, V: 7.5 }, cubes4d: { P: 1, B: 3, R: 4, G: 4, N: 5, Q: 12 } };
const ARMY = 'QRRBBNNPPPPPPPP';

/** The pieces that a side has captured, capital letters: in the games with the usual pieces those that are missing on the board. @param {any} view @param {'w' | 'b'} side */
function taken(view, side) {
  if (view.captured) return (side === 'w' ? view.captured.white : view.captured.black).toUpperCase();
  const left = view.pieces.filter((/** @type {any} */ one) => isWhite(one.letter) !== (side === 'w')).map((/** @type {any} */ one) => one.letter.toUpperCase());
  const count = (/** @type {string[]} */ all, /** @type {string} */ letter) => all.filter((one) => one === letter).length;
  return [...new Set(ARMY)].map((letter) => letter.repeat(Math.max(0, count([...ARMY], letter) - count(left, letter)))).join('');
}

/** What a side has captured, and by how much it is ahead. @param {any} view @param {'w' | 'b'} side */
function captured(view, side) {
  if (view.tray || !view.pieces.some((/** @type {any} */ one) => one.letter.toUpperCase() === 'K')) return null;
  const values = view.relief ? VALUES.cubes4d : VALUES.usual;
  const worth = (/** @type {string} */ letter) => values[letter.toUpperCase()] ?? 0;
  const ahead = view.pieces.reduce((/** @type {number} */ sum, /** @type {any} */ { letter }) => sum + (isWhite(letter) === (side === 'w') ? worth(letter) : -worth(letter)), 0);
  const letters = [...taken(view, side)].toSorted((a, b) => worth(b) - worth(a) || (a < b ? -1 : 1)).map((letter) => (side === 'w' ? letter.toLowerCase() : letter));
  if (!letters.length && ahead <= 0) return null;
  const label = `${T.captured}: ${letters.map(pieceName).join(', ') || T.poolEmpty}${ahead > 0 ? `, ${T.ahead(ahead)}` : ''}`;
  return html('span', { class: 'captured', role: 'img', 'aria-label': label, title: label },
    ...letters.map((letter, i) => html('span', { key: i, class: letters[i - 1] === letter ? 'same' : '' }, pieceIcon(letter, 18))), ahead > 0 && html('b', {}, `+${ahead}`));
}

/** What a game has beside the board: dice, tray, choices, the turn so far. @param {any} app */
export function extras(app) {
  const { state, input } = app;
  const view = app.shown();
  const live = app.isLive();
  const shownHere = !app.preview;
  const parts = [];
  if (view.relief) {
    parts.push(html('div', { class: 'row' },
      ...Object.entries(T.reliefViews).filter(([which]) => which !== setting('relief')).map(([which, label]) => button(label, () => app.setRelief(which), { class: 'small' })),
      button(T.notation[isCounted() ? 'squares' : 'counted'], () => app.setNotation(isCounted() ? 'squares' : 'counted'), { class: 'small', title: T.notation.title }),
      setting('relief') !== 'numbers' && html('button', { type: 'button', onclick: () => app.turnRelief(3), class: 'small square', 'aria-label': T.turnLeft, title: T.turnLeft }, icon('M20 17a8 8 0 1 0-14-8M6 3v6h6', true)),
      setting('relief') !== 'numbers' && html('button', { type: 'button', onclick: () => app.turnRelief(1), class: 'small square', 'aria-label': T.turnRight, title: T.turnRight }, icon('M4 17a8 8 0 1 1 14-8M18 3v6h-6', true))));
    if (setting('relief') === 'solid') parts.push(html('p', { class: 'note' }, T.solidHelp));
  }
  if (app.setup) return parts;
  if (view.dice && !app.end() && (view.dice.rolled || view.dice.left)) parts.push(diceTray(state, view, live));
  if (state.variant === 'dicechess' && shownHere && !app.isPlayed() && !(live && state.live) && !app.end() && !app.partialTurn().length && !app.task()) parts.push(rollChooser(app, view.dice?.rolled || view.dice?.left || ''));
  if (view.tray && shownHere) parts.push(tray(app, view.tray));
  const choices = app.canMove() ? view.steps.filter((/** @type {any} */ step) => step.kind === 'choose' || step.kind === 'pass') : [];
  if (choices.length) {
    parts.push(html('div', { class: 'row' }, ...choices.map((/** @type {any} */ step) =>
      button(step.kind === 'pass' ? T.pass : step.token === 'left' ? T.left : T.right, () => app.send(step.token), { class: 'primary' }))));
  }
  if (input.placing) parts.push(html('div', { class: 'row' }, html('span', {}, T.swap), button(T.keep, () => input.keep(), { class: 'primary' })));
  if (app.premoves.queue.length) {
    const cancel = () => {
      app.premoves.clear();
      app.draw();
    };
    parts.push(html('div', { class: 'row premoves' }, html('span', { class: 'note' }, T.premove.title),
      ...app.premoves.queue.map((/** @type {any} */ one) => html('span', { class: 'chip' }, spelled(`${one.from}–${one.to}`))), button(T.premove.cancel, cancel, { class: 'small' })));
  }
  if (shownHere && app.partialTurn().length) parts.push(partialTurn(app));
  if (view.moves_left !== undefined && shownHere && !app.end()) {
    parts.push(html('div', { class: 'row' },
      button(app.dangers ? T.hideDangers : T.dangers, () => app.toggleDangers(), { class: 'small', 'aria-pressed': String(Boolean(app.dangers)) })));
  }
  return parts;
}

/** The superpieces that are still to be placed. @param {any} app @param {string} letters */
function tray(app, letters) {
  const { input } = app;
  const white = app.shown().side === 'w';
  return html('div', { class: 'tray', role: 'group', 'aria-label': T.tray }, ...[...letters].map((letter) => {
    const shown = white ? letter : letter.toLowerCase();
    const chosen = input.tray === letter;
    return html('button', {
      type: 'button', class: `piecebutton${chosen ? ' chosen' : ''}`, 'aria-pressed': String(chosen), 'aria-label': pieceName(shown), title: pieceName(shown), 'data-tray': letter, disabled: !app.canMove(),
      onclick: () => input.pickTray(letter), onpointerdown: (/** @type {PointerEvent} */ event) => input.downTray(event, letter),
    }, pieceIcon(shown, 58), html('span', { class: 'called' }, NAMES[letter]));
  }));
}

/** The steps of the turn so far. @param {any} app */
function partialTurn(app) {
  return html('div', { class: 'row partial-turn' }, html('span', { class: 'note' }, T.partialTurn),
    ...app.partialTurn().map((/** @type {any} */ step) => html('span', { class: 'chip' }, spelled(step.san))),
    app.canMove() && button(T.takeBackStep, () => app.undoStep(), { class: 'small' }));
}

/** A sign of a button. @param {string} d @param {boolean} [bare] */
export function icon(d, bare = false) {
  return svg('svg', { viewBox: '0 0 24 24', width: 18, height: 18, class: `sign${bare ? ' bare' : ''}`, 'aria-hidden': 'true' }, svg('path', { d }));
}

/** Back and forward through the game. @param {any} app */
export function navigation(app) {
  const here = app.here();
  const go = (/** @type {any} */ sign, /** @type {string} */ label, /** @type {string | null} */ to) =>
    html('button', { type: 'button', onclick: () => to !== null && app.goTo(to), class: 'square', 'aria-label': label, title: label, disabled: to === null || to === here }, sign);
  const back = app.place?.steps?.length ? here : before(here);
  return html('div', { class: 'row nav' },
    go(icon('M5 4v16M19 5 9 12l10 7z'), T.play.first, lineStart(here)), go(icon('M17 5 7 12l10 7z'), T.play.previous, back),
    go(icon('M7 5l10 7-10 7z'), T.play.next, behind(app.state, here)), go(icon('M19 4v16M5 5l10 7-10 7z'), T.play.last, lineEnd(app.state, here)),
    html('button', { type: 'button', onclick: () => app.flip(), class: 'square', 'aria-label': T.flip, title: T.flip }, icon('M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4', true)));
}

/** Where a turn is typed instead of being put together on the board. @param {any} app */
export function typedField(app) {
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.type(/** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.currentTarget).elements[0]));
  };
  const leave = (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Escape') /** @type {HTMLElement} */ (event.currentTarget).blur(); };
  return html('form', { class: 'typed', onsubmit: enter },
    html('input', { type: 'text', id: 'typed', 'aria-label': T.typed.label, placeholder: T.typed.hint, autocomplete: 'off', autocapitalize: 'off', spellcheck: false, maxlength: 200, onkeydown: leave }));
}

/** How the game has ended, and what can follow. @param {any} app */
function result(app) {
  const { state } = app;
  const { white, black } = state;
  const person = white.kind === 'human' || black.kind === 'human';
  const again = person && !state.names && !app.task();
  const differ = JSON.stringify(white) !== JSON.stringify(black);
  const analyse = () => {
    app.show('analyse');
    app.notes.seeks = true;
    if (!app.assessed.length) app.assess(true);
  };
  return html('div', { class: 'result' },
    html('p', { role: 'status' }, html('strong', {}, state.end.result.replaceAll('1/2', '½')), ` ${capital(state.end.text)}`),
    html('div', { class: 'row' },
      again && button(T.play.rematch, () => app.rematch(), { class: 'small primary' }),
      again && differ && button(T.play.switchSides, () => app.rematch(true), { class: 'small' }),
      button(T.play.analyse, analyse, { class: 'small' })));
}

/** The panel for playing. @param {any} app */
export function playPanel(app) {
  const { state } = app;
  const engine = [state.white, state.black].some((player) => player.kind !== 'human');
  const human = [state.white, state.black].some((player) => player.kind === 'human');
  /** @type {any[]} */
  const parts = [html('div', { class: 'list' }, turnList(app)), navigation(app), typedField(app)];
  if (state.end) parts.push(result(app));
  // In some games the engine begins even if the person is White.
  const played = state.turns.some((/** @type {any} */ turn) => (turn.side === 'w' ? state.white : state.black).kind === 'human');
  if (!played && !setting('lessons')[state.variant] && !app.task() && T.about[state.variant]) {
    parts.push(html('p', { class: 'note welcome' }, `${T.about[state.variant]} `, button(T.learn.lesson, () => app.show('learn'), { class: 'small' })));
  }
  if (state.live) parts.push(html('p', { class: 'note' }, T.match.live));
  if (human && !app.task() && !state.live) {
    parts.push(html('div', { class: 'row' },
      button(T.play.hint, () => app.hint(), { disabled: !app.canMove() }),
      button(T.play.takeBack, () => app.takeBack(), { disabled: !state.turns.length && !state.partial_turn.length }),
      button(engine ? T.play.draw : T.play.agree, () => app.offerDraw(), { disabled: Boolean(state.end) }),
      button(T.play.resign, () => app.resign(), { disabled: Boolean(state.end) })));
  }
  if (app.hinted) parts.push(html('p', { class: 'note' }, T.play.hintSays(spelled(app.hinted.san), app.hinted.score)));
  if (app.place) parts.push(html('div', { class: 'row note' }, html('span', {}, app.here().includes('.') ? T.play.variation : T.play.viewing(Number(app.here()))), button(T.play.back, () => app.goTo(String(state.turns.length)), { class: 'small' }), button(T.play.fromHere, () => app.playFromHere(), { class: 'small' })));
  if (state.seed && state.view.dice) parts.push(seedPanel(app));
  parts.push(newGame(app));
  return parts;
}

/** A figure of the clock that a person writes. @param {string} label @param {string} name of the setting @param {number} most @param {number} least */
function figure(label, name, most, least) {
  const write = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    if (field.checkValidity() && field.value) set(name, Number(field.value));
  };
  // What is being typed stays when the panel is drawn anew.
  const typed = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=${name}]:focus`))?.value;
  return html('label', { class: 'choice' }, html('span', {}, label), html('input', { type: 'number', name, min: least, max: most, step: 'any', required: true, value: typed ?? setting(name), onchange: write }));
}

/** What a new game is to be. @param {any} app */
function newGame(app) {
  const { variant } = app.state;
  const opponent = app.opponent(variant);
  const isProgram = opponent.startsWith('program ');
  const redraw = (/** @type {string} */ name) => (/** @type {string} */ value) => {
    set(name, value);
    app.redrawPanel();
  };
  const entries = (/** @type {Record<string, string>} */ words) => /** @type {[string, string][]} */ (Object.entries(words));
  return html('form', { class: 'newgame', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); app.newGame(); } },
    html('h2', {}, T.play.begin),
    choice(T.play.opponent, [...entries(T.play.opponents), ...app.programs(variant).map((/** @type {string} */ name) => /** @type {[string, string]} */ ([`program ${name}`, name]))], opponent, redraw('opponent')),
    (opponent === 'engine' || isProgram) && choice(T.play.me, entries(T.play.sides), setting('side') ?? 'w', (value) => set('side', value)),
    opponent !== 'person' && !isProgram && choice(T.play.level, app.levels(variant).map((/** @type {number | null} */ elo, /** @type {number} */ i) => /** @type {[string, string]} */ ([String(i + 1), T.play.levels(i + 1, elo)])), String(app.level(variant)), (value) => set('level', Number(value))),
    choice(T.play.clock, entries(T.play.clocks), setting('clock'), redraw('clock')),
    setting('clock') === 'own' && html('div', { class: 'own' }, figure(T.play.minutes, 'minutes', 600, 0.1), figure(T.play.increment, 'increment', 600, 0)),
    html('button', { type: 'submit', class: 'primary' }, T.play.begin));
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
