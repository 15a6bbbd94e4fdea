// Games from files, and a match that is followed while it runs.

import { Refusal, get, getText, hasWorker, listen, post, send } from './api.js';
import { button, byId, html } from './dom.js';
import { save as saveFile } from './files.js';
import { linkOf } from './frame.js';
import { courseGraph } from './graph.js';
import { T } from './text.js';

/** @type {any} */
let standing = null;
let following = false;
/** The games of the match that are being played. @type {any[]} */
let running = [];
/** The games that the server keeps, once they were asked for. @type {any[] | null} */
let kept = null;
/** The file that was opened here: what it was read from, what the server lists of it, and what is looked for in it. */
const opened = { source: /** @type {Blob | null} */ (null), list: /** @type {any} */ (null), search: '', rows: /** @type {any} */ (null) };

/** @param {any} app @param {string} name */
export function panel(app, name) {
  return name === 'match' ? matchPanel(app) : gamesPanel(app);
}

/** @param {any} app */
async function gamesPanel(app) {
  if (!opened.list && app.start.file) opened.list = app.start.file;
  const view = app.shown();
  const chosen = async (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const [one] = input.files ?? [];
    if (one) await read(app, one);
    // The same file can be chosen again.
    input.value = '';
  };
  const area = html('textarea', { id: 'paste', 'aria-label': T.files.paste, placeholder: '1. e4 e5 2. Nf3', spellcheck: false });
  const file = html('input', { type: 'file', class: 'hidden', id: 'file', accept: '.pgn,.gz,.jsonl,.txt,.fen,.epd', tabindex: -1, 'aria-label': T.files.open, onchange: chosen });
  return [
    html('h2', {}, T.files.position),
    html('code', { id: 'fen' }, view.fen),
    html('div', { class: 'row' }, button(T.files.copy, () => copy(app, view.fen)), button(T.files.link, () => copy(app, linkOf(app))), button(T.files.save, () => save(app)), button(T.picture.title, () => app.showPicture())),
    ...(kept ? [html('h2', {}, T.files.yours), keptList(app, kept)] : []),
    html('h2', {}, T.files.open),
    html('div', { class: 'row' }, button(T.files.open, () => byId('file').click(), { class: 'primary' }), file),
    area, html('div', { class: 'row' }, button(T.files.read, () => read(app, new Blob([/** @type {HTMLTextAreaElement} */ (byId('paste')).value])))),
    ...(opened.list ? list(app) : []),
    ...(hasWorker ? await keptGames(app) : []),
  ].filter(Boolean);
}

/** The tab is looked at: the games that the server keeps are asked for. @param {any} app */
export async function enter(app) {
  if (!app.start.keeps) return;
  kept = (await app.fetched(() => get('/api/kept'))) ?? kept;
  if (app.tabName === 'games') app.redrawPanel();
}

/** @param {any} app @param {any[]} games */
function keptList(app, games) {
  if (!games.length) return html('p', { class: 'note' }, T.files.noneYet);
  const take = (/** @type {string} */ id) => app.guarded(() => app.followLink({ id }));
  return html('div', { class: 'scroll kept' }, html('table', {}, html('tbody', {}, ...games.map((game) => html('tr', { key: game.id, title: game.date },
    html('td', {}, T.games[game.variant] ?? game.variant), html('td', {}, `${game.white} – ${game.black}`), html('td', {}, game.result), html('td', { class: 'num' }, String(game.turns)),
    html('td', {}, button(T.files.show, () => take(game.id), { class: 'small', 'data-kept': game.id })))))));
}

/** The games that the browser keeps where there is no server, and what is missing there. @param {any} app */
async function keptGames(app) {
  const games = await get('/api/kept');
  const open = (/** @type {string} */ id) => app.guarded(async () => app.take(await get(`/api/games/${id}`)));
  return [
    html('h2', {}, T.files.kept),
    html('div', { class: 'scroll' }, html('table', { id: 'kept' }, html('tbody', {}, ...games.map((/** @type {any} */ game) => html('tr', {}, html('td', {}, T.games[game.variant]),
      html('td', {}, new Date(game.time).toLocaleString()), html('td', {}, button(T.files.show, () => open(game.id), { class: 'small', disabled: game.id === app.state.id }))))))),
    html('p', { class: 'note' }, T.files.alone),
  ];
}

