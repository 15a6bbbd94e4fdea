// Requests that no page makes: other hosts and origins, methods, bodies and names; huge, slow and cut ones; and many streams. The
// program answers each as it should, lives on, and its memory stays bounded.

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { check, equal, serve, sleep } from './driver.mjs';

const COUNT = Number(process.env.REQUESTS ?? 10_000);
const server = await serve();
const host = `127.0.0.1:${server.port}`;

const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
const threads = () => Number(/Threads:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]);

/** Sends bytes; gives the status of the answer, 0 if the connection was closed without one. */
function send(bytes, patience = 20_000) {
  return new Promise((done) => {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      done(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0));
    };
    const timer = setTimeout(end, patience);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.includes('\r\n\r\n')) end();
    });
    socket.on('error', end);
    socket.on('close', end);
    socket.write(bytes);
  });
}

function http(method, path, { headers = {}, body = '', name = host } = {}) {
  const all = { Host: name, ...(body || method === 'POST' ? { 'Content-Length': Buffer.byteLength(body), 'Content-Type': 'application/json' } : {}), ...headers };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all).filter(([, value]) => value !== null).map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n${body}`;
}

const post = (path, body, more = {}) => http('POST', path, { body: typeof body === 'string' ? body : JSON.stringify(body), ...more });

const file = (body, more = {}) => http('POST', '/api/files?variant=chess', { body, ...more, headers: { 'Content-Type': 'application/octet-stream', ...more.headers } });

async function game(variant = 'chess') {
  const response = await fetch(`${server.url}api/games`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ variant }) });
  return (await response.json()).id;
}

const id = await game();
let seed = 20261122;
const random = (n) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * n);
};
const noise = (n) => Array.from({ length: n }, () => String.fromCharCode(33 + random(90))).join('');

/** Kinds of requests with the statuses that are right for them. */
const KINDS = [
  ['another host', () => http('GET', '/', { name: `evil.example:${server.port}` }), [421]],
  ['another port of this host', () => http('GET', '/api/rules/chess', { name: '127.0.0.1:1' }), [421]],
  ['no host', () => http('GET', '/', { headers: { Host: null } }), [421, 400]],
  ['two hosts', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\n\r\n`, [421, 400]],
  ['another origin', () => post('/api/games', { variant: 'chess' }, { headers: { Origin: 'http://evil.example' } }), [403]],
  ['no origin at all', () => post('/api/games', { variant: 'chess' }, { headers: { Origin: 'null' } }), [403]],
  ['another site', () => http('GET', `/api/games/${id}`, { headers: { 'Sec-Fetch-Site': 'cross-site' } }), [403]],
  ['a form', () => post('/api/games', 'variant=chess', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }), [415]],
  ['text', () => post('/api/games', '{"variant":"chess"}', { headers: { 'Content-Type': 'text/plain' } }), [415]],
  ['another method', () => http(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'][random(5)], ['/', '/api/rules/chess', `/api/games/${id}`, '/api/check'][random(4)]), [405]],
  ['an unknown path', () => http('GET', `/${noise(1 + random(30)).replace(/[^\w]/g, '')}x`), [404]],
  ['a path to a file', () => http('GET', ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '//etc/passwd', '/style.css/../../Cargo.toml', '/style.css%00'][random(5)]), [404, 400]],
  ['an unknown game', () => http('GET', `/api/games/${noise(32).replace(/[^\w]/g, 'a')}`), [404]],
  ['a turn of an unknown game', () => post('/api/games/0', { do: 'step', token: 'e2e4' }), [404]],
  ['no JSON', () => post(`/api/games/${id}`, noise(1 + random(200))), [400, 422]],
  ['cut JSON', () => post(`/api/games/${id}`, '{"do":"step","token":"e2'), [400]],
  ['JSON of another shape', () => post(`/api/games/${id}`, [{}, [], 3, 'x', null, { do: 'fly' }, { do: 'step' }, { do: 'step', token: 7 }, { do: 'review', nodes: -1 }][random(9)]), [422, 400]],
  ['deep JSON', () => post(`/api/games/${id}`, '['.repeat(5000) + ']'.repeat(5000)), [400, 422]],
  ['an illegal step', () => post(`/api/games/${id}`, { do: 'step', token: ['e2e5', 'a1', '', 'é', noise(40), 'e2e4,e7e5', '0'.repeat(9000)][random(7)] }), [409]],
  ['a bad position', () => post('/api/check', { variant: ['chess', 'superchess', 'twomove', 'dicechess', 'cubes4d'][random(5)], fen: noise(1 + random(120)) }), [422]],
  ['an unknown variant', () => post('/api/games', { variant: noise(10) }), [422]],
  ['a level that there is not', () => post('/api/games', { variant: 'chess', white: { kind: 'engine', level: [0, 99, 4294967295][random(3)] } }), [422]],
  ['a program that there is not', () => post('/api/games', { variant: 'chess', black: { kind: 'program', name: ['', '../x', noise(200)][random(3)] } }), [422]],
  ['a typed turn that is none', () => post(`/api/games/${id}`, { do: 'read', text: [noise(1 + random(60)), '\u{1f600}'.repeat(random(9)), ','.repeat(random(99)), '('.repeat(30)][random(4)] }), [409]],
  ['a typed turn without end', () => post(`/api/games/${id}`, { do: 'read', text: 'e4 '.repeat(100) }), [422]],
  ['a turn weighed for ever', () => post(`/api/games/${id}`, { do: 'weigh', place: { path: '0', steps: ['e2e4'] }, nodes: [0, 1e7, 1e15][random(3)] }), [422]],
  ['a turn to be weighed that is none', () => post(`/api/games/${id}`, { do: 'weigh', place: { path: '0', steps: [noise(6), noise(3)] }, nodes: 10 }), [409]],
  ['a clock that is none', () => post('/api/games', { variant: 'chess', clock: { minutes: [0, -3, 1e9][random(3)], increment: 1 } }), [422]],
  ['too much memory', () => post(`/api/games/${id}`, { do: 'analyse', on: true, lines: 1, threads: 1, hash: 1 << 30 }), [422]],
  ['a line that is none', () => post(`/api/games/${id}`, { do: 'line', place: { path: String(random(1e6)) }, line: [noise(6)] }), [409]],
  ['a line without end', () => post(`/api/games/${id}`, { do: 'line', line: Array(300).fill('e2e4') }), [422]],
  ['a question about squares', () => post(`/api/games/${id}`, { do: 'why', from: noise(random(20)), to: noise(random(20)) }), [200]],
  ['games that are none', () => file(noise(1) + '('.repeat(200)), [422, 200]],
  ['a record that is none', () => file(`{"type":"tournament"${noise(50)}`), [422]],
  ['a file by a form', () => file('1. e4', { headers: { 'Content-Type': 'text/plain' } }), [415]],
  ['a file that is not open', () => http('GET', `/api/files/${noise(8).replace(/[^\w]/g, 'a')}?search=x`), [404]],
  ['a game of a file that is not open', () => post('/api/games', { variant: 'chess', file: { id: noise(9), index: random(9) } }), [404]],
  ['a position of nowhere', () => post(`/api/games/${id}`, { do: 'look', place: { path: ['-1', 'x', '99999999999999999999', '0.0.'.repeat(500)][random(4)] } }), [422]],
  ['a place that the game does not have', () => post(`/api/games/${id}`, [{ do: 'look', place: { path: '900' } }, { do: 'promote', path: '0.9.1' }, { do: 'delete', path: '77' }, { do: 'annotate', path: '5.5.5', comment: 'x' }, { do: 'vary', place: { path: '3.3.3', steps: ['e2e4'] } }][random(5)]), [409]],
  ['no HTTP', () => `${noise(60)}\r\n\r\n`, [400, 0]],
  ['a long head', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, [431, 400, 0]],
  ['many headers', () => `GET / HTTP/1.1\r\nHost: ${host}\r\n${Array.from({ length: 300 }, (_, i) => `X${i}: 1\r\n`).join('')}\r\n`, [431, 400, 0]],
  ['a length that lies', () => `POST /api/games HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n{}`, [400, 0]],
];

