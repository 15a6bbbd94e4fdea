// What stands in the place of the server where there is none: a worker beside the page, others for its searches where it needs them
// (searchers.js), and the browser that keeps the games. The module of all of them is fetched here, before a worker has its scripts.

import { compile } from './module.js';

/** How often in a row a worker that breaks down is begun anew, and how long it has to live to be forgiven, in ms. */
const MOST_FAILURES = 3;
const LONG_LIFE = 20_000;

/** @typedef {{ status: number, mime: string, body: string }} Answer */

class Link {
  constructor() {
    /** @type {Map<number, (answer: Answer) => void>} */
    this.waiting = new Map();
    /** @type {Map<number, Stream>} */
    this.streams = new Map();
    /** @type {Map<number, Worker>} */
    this.searchers = new Map();
    /** @type {Promise<WebAssembly.Module> | undefined} */
    this.compiling = undefined;
    this.next = 0;
    this.failures = 0;
    this.failure = '';
    this.begin();
  }

  begin() {
    this.begun = performance.now();
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = (event) => this.hear(event.data);
    this.worker.onerror = (event) => this.fail(event.message || 'the worker cannot be loaded');
    this.worker.onmessageerror = () => this.fail('the worker cannot be understood');
    this.worker.postMessage({ page: beginning() });
    this.give(this.worker);
  }

  /** Gives a worker the module. @param {Worker} worker */
  async give(worker) {
    try {
      this.compiling ??= compile();
      this.module = await this.compiling;
      worker.postMessage({ module: this.module });
    } catch (error) {
      this.compiling = undefined;
      if (worker === this.worker) this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {any} message */
  hear({ id, answer, stream, name, json, notice, failed, searcher, port, ended, settled }) {
    if (failed) this.fail(failed);
    else if (searcher !== undefined) this.makeSearcher(searcher, port);
    else if (ended !== undefined) this.endSearcher(ended);
    else if (settled) serveOffline();
    else if (notice) dispatchEvent(new CustomEvent('notice', { detail: notice }));
    else if (answer) {
      this.waiting.get(id)?.(answer);
      this.waiting.delete(id);
    } else {
      this.streams.get(stream)?.dispatchEvent(new MessageEvent(name, { data: json }));
    }
  }

  /** @param {number} number @param {MessagePort} port where it is spoken to */
  makeSearcher(number, port) {
    const searcher = new Worker(new URL('searcher.js', import.meta.url), { type: 'module' });
    this.searchers.set(number, searcher);
    searcher.onerror = (event) => this.worker?.postMessage({ lost: number, why: event.message || 'a worker cannot be loaded' });
    searcher.postMessage({ module: this.module, port }, [port]);
  }

  /** @param {number} number */
  endSearcher(number) {
    this.searchers.get(number)?.terminate();
    this.searchers.delete(number);
  }

  /** The worker has broken down: what was asked of it is refused, and another one takes up the games that the browser keeps. @param {string} why */
  fail(why) {
    this.worker?.terminate();
    for (const number of [...this.searchers.keys()]) this.endSearcher(number);
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.failures = performance.now() - (this.begun ?? 0) > LONG_LIFE ? 1 : this.failures + 1;
    if (this.failures < MOST_FAILURES && !/^This browser/.test(why)) {
      this.begin();
      for (const stream of this.streams.values()) stream.ask();
      dispatchEvent(new CustomEvent('notice', { detail: `The engine has failed and begins anew; please report it: ${why}` }));
    } else {
      this.failure = why;
    }
    for (const answer of waiting) answer(refusal(why));
  }

  /** @param {any} message @returns {Promise<Answer>} */
  ask(message) {
    if (this.failure) return Promise.resolve(refusal(this.failure));
    const id = this.next++;
    return new Promise((done) => {
      this.waiting.set(id, done);
      this.worker?.postMessage({ ...message, id });
    });
  }
}

/** What the page begins with, so that the worker fetches first what that game needs. */
function beginning() {
  /** @type {{ id: string, variant: string }[]} */
  let tab = [];
  try {
    const shown = JSON.parse(sessionStorage.getItem('fauve') ?? 'null');
    if (shown) tab = [shown, ...Object.values(shown.games ?? {})].map(({ id, variant }) => ({ id, variant }));
  } catch {
    // A browser that keeps nothing.
  }
  return { hash: location.hash, tab, variant: JSON.parse(document.getElementById('start')?.textContent ?? '{}').variant };
}

/** @param {string} why @returns {Answer} */
function refusal(why) {
  return { status: 500, mime: 'application/json', body: JSON.stringify({ error: why }) };
}

const link = new Link();

/** Like `fetch` of a path of the server. @param {string} path @param {RequestInit} [init] */
export async function request(path, init = {}) {
  // A file goes as it is.
  const sent = init.body instanceof Blob ? new Uint8Array(await init.body.arrayBuffer()) : (init.body ?? '');
  const { status, mime, body } = await link.ask({ method: init.method ?? 'GET', path, body: sent });
  return new Response(body, { status, headers: { 'Content-Type': mime } });
}

/** Like `EventSource` of a path of the server. */
export class Stream extends EventTarget {
  /** @param {string} path */
  constructor(path) {
    super();
    this.path = path;
    this.number = link.next++;
    link.streams.set(this.number, this);
    this.ask();
  }

  async ask() {
    const { status } = await link.ask({ watch: this.number, path: this.path });
    // As the browser says it of a stream that is refused; a worker that breaks down is begun anew, and the stream with it.
    if (status !== 200 && status !== 500) this.dispatchEvent(new Event('error'));
  }

  close() {
    link.streams.delete(this.number);
    link.ask({ unwatch: this.number });
  }
}

let isServedOffline = false;

/**
 * From now on the page works without a network; where that is forbidden, it works with one. Called once everything is there that games need: to
 * be kept the files are fetched again, and what is looked at first would share the line with itself.
 */
function serveOffline() {
  if (isServedOffline) return;
  isServedOffline = true;
  navigator.serviceWorker?.register(new URL('service.js', import.meta.url)).catch(() => {});
}
