// What is around the game: tabs and panel, the theme, the link, the clocks between two messages of the server.

import { get } from './api.js';
import { byId, html, keyed, show } from './dom.js';
import { SHORT, time } from './panels.js';
import { turnsTo } from './place.js';
import { applyTheme, set, setting } from './settings.js';
import { T } from './text.js';

/** The tabs of the panel. @param {any} app */
export function drawTabs(app) {
  const names = Object.keys(T.tabs).filter((name) => name !== 'match' || app.start.match);
  if (!names.includes(app.tabName)) app.tabName = 'play';
  show(byId('tabs'), ...names.map((name) => html('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(name === app.tabName), 'aria-controls': 'panel', tabindex: name === app.tabName ? 0 : -1,
    onclick: () => app.show(name),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = names[(names.indexOf(name) + step + names.length) % names.length];
      app.show(next);
      byId(`tab-${next}`).focus();
    },
  }, T.tabs[name])));
  byId('panel').setAttribute('aria-labelledby', `tab-${app.tabName}`);
  // Where a layout is due anyway. The page itself is not scrolled.
  requestAnimationFrame(() => {
    const [strip, tab] = [byId('tabs'), byId(`tab-${app.tabName}`)];
    const [outer, inner] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) strip.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  });
}

/** Puts the parts of the panel into it; the turn that is shown stays in sight. @param {any} app @param {any[]} parts */
export function fillPanel(app, parts) {
  const panel = byId('panel');
  show(panel, keyed(app.tabName, parts));
  // A person that asked for the report of a game sees it as soon as it is there.
  const graph = app.notes.seeks && app.tabName === 'analyse' && panel.querySelector('.graph');
  if (graph) {
    app.notes.seeks = false;
    requestAnimationFrame(() => graph.scrollIntoView({ block: 'start' }));
  }
  const list = /** @type {HTMLElement | null} */ (panel.querySelector('.list'));
  const current = /** @type {HTMLElement | null} */ (list?.querySelector('.turn.current'));
  // What is said of the end of a game leaves the list less room.
  const key = `${app.state.id} ${app.tabName} ${app.here()} ${current?.textContent} ${Boolean(app.state.end)}`;
  // To ask where something lies costs a layout: only when another turn is shown.
  if (!list || key === app.notes.scrolled) return;
  app.notes.scrolled = key;
  if (!current) {
    if (app.here() === '0') list.scrollTop = 0;
    return;
  }
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top + 4) list.scrollTop += inner.top - outer.top - outer.height / 3;
  else if (inner.bottom > outer.bottom - 4) list.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
}

/** Lets the clocks run between two messages of the server. @param {any} app */
export function tick(app) {
  const clock = app.state?.clock;
  if (!clock?.running || app.gone) return;
  const key = clock.running === 'w' ? 'white' : 'black';
  const left = clock[key] - (performance.now() - app.told);
  const element = document.querySelector(`[data-clock="${clock.running}"]`);
  if (element) {
    element.textContent = time(left);
    element.classList.toggle('short', left < SHORT);
  }
  if (left <= 0 && !app.state.end && !app.notes.flag) {
    app.notes.flag = true;
    app.fetched(async () => {
      const state = await get(`/api/games/${app.state.id}`).finally(() => { app.notes.flag = false; });
      // Another game may be shown by now.
      if (state.end && state.id === app.state.id) {
        app.state = { ...state, version: app.state.version - 1 };
        app.update(state);
      }
    });
  }
}

/** Lets the browser show what was drawn; a page that is not looked at shows nothing, and does not wait. @returns {Promise<void>} */
export function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

/** What the address asks for: a game of the server and a place in it, or a game that is written out. */
export function fromHash() {
  const kept = /^#\/([0-9a-f]{32})(?:\/([\d.]+))?$/.exec(location.hash);
  if (kept) return { id: kept[1], path: kept[2] };
  const words = new URLSearchParams(location.hash.slice(1));
  const variant = words.get('game');
  if (!variant) return null;
  const turns = words.get('turns');
  const rules = words.get('rules');
  return {
    variant, fen: words.get('fen') ?? undefined, seed: words.get('seed') ?? undefined, turns: turns ? turns.split(';') : undefined, at: words.get('at') ?? undefined,
    rules: rules ? rules.split(';').map((rule) => rule.split(':')) : undefined,
  };
}

/** The address of a game of the server. @param {string} id @param {string} [path] */
export function hashOf(id, path) {
  return `#/${id}${path === undefined ? '' : `/${path}`}`;
}

/** A link that holds the whole game, for another program or another day. @param {any} app */
export function linkOf(app) {
  const { state } = app;
  const words = new URLSearchParams({ game: state.variant, fen: state.start });
  const turns = turnsTo(state, app.here()).filter((/** @type {any} */ turn) => turn.token);
  const all = app.here().includes('.') ? turns : state.turns;
  if (all.length) words.set('turns', all.map((/** @type {any} */ turn) => (turn.roll ? `${turn.roll}:${turn.token}` : turn.token)).join(';'));
  if (app.place && all.length) words.set('at', String(turns.length));
  if (state.seed) words.set('seed', state.seed);
  if (state.rules?.length) words.set('rules', state.rules.map((/** @type {string[]} */ rule) => rule.join(':')).join(';'));
  return `${location.origin}${location.pathname}#${words}`;
}

/** The button of the theme. @param {any} app */
export function themeButton(app) {
  const order = ['auto', 'light', 'dark'];
  const now = setting('theme');
  byId('theme').textContent = { auto: '◐', light: '☀', dark: '☾' }[/** @type {'auto'} */ (now)] ?? '◐';
  byId('theme').setAttribute('aria-label', T.theme[now]);
  byId('theme').title = T.theme[now];
  byId('theme').onclick = () => {
    set('theme', order[(order.indexOf(now) + 1) % 3]);
    applyTheme();
    themeButton(app);
    if (app.state) app.draw();
  };
}

/** Gives the board its size, as a part of what the window has. @param {number} size */
function resize(size) {
  const part = Math.max(0.3, Math.min(1, size));
  set('size', part);
  /** @type {HTMLElement | null} */ (byId('board').closest('.stage'))?.style.setProperty('--size', String(part));
  byId('handle').setAttribute('aria-valuenow', String(Math.round(100 * part)));
}

/** The handle that makes the board smaller and larger, by the pointer and by keys. */
export function sizeHandle() {
  const handle = document.createElement('div');
  for (const [name, value] of Object.entries({ id: 'handle', class: 'handle', role: 'slider', tabindex: 0, 'aria-label': T.size, title: T.size, 'aria-valuemin': 30, 'aria-valuemax': 100 })) handle.setAttribute(name, String(value));
  byId('board').parentElement?.append(handle);
  resize(setting('size'));
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const { left, width } = byId('board').getBoundingClientRect();
    const whole = width / setting('size');
    // The board stays in the middle: it grows to both sides.
    const middle = left + width / 2;
    handle.onpointermove = (moved) => resize((2 * (moved.clientX - middle)) / whole);
    handle.onpointerup = handle.onpointercancel = () => { handle.onpointermove = handle.onpointerup = handle.onpointercancel = null; };
  });
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -0.05, ArrowUp: -0.05, ArrowRight: 0.05, ArrowDown: 0.05, Home: -1, End: 1 }[event.key];
    if (!step) return;
    resize(setting('size') + step);
    event.preventDefault();
    event.stopPropagation();
  });
  handle.addEventListener('dblclick', () => resize(1));
}