/** The games of the file that fit what is looked for. @param {any} app */
function list(app) {
  const { total, found, games } = opened.list;
  const type = (/** @type {Event} */ event) => search(app, /** @type {HTMLInputElement} */ (event.currentTarget).value);
  // Thousands of rows are made once, and not with each redraw of the panel.
  if (opened.rows?.games !== games) opened.rows = { games, table: table(app, games) };
  return [
    total > 1 && html('label', { class: 'choice' }, T.files.search, html('input', { type: 'text', id: 'search', value: opened.search, spellcheck: false, oninput: type })),
    html('p', { class: 'note', id: 'found', role: 'status' }, T.files.found(games.length, found, total)),
    opened.rows.table,
  ];
}

/** @param {any} app @param {any[]} games */
function table(app, games) {
  return html('div', { class: 'scroll' }, html('table', {}, html('thead', {}, html('tr', {}, ...T.files.header.map((text) => html('th', { scope: 'col' }, text)), html('td', {}))),
    html('tbody', {}, ...games.map((game) => html('tr', { key: game.index, title: game.event }, ...(game.turns || !game.event ? [html('td', {}, game.white), html('td', {}, game.black)] : [html('td', { colspan: 2 }, html('code', {}, game.event))]),
      html('td', {}, game.result), html('td', { class: 'num' }, String(game.turns)),
      html('td', {}, button(T.files.show, () => show(app, game.index), { class: 'small' })))))));
}

/** Looks for games of the file, once the person has stopped typing. @param {any} app @param {string} words */
function search(app, words) {
  opened.search = words;
  clearTimeout(app.notes.searching);
  app.notes.searching = setTimeout(() => app.guarded(async () => {
    const found = await again(app, (id) => get(`/api/files/${id}?search=${encodeURIComponent(words)}`));
    if (words !== opened.search) return;
    opened.list = found;
    app.redrawPanel();
  }), 150);
}

/** Asks something of the file; a server that no longer has it gets it once more. @template R @param {any} app @param {(id: string) => Promise<R>} work */
async function again(app, work) {
  try {
    return await work(opened.list.id);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404 || !opened.source) throw error;
    const { id } = await upload(app, opened.source);
    opened.list.id = id;
    return work(id);
  }
}

/** @param {any} app @param {Blob} source @returns {Promise<any>} */
function upload(app, source) {
  return send(`/api/files?variant=${encodeURIComponent(app.state.variant)}`, source);
}

/** Opens a file, and shows its first game. @param {any} app @param {Blob} source */
async function read(app, source) {
  const listed = await app.guarded(() => upload(app, source));
  if (!listed) return;
  Object.assign(opened, { source, list: listed, search: '' });
  await show(app, 0);
  // A single game is to be looked at; of several ones a person chooses.
  if (listed.total === 1) app.show('analyse');
  else app.redrawPanel();
}

/** @param {any} app @param {number} index */
async function show(app, index) {
  const state = await app.guarded(() => again(app, (id) => post('/api/games', { variant: app.state.variant, file: { id, index } })));
  if (!state) return;
  app.take(state);
  await app.goTo('0');
  if (state.notice) app.say(state.notice);
}

/** @param {any} app @param {string} text */
async function copy(app, text) {
  try {
    await navigator.clipboard.writeText(text);
    app.say(T.files.copied);
  } catch {
    app.say(`${T.files.cannotCopy} ${text}`);
  }
}

/** @param {any} app */
async function save(app) {
  const text = await app.guarded(() => getText(`/api/games/${app.state.id}/pgn`));
  if (text === undefined) return;
  saveFile(`${app.state.variant}.pgn`, new Blob([text], { type: 'application/x-chess-pgn' }));
}

