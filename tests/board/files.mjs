// A server of static files in the test's own process, which can be slow, and away for a while.

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json', '.md': 'text/plain', '.txt': 'text/plain' };
/** What hosts pack before they send it, as they do; the rest is packed already. */
const PACKS = { br: brotliCompressSync, gzip: (/** @type {Buffer} */ plain) => gzipSync(plain, { level: 9 }) };
/** In how many pieces a second a slow line sends. */
const TICKS = 100;
const sleep = (/** @type {number} */ ms) => new Promise((done) => { setTimeout(done, ms); });

export class Files {
  /**
   * @param {string} folder
   * @param {{ packs?: 'br' | 'gzip', rate?: number, latency?: number }} [line] how what can be packed is sent; the bits per second that all
   * answers share; the milliseconds that a request and the beginning of its answer take together
   */
  constructor(folder, { packs, rate = Infinity, latency = 0 } = {}) {
    Object.assign(this, { folder, packs, rate, latency });
    this.sent = 0;
    this.free = 0;
    /** @type {Map<string, Buffer>} */
    this.packed = new Map();
    this.port = 0;
  }

  async start() {
    this.server = createServer((request, response) => { this.answer(request, response).catch(() => response.destroy()); });
    await new Promise((done) => { this.server.listen(this.port, '127.0.0.1', () => done(null)); });
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}/`;
    return this;
  }

  /** Nothing answers any more. */
  async stop() {
    const gone = new Promise((done) => { this.server.close(done); });
    this.server.closeAllConnections();
    await gone;
  }

  /** Packs what will be asked for, so that nobody waits for that. @param {string[]} names */
  prepare(names) {
    for (const name of names) this.read(join(this.folder, name));
  }

  /** @param {string} path */
  read(path) {
    if (!this.packs || !/\.(html|js|mjs|css|svg|wasm|webmanifest)$/.test(path)) return { body: readFileSync(path), encoding: undefined };
    if (!this.packed.has(path)) this.packed.set(path, PACKS[this.packs](readFileSync(path)));
    return { body: this.packed.get(path), encoding: this.packs };
  }

  async answer(request, response) {
    const path = join(this.folder, normalize(new URL(request.url, this.url).pathname).replace(/\/$/, '/index.html'));
    if (this.latency) await sleep(this.latency);
    if (!existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const headers = { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' };
    if (this.rate === Infinity && !this.packs) {
      response.writeHead(200, headers);
      createReadStream(path).pipe(response);
      return;
    }
    const { body, encoding } = this.read(path);
    response.writeHead(200, { ...headers, 'Content-Length': body.length, ...(encoding && { 'Content-Encoding': encoding }) });
    await this.trickle(response, body);
  }

  /** Sends as much at a time as the line lets through: whoever asks at the same time waits for its share. @param {Buffer} body */
  async trickle(response, body) {
    const piece = Math.ceil(this.rate / 8 / TICKS);
    for (let at = 0; at < body.length && !response.destroyed; at += piece) {
      const part = body.subarray(at, at + piece);
      this.free = Math.max(this.free, performance.now()) + part.length * 8 * 1000 / this.rate;
      await sleep(this.free - performance.now());
      response.write(part);
      this.sent += part.length;
    }
    response.end();
  }
}
