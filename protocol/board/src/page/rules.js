// Learning a game: its first lesson and its rules in full.

import { get } from './api.js';
import { button, html } from './dom.js';
import { set, setting } from './settings.js';
import { T } from './text.js';

/** @type {Record<string, any>} */
const known = {};

/** @param {any} app */
export async function panel(app) {
  const { variant, lesson } = app.state;
  known[variant] ??= await app.guarded(() => get(`/api/rules/${variant}`));
  const rules = known[variant];
  if (!rules) return [];
  /** @type {Element[]} */
  const parts = [html('h2', {}, `${T.games[variant] ?? variant} · ${T.learn.lesson}`), html('p', { class: 'note' }, T.about[variant] ?? '')];
  parts.push(lesson ? current(app, lesson, rules.lessons.length) : overview(app, rules.lessons));
  parts.push(html('details', { open: app.notes.rulesOpen || !rules.lessons.length, ontoggle: (/** @type {Event} */ event) => { app.notes.rulesOpen = /** @type {HTMLDetailsElement} */ (event.target).open; } },
    html('summary', {}, html('strong', {}, T.learn.rules)), markdown(rules.text)));
  return parts;
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

/** The rules as elements: headings, paragraphs, lists, blocks of text, emphasis. @param {string} text */
export function markdown(text) {
  const root = html('article', { class: 'rules' });
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const heading = /^(#+) (.*)/.exec(line);
    const item = /^(?:[-*]|\d+\.) /;
    if (line.startsWith('```')) {
      const end = lines.indexOf('```', i + 1);
      root.append(html('pre', { tabindex: 0 }, lines.slice(i + 1, end).join('\n')));
      i = end + 1;
    } else if (heading) {
      const level = /** @type {'h2' | 'h3' | 'h4'} */ (`h${Math.min(heading[1].length + 1, 4)}`);
      root.append(html(level, {}, ...inline(heading[2])));
      i++;
    } else if (line.startsWith('|')) {
      const rows = [];
      for (; lines[i]?.startsWith('|'); i++) if (!/^[|\s:-]+$/.test(lines[i])) rows.push(lines[i].replace(/^\||\|$/g, '').split('|'));
      root.append(html('div', { class: 'scroll' }, html('table', {}, ...rows.map((row, n) => html('tr', {}, ...row.map((cell) => html(n ? 'td' : 'th', {}, ...inline(cell.trim()))))))));
    } else if (item.test(line)) {
      const list = html(/^\d/.test(line) ? 'ol' : 'ul', {});
      while (item.test(lines[i] ?? '')) {
        const words = [lines[i].replace(item, '')];
        for (i++; /^ +\S/.test(lines[i] ?? ''); i++) words.push(lines[i].trim());
        list.append(html('li', {}, ...inline(words.join(' '))));
        while (lines[i] === '' && item.test(lines[i + 1] ?? '')) i++;
      }
      root.append(list);
    } else if (line.trim()) {
      const words = [];
      for (; lines[i]?.trim() && !/^(#|```|[-*] )/.test(lines[i]); i++) words.push(lines[i].trim());
      root.append(html('p', {}, ...inline(words.join(' '))));
    } else {
      i++;
    }
  }
  return root;
}

/** @param {string} text @returns {(Node | string)[]} */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return html('strong', {}, part.slice(2, -2));
    if (part.startsWith('*') && part.length > 2) return html('em', {}, part.slice(1, -1));
    if (part.startsWith('`')) return html('code', {}, part.slice(1, -1));
    return part;
  });
}
