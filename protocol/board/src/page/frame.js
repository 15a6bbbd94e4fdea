// What is around the game: tabs and panel, the theme, the link, the clocks between two messages of the server.

import { get } from './api.js';
import { byId, html } from './dom.js';
import { time } from './panels.js';
import { applyTheme, set, setting } from './settings.js';
import { T } from './text.js';

/** The tabs of the panel. @param {any} app */
export function drawTabs(app) {
  const names = Object.keys(T.tabs).filter((name) => name !== 'match' || app.start.match);
  if (!names.includes(app.tabName)) app.tabName = 'play';
  byId('tabs').replaceChildren(...names.map((name) => html('button', {
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
}

/** Puts the parts of the panel into it; focus and scrolling stay where they were. @param {any} app @param {(Node | null)[]} parts */
export function fillPanel(app, parts) {
  const panel = byId('panel');
  // To ask how far something is scrolled costs a layout: nothing is asked of a panel that was empty.
  const [top, down] = panel.firstChild ? [panel.scrollTop, panel.querySelector('.list')?.scrollTop ?? 0] : [0, 0];
  const focused = document.activeElement instanceof HTMLElement && panel.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  panel.replaceChildren(.../** @type {Node[]} */ (parts.filter(Boolean)));
  if (top) panel.scrollTop = top;
  const list = panel.querySelector('.list');
  if (list && app.at === null && list.querySelector('.current')) list.scrollTop = list.scrollHeight;
  else if (list && down) list.scrollTop = down;
  if (focused) [...panel.querySelectorAll('button, select, input')].map((one) => /** @type {HTMLElement} */ (one)).find((one) => keyOf(one) === focused)?.focus();
}

/** Lets the clocks run between two messages of the server. @param {any} app */
export function tick(app) {
  const clock = app.state?.clock;
  if (!clock?.running) return;
  const key = clock.running === 'w' ? 'white' : 'black';
  const left = clock[key] - (performance.now() - app.told);
  const element = document.querySelector(`[data-clock="${clock.running}"]`);
  if (element) {
    element.textContent = time(left);
    element.classList.toggle('short', left < 20_000);
  }
  if (left <= 0 && !app.state.end && !app.notes.flag) {
    app.notes.flag = true;
    app.guarded(async () => {
      const state = await get(`/api/games/${app.state.id}`);
      app.notes.flag = false;
      if (state.end) {
        app.state = { ...state, version: app.state.version - 1 };
        app.update(state);
      }
    });
  }
}

/** What tells an element of the panel from others after it was drawn anew. @param {HTMLElement} element */
function keyOf(element) {
  return `${element.tagName} ${element.textContent} ${element.getAttribute('aria-label') ?? ''}`;
}

/** Lets the browser show what was drawn; a page that is not looked at shows nothing, and does not wait. @returns {Promise<void>} */
export function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

/** The game and position of the link, if it holds one. */
export function fromHash() {
  const words = new URLSearchParams(location.hash.slice(1));
  const variant = words.get('game');
  return variant ? { variant, fen: words.get('fen') ?? undefined } : null;
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
