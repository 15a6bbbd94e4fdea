// Makes the folder of the page without a server: node protocol/site/pack.mjs FOLDER WASM VERSION
// The page of fauve-board with what belongs to it here, the module, and what it answers about the games.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';

const [folder, wasm, version] = process.argv.slice(2);
const PAGE = 'protocol/board/src/page';
const SITE = 'protocol/site/page';
const NETWORKS = 'engine/nets';
const TABLES = 'engine/endgames/twomove.tables';
/** What the page may do: its own scripts, styles and workers, and nothing from elsewhere. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
/** What is fetched when it is wanted, and not before the first turn. */
const LATER = /^(three\.|solid\.js|graph\.js|setup\.js|match\.js|fields\.js|analysis\.js|report\.js|retry\.js|looks\.js|puzzles|rules\.js|diagram\.js|picture\.js|files\.js|sounds\.js|service\.js|icon\.svg|manifest)/;

mkdirSync(folder, { recursive: true });
/** @type {Map<string, Buffer>} */
const files = new Map();
for (const name of readdirSync(PAGE)) {
  if (/\.(js|css|svg|webmanifest)$/.test(name)) files.set(name, readFileSync(join(PAGE, name)));
}
for (const name of readdirSync(join(PAGE, 'puzzles'))) files.set(`puzzles-${name}`, readFileSync(join(PAGE, 'puzzles', name)));
for (const library of ['preact', 'three']) {
  for (const name of readdirSync(join(PAGE, library)).filter((one) => one.endsWith('.gz'))) {
    files.set(name.replace('.gz', ''), gunzipSync(readFileSync(join(PAGE, library, name))));
  }
  cpSync(join(PAGE, library, 'LICENSE'), join(folder, `LICENSE.${library}`));
}
for (const name of readdirSync(SITE)) files.set(name, readFileSync(join(SITE, name)));
files.set('fauve.wasm', readFileSync(wasm));
// Hosts pack what they know to be text or a module: networks are packed here.
for (const name of readdirSync(NETWORKS)) files.set(name, brotliCompressSync(readFileSync(join(NETWORKS, name))));

/** What the board answers to `GET /api/start`. */
async function start() {
  const random = new BigUint64Array(1);
  const imports = {
    now: () => performance.now(), calendar: () => Date.now(), random: () => crypto.getRandomValues(random)[0], stop_wanted: () => 0, rest: () => {}, said: () => {},
    failed: () => { throw new Error('the module ends in a panic'); },
  };
  const { instance } = await WebAssembly.instantiate(files.get('fauve.wasm'), { fauve: imports });
  const { memory, fauve_begin, fauve_input, fauve_request } = /** @type {any} */ (instance.exports);
  fauve_begin(0);
  const asked = Buffer.from('GET /api/start\n');
  new Uint8Array(memory.buffer, fauve_input(asked.length), asked.length).set(asked);
  const said = BigInt.asUintN(64, fauve_request());
  const text = Buffer.from(memory.buffer, Number(said >> 32n), Number(said & 0xffffffffn)).toString();
  const [head, json] = [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)];
  if (!head.startsWith('200 ')) throw new Error(text);
  return JSON.parse(json);
}

const started = await start();
const json = JSON.stringify({ ...started, worker: true }).replaceAll('<', '\\u003c');
/** The engine is asked for before the scripts of the page, because it takes the longest to come. */
const HEAD = ['<link rel="preload" href="fauve.wasm" as="fetch" crossorigin>', '<script type="module" async src="link.js"></script>', '<link rel="modulepreload" href="module.js">'];
const home = readFileSync(join(PAGE, 'index.html'), 'utf8')
  .replace('{start}', () => json)
  .replace('<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
  .replace('<link rel="icon"', `${HEAD.join('\n')}\n<link rel="icon"`);
files.set('index.html', Buffer.from(home));

const service = files.get('service.js')?.toString() ?? '';
files.delete('service.js');
const hash = createHash('sha256');
for (const [name, bytes] of [...files].sort()) hash.update(name).update(bytes);
const list = ['./', ...files.keys()].filter((name) => name !== 'index.html');
files.set('service.js', Buffer.from(service.replaceAll('{version}', `${version} ${hash.digest('hex').slice(0, 12)}`).replace('{files}', JSON.stringify(list))));

for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
cpSync(TABLES, join(folder, 'twomove.tables'));

/** Of the networks only that of the game with which the page begins comes before its first turn. */
const isLater = (/** @type {string} */ name) => LATER.test(name) || (name.endsWith('.nn') && name !== `${started.variant}.nn`);
const first = [...files].filter(([name]) => !isLater(name));
const sum = (/** @type {(bytes: Buffer) => Buffer} */ pack) => first.reduce((all, [, bytes]) => all + pack(bytes).length, 0);
const bytes = sum((plain) => plain);
console.log(`${folder}: ${files.size + 1} files; before the first turn ${first.length} of them with ${bytes} bytes, ${sum(brotliCompressSync)} in brotli, ${sum((plain) => gzipSync(plain, { level: 9 }))} in gzip (the module alone ${brotliCompressSync(files.get('fauve.wasm')).length} in brotli)`);