/** @param {any} app */
function matchPanel(app) {
  if (!app.start.match) return [html('p', { class: 'note' }, T.match.none)];
  if (!following) {
    following = true;
    const redraw = () => { if (app.tabName === 'match') app.redrawPanel(); };
    listen('/api/match/events', { match: (news) => { standing = news; redraw(); }, running: (news) => { running = news; redraw(); } });
  }
  if (!standing) return [html('p', { class: 'note' }, T.analyse.waiting)];
  const { players, duel } = standing;
  const parts = [html('h2', {}, standing.event || T.match.title), html('p', { class: 'note', role: 'status' }, `${T.games[standing.variant] ?? standing.variant} · ${T.match.games(standing.games, standing.planned)}`)];
  if (standing.error) parts.push(html('p', { class: 'wrong' }, T.match.trouble(standing.error)));
  if (running.length) {
    parts.push(html('h2', {}, T.match.playing), html('div', { class: 'scroll' }, html('table', { class: 'running' }, html('tbody', {}, ...running.map((game) => html('tr', { key: game.game },
      html('td', { class: 'num' }, String(game.game)), html('td', {}, `${game.white} – ${game.black}`), html('td', { class: 'num' }, T.match.turns(game.turns)), html('td', {}, button(T.match.watch, () => watch(app, game.game), { class: 'small', 'data-watch': game.game }))))))));
  }
  parts.push(html('div', { class: 'scroll' }, html('table', { class: 'standing' },
    html('thead', {}, html('tr', {}, ...[T.match.player, T.match.points, T.match.wdl, T.match.elo].map((text, i) => html('th', { scope: 'col', class: i ? 'num' : '' }, text)))),
    html('tbody', {}, ...[...players].sort((a, b) => b.points / (b.games || 1) - a.points / (a.games || 1)).map((/** @type {any} */ player) => html('tr', {},
      html('th', { scope: 'row' }, player.name), html('td', { class: 'num' }, `${player.points} / ${player.games}`), html('td', { class: 'num' }, `${player.wins} ${player.draws} ${player.losses}`), html('td', { class: 'num' }, T.match.plus(player.elo, player.error))))))));
  if (players.length > 2) parts.push(html('h2', {}, T.match.cross), cross());
  if (duel) {
    if (duel.course.length > 1) parts.push(html('h2', {}, T.match.course), html('p', { class: 'note' }, `${T.match.plus(duel.elo, duel.error)}${duel.los === null ? '' : ` · ${T.match.los(duel.los)}`}`), /** @type {any} */ (courseGraph({ points: duel.course, label: T.match.course })));
    if (duel.test) {
      parts.push(html('h2', {}, T.match.test), html('p', { class: 'note' }, `${T.match.range(duel.test)}: ${duel.test.verdict ?? T.match.running}`),
        /** @type {any} */ (courseGraph({ points: duel.test.course, bounds: [duel.test.lower, duel.test.upper], label: T.match.test })));
    }
    parts.push(html('p', { class: 'note' }, `${T.match.pairs}: ${duel.pairs.join(', ')}`));
  }
  parts.push(html('h2', {}, T.match.latest), html('div', { class: 'scroll list' }, html('table', {}, html('tbody', {}, ...standing.latest.slice(0, 100).map((/** @type {any} */ game) => html('tr', {},
    html('td', { class: 'num' }, String(game.game)), html('td', {}, `${game.white} – ${game.black}`), html('td', {}, game.result), html('td', {}, button(T.match.look, () => look(app, game.game), { class: 'small', title: game.reason }))))))));
  return parts;
}

function cross() {
  const { players } = standing;
  return html('div', { class: 'scroll' }, html('table', {}, html('thead', {}, html('tr', {}, html('td', {}), ...players.map((/** @type {any} */ _, /** @type {number} */ i) => html('th', { class: 'num', scope: 'col' }, String(i + 1))))),
    html('tbody', {}, ...players.map((/** @type {any} */ player, /** @type {number} */ i) => html('tr', {}, html('th', { scope: 'row' }, `${i + 1} ${player.name}`),
      ...standing.cross[i].map((/** @type {any} */ score) => html('td', { class: 'num' }, score ? `${score[0]}/${score[1]}` : '·')))))));
}

/** Watches a game that is being played, where it has come to. @param {any} app @param {number} game */
async function watch(app, game) {
  const state = await app.guarded(() => post('/api/games', { variant: standing.variant, record_game: game }));
  if (!state) return;
  app.take(state);
  app.show('play');
}

/** @param {any} app @param {number} game */
async function look(app, game) {
  const state = await app.guarded(() => post('/api/games', { variant: standing.variant, record_game: game }));
  if (!state) return;
  app.take(state);
  await app.goTo('0');
}