/** Requests one after the other on some connections at once. */
async function storm() {
  const counts = {};
  let left = COUNT;
  const worker = async () => {
    while (left-- > 0) {
      const [name, make, right] = KINDS[left % KINDS.length];
      const status = await send(make());
      check(right.includes(status), `${name}: ${status}, and should be ${right.join(' or ')}`);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 24 }, worker));
  return counts;
}

async function alive() {
  const response = await fetch(`${server.url}api/games/${id}`);
  equal(response.status, 200, 'the game after it all');
}

try {
  await alive();
  const before = rss();
  const counts = await storm();
  await alive();
  console.log(`${COUNT} hostile requests of ${KINDS.length} kinds, answers by status ${JSON.stringify(counts)}; memory ${before.toFixed(0)} MB before, ${rss().toFixed(0)} MB after`);

  // Bodies that are too long, or longer than they say.
  const huge = 'x'.repeat(3 << 20);
  check([413, 0].includes(await send(post('/api/check', { fen: huge, variant: 'chess' }))), 'a body of 3 MB');
  check([413, 0].includes(await send(file(huge.repeat(22)))), 'a file of 66 MB');
  // Cut off in the middle, and gone.
  for (let i = 0; i < 200; i++) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(post(`/api/games/${id}`, { do: 'why', from: 'e2', to: 'e5' }).slice(0, 20 + i));
    setTimeout(() => socket.destroy(), 5);
  }
  // Slow ones: they hold a connection, not a thread, and are let go. Those that answered the requests before rest for some seconds.
  const busy = threads();
  const slow = Array.from({ length: 150 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HT');
    return socket;
  });
  await sleep(500);
  await alive();
  check(threads() < busy + 10, `${threads()} threads with 150 slow connections, ${busy} without`);
  const gone = await Promise.race([new Promise((done) => { slow[0].on('close', () => done(true)); }), sleep(30_000).then(() => false)]);
  check(gone, 'a slow connection is not let go');
  for (const socket of slow) socket.destroy();
  console.log(`bodies of 3 MB, 200 cut and 150 slow connections: refused or let go; ${threads()} threads, ${rss().toFixed(0)} MB`);

  // Many streams of one game that is analysed, and of many games.
  const streams = Array.from({ length: 200 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.bytes = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => { socket.bytes += chunk.length; });
    socket.write(http('GET', `/api/games/${id}/events`));
    return socket;
  });
  const reaches = async (bytes) => {
    for (let i = 0; i < 200 && !streams.every((socket) => socket.bytes > bytes); i++) await sleep(100);
    return streams.every((socket) => socket.bytes > bytes);
  };
  check(await reaches(200), 'each stream begins with the state');
  const begun = Math.max(...streams.map((socket) => socket.bytes));
  equal(await send(post(`/api/games/${id}`, { do: 'analyse', on: true, lines: 3, threads: 1, hash: 16 })), 200, 'analysis');
  check(await reaches(begun + 1000), 'each stream gets the lines');
  await alive();
  const searching = threads();
  for (const socket of streams) socket.destroy();
  for (let i = 0; i < 100 && threads() >= searching; i++) await sleep(100);
  check(threads() < searching, `the search goes on without a page: ${threads()} threads, ${searching} before`);
  console.log(`200 streams of an analysed game: all served, the search ends with the last; ${threads()} threads, ${rss().toFixed(0)} MB`);

  // More games than are kept: the oldest leave.
  for (let i = 0; i < 400; i++) await game(['chess', 'twomove', 'dicechess', 'cubes4d', 'superchess'][i % 5]);
  equal((await fetch(`${server.url}api/games/${id}`)).status, 404, 'the oldest game has left');
  check(rss() < 200, `${rss()} MB`);
  console.log(`400 new games: the oldest have left, ${rss().toFixed(0)} MB`);
} finally {
  await server.stop();
}
