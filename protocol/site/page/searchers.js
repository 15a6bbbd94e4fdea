// Searches in workers of their own, for browsers whose WebAssembly cannot wait for a promise. A search that is not wanted any more is ended
// with its worker. One worker more than there are searches is ready, so that none has to wait for it. The page makes and ends these workers:
// in Firefox a worker that makes workers can come to a standstill.

/** The listener of a search: `done` is called once, with why it has broken down if it has. @typedef {{ said: (text: string) => void, done: (why?: string) => void }} Listener */

/** How many workers wait for a search at most: the one that is ready, and one that has come to the end of its search. */
const MOST_IDLE = 2;

/** A worker: its number, and where it is spoken to. @typedef {{ number: number, port: MessagePort }} Searcher */

/** What makes workers, and ends them. @typedef {{ make: (number: number, port: MessagePort) => void, end: (number: number) => void }} Host */

export class Searchers {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.made = 0;
    /** What every worker is given before its first search. @type {object[]} */
    this.given = [];
    /** @type {Searcher[]} */
    this.idle = [];
    /** @type {Map<Searcher, Listener & { address: string }>} */
    this.running = new Map();
    this.prepare();
  }

  /** Makes a worker ready, unless there is one. */
  prepare() {
    if (!this.idle.length) this.idle.push(this.make());
  }

  make() {
    const { port1: port, port2 } = new MessageChannel();
    const searcher = { number: this.made++, port };
    port.onmessage = ({ data: { said, done, failed } }) => {
      if (said !== undefined) this.running.get(searcher)?.said(said);
      else if (done) this.release(searcher);
      else this.lose(searcher, failed);
    };
    this.host.make(searcher.number, port2);
    for (const what of this.given) port.postMessage(what);
    return searcher;
  }

  /** Begins a search; gives its worker. @param {string} text @param {Listener} listener */
  begin(text, listener) {
    const searcher = this.idle.pop() ?? this.make();
    const address = URL.createObjectURL(new Blob(['wanted']));
    this.running.set(searcher, { ...listener, address });
    searcher.port.postMessage({ text, address });
    this.prepare();
    return searcher;
  }

  /** A search has come to its end. @param {Searcher} searcher */
  release(searcher) {
    const listener = this.forget(searcher);
    if (this.idle.length < MOST_IDLE) this.idle.push(searcher);
    else this.end(searcher);
    listener?.done();
  }

  /** A worker is of no use any more; one that cannot even be loaded is made anew when it is needed. @param {Searcher} searcher @param {string} why */
  lose(searcher, why) {
    this.idle = this.idle.filter((other) => other !== searcher);
    const listener = this.forget(searcher);
    this.end(searcher);
    listener?.done(why);
  }

  /** The worker of a number has broken down or cannot be loaded. @param {number} lost @param {string} why */
  hearOfLoss(lost, why) {
    const searcher = [...this.idle, ...this.running.keys()].find(({ number }) => number === lost);
    if (searcher) this.lose(searcher, why);
  }

  /** Ends a search with its worker, if it runs still. @param {Searcher} searcher */
  end(searcher) {
    this.forget(searcher);
    searcher.port.onmessage = null;
    searcher.port.close();
    this.host.end(searcher.number);
  }

  /** A worker does not search any more; gives its listener. @param {Searcher} searcher */
  forget(searcher) {
    const listener = this.running.get(searcher);
    if (listener) URL.revokeObjectURL(listener.address);
    this.running.delete(searcher);
    return listener;
  }

  /** Gives all workers the endgame tables of two-move chess. @param {Uint8Array} tables */
  giveTables(tables) {
    this.give({ tables });
  }

  /** Gives all workers the network of a game: its searches that begin from now on have it. @param {string} game @param {Uint8Array} network */
  giveNetwork(game, network) {
    this.give({ game, network });
  }

  /** @param {object} what */
  give(what) {
    this.given.push(what);
    for (const { port } of [...this.idle, ...this.running.keys()]) port.postMessage(what);
  }
}
