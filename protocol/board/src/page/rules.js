// Learning a game: its first lesson and its rules in full.

import { get, post } from './api.js';
import { diagram } from './diagram.js';
import { button, html } from './dom.js';
import { FlatBoard } from './flat.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** @type {Record<string, any>} */
const known = {};

/** @param {any} app */
export async function panel(app) {
  const { variant, lesson } = app.state;
  known[variant] ??= await app.fetched(() => rulesOf(variant));
  const rules = known[variant];
  if (!rules) return [];
  /** @type {Element[]} */
  const parts = [html('h2', {}, `${T.games[variant] ?? variant} · ${T.learn.lesson}`), html('p', { class: 'note' }, T.about[variant] ?? '')];
  parts.push(lesson ? current(app, lesson, rules.lessons.length) : overview(app, rules.lessons));
  parts.push(html('details', { open: app.notes.rulesOpen || !rules.lessons.length, ontoggle: (/** @type {Event} */ event) => { app.notes.rulesOpen = /** @type {HTMLDetailsElement} */ (event.target).open; } },
    html('summary', {}, html('strong', {}, T.learn.rules)), elements(rules.rules, rules.views)));
  return parts;
}

/** @param {string} variant */
async function rulesOf(variant) {
  const rules = await get(`/api/rules/${variant}`);
  const views = new Map();
  await look(variant, rules.rules, views);
  return { ...rules, views };
}

/** The lessons that were done before. @param {string} variant @returns {number} */
function reached(variant) {
  return setting('lessons')[variant] ?? 0;
}

/** @param {any} app @param {string[]} lessons */
function overview(app, lessons) {
  if (!lessons.length) return html('p', { class: 'note' }, T.learn.none);
  const done = reached(app.state.variant);
  return html('div', { class: 'lesson' }, html('p', {}, T.learn.list), progress(done, -1, lessons.length),
    html('ol', {}, ...lessons.map((title) => html('li', {}, title))),
    html('div', { class: 'row' }, button(done && done < lessons.length ? T.learn.goOn : done ? T.learn.restart : T.learn.begin, () => open(app, done < lessons.length ? done : 0), { class: 'primary' })));
}

/** @param {any} app @param {any} lesson @param {number} count */
function current(app, lesson, count) {
  const { number, status } = lesson;
  const variant = app.state.variant;
  if (status === 'done' && reached(variant) <= number) set('lessons', { ...setting('lessons'), [variant]: number + 1 });
  const last = number + 1 === count;
  return html('div', { class: 'lesson' },
    progress(Math.max(reached(variant), number), number, count),
    html('h3', {}, `${T.learn.of(number + 1, count)}: ${lesson.title}`),
    html('p', {}, lesson.task),
    lesson.said && html('p', { class: `said ${status}`, role: 'status' }, lesson.said),
    status === 'done' && last && html('p', {}, T.learn.finished),
    html('div', { class: 'row' },
      status === 'failed' && button(T.learn.again, () => app.act({ do: 'undo_turn' }), { class: 'primary' }),
      status === 'done' && !last && button(T.learn.next, () => open(app, number + 1), { class: 'primary' }),
      status === 'done' && last && button(T.learn.play, () => { app.show('play'); app.newGame({ white: { kind: 'human' }, black: { kind: 'engine', level: 1 } }); }, { class: 'primary' }),
      number > 0 && status !== 'done' && button(T.learn.previous, () => open(app, number - 1)),
      button(T.learn.leave, () => app.newGame())));
}

/** @param {any} app @param {number} lesson */
function open(app, lesson) {
  return app.openTask({ lesson });
}

/** @param {number} done @param {number} now @param {number} count */
function progress(done, now, count) {
  return html('div', { class: 'steps', role: 'img', 'aria-label': T.learn.of(Math.min(done, count), count) },
    ...Array.from({ length: count }, (_, i) => html('span', { class: i === now ? 'now' : i < done ? 'past' : '' })));
}

/** The rules as elements of the page. @param {any} node a text, or an array of a name and what is in it @param {Map<string, any>} views of the positions in them @returns {any} */
function elements(node, views) {
  if (typeof node === 'string') return node;
  const [tag, ...parts] = node;
  const inner = () => parts.map((/** @type {any} */ part) => elements(part, views));
  if (tag === 'boards') return html('div', { class: 'boards' }, ...parts.map((/** @type {any} */ part) => (Array.isArray(part) ? elements(part, views) : diagram(part))));
  if (tag === 'position') return position(parts[0], views.get(parts[0]));
  if (tag === 'table') return html('div', { class: 'scroll' }, html('table', {}, ...inner()));
  if (tag === 'pre') return html('pre', { tabindex: 0 }, ...inner());
  return html(tag, tag === 'article' ? { class: 'rules' } : {}, ...inner());
}

/** A position string with its board. @param {string} fen @param {any} view */
function position(fen, view) {
  const draw = (/** @type {HTMLElement | null} */ element) => { if (element) new FlatBoard(element).draw(view, {}); };
  return html('figure', {},
    view && html('div', { role: 'img', 'aria-label': T.learn.drawn, class: `drawn${view.relief ? ' wide' : ''}` }, html('div', { class: 'board', inert: true, ref: draw })),
    html('figcaption', {}, html('code', {}, fen)));
}

/** The positions of the rules, as they are drawn. @param {string} variant @param {any} node @param {Map<string, any>} views @returns {Promise<void>} */
async function look(variant, node, views) {
  if (!Array.isArray(node)) return;
  if (node[0] === 'position') views.set(node[1], (await post('/api/check', { variant, fen: node[1] })).view);
  else for (const part of node) await look(variant, part, views);
}
