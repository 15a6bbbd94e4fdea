// Searches in workers of their own, for browsers whose WebAssembly cannot wait for a promise. A search that is not wanted any more is ended
// with its worker. One worker more than there are searches is ready, so that none has to wait for it.

/** The listener of a search: `done` is called once, with why it has broken down if it has. @typedef {{ said: (text: string) => void, done: (why?: string) => void }} Listener */

/** How many workers wait for a search at most: the one that is ready, and one that has come to the end of its search. */
const MOST_IDLE = 2;

export class Searchers {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    /** @type {Uint8Array | null} */
    this.tables = null;
    /** @type {Worker[]} */
    this.idle = [];
    /** @type {Map<Worker, Listener & { address: string }>} */
    this.running = new Map();
    this.prepare();
  }

  /** Makes a worker ready, unless there is one. */
  prepare() {
    if (!this.idle.length) this.idle.push(this.make());
  }

  make() {
    const worker = new Worker(new URL('searcher.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data: { said, done, failed } }) => {
      if (said !== undefined) this.running.get(worker)?.said(said);
      else if (done) this.release(worker);
      else this.lose(worker, failed);
    };
    worker.onerror = (event) => this.lose(worker, event.message || 'a worker cannot be loaded');
    worker.postMessage({ module: this.module });
    if (this.tables) worker.postMessage({ tables: this.tables });
    return worker;
  }

  /** Begins a search; gives its worker. @param {string} text @param {Listener} listener */
  begin(text, listener) {
    const worker = this.idle.pop() ?? this.make();
    const address = URL.createObjectURL(new Blob(['wanted']));
    this.running.set(worker, { ...listener, address });
    worker.postMessage({ text, address });
    this.prepare();
    return worker;
  }

  /** A search has come to its end. @param {Worker} worker */
  release(worker) {
    const listener = this.forget(worker);
    if (this.idle.length < MOST_IDLE) this.idle.push(worker);
    else this.end(worker);
    listener?.done();
  }

  /** A worker is of no use any more; one that cannot even be loaded is made anew when it is needed. @param {Worker} worker @param {string} why */
  lose(worker, why) {
    this.idle = this.idle.filter((other) => other !== worker);
    const listener = this.forget(worker);
    this.end(worker);
    listener?.done(why);
  }

  /** Ends a search with its worker, if it runs still. @param {Worker} worker */
  end(worker) {
    worker.onmessage = null;
    worker.onerror = null;
    this.forget(worker);
    worker.terminate();
  }

  /** A worker does not search any more; gives its listener. @param {Worker} worker */
  forget(worker) {
    const listener = this.running.get(worker);
    if (listener) URL.revokeObjectURL(listener.address);
    this.running.delete(worker);
    return listener;
  }

  /** Gives all workers the endgame tables of two-move chess. @param {Uint8Array} tables */
  giveTables(tables) {
    this.tables = tables;
    for (const worker of [...this.idle, ...this.running.keys()]) worker.postMessage({ tables });
  }
}
