// The rules and the engine of Fauve for pages and for Node.js. `Fauve` works in the thread that loads it, `FauveWorker` in one of its own,
// where a search can be stopped. What the answers have is said in fauve.d.ts.

const isNode = typeof process === "object" && Boolean(process.versions?.node);

// The smallest module with a vector in it: a browser that does not know it cannot run the engine.
const VECTORS = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** An answer that is an error: what was asked cannot be done, and nothing has changed. */
export class FauveError extends Error {
    name = "FauveError";
}

/** The bytes of a file that lies beside this one, or of what the caller has given. */
async function bytesOf(source, name) {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
        return source;
    }
    const url = new URL(source ?? name, import.meta.url);
    if (isNode && url.protocol === "file:") {
        const { readFile } = await import("node:fs/promises");
        return readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) {
        throw new FauveError(`${url} cannot be loaded: ${response.status} ${response.statusText}`);
    }
    return response.arrayBuffer();
}

async function compile(source) {
    if (typeof WebAssembly !== "object") {
        throw new FauveError("This browser has no WebAssembly, which the engine needs.");
    }
    if (!WebAssembly.validate(VECTORS)) {
        throw new FauveError("This browser's WebAssembly has no vectors (SIMD), which the engine needs; browsers have them since 2021 (Safari since 16.4).");
    }
    if (source instanceof WebAssembly.Module) {
        return source;
    }
    const bytes = await bytesOf(source, "fauve.wasm");
    try {
        return await WebAssembly.compile(bytes);
    } catch (error) {
        throw new FauveError(`fauve.wasm is damaged or not whole: ${error.message}`);
    }
}

/** The module, and how it is asked. */
class Module {
    #exports;
    #listener = null;
    #wantsStop = () => false;
    #failure = null;
    #hasTables = false;
    #answers;
    // Ends with the last question, where the module can wait.
    #last = Promise.resolve();

    /** `suspend` lets the searching thread look at its messages, where WebAssembly can wait for a promise. */
    static async load(source, suspend) {
        const module = await compile(source);
        const own = new Module();
        const read = (at, length) => new TextDecoder().decode(new Uint8Array(own.#exports.memory.buffer, at, length));
        const stopWanted = () => (own.#wantsStop() ? 1 : 0);
        let looked = performance.now();
        const looks = () => {
            if (performance.now() - looked < 10) {
                return stopWanted();
            }
            return suspend().then(() => {
                looked = performance.now();
                return stopWanted();
            });
        };
        const imports = {
            now: () => performance.now(),
            stop_wanted: suspend ? new WebAssembly.Suspending(looks) : stopWanted,
            report: (at, length) => own.#heard(JSON.parse(read(at, length))),
        };
        const instance = await WebAssembly.instantiate(module, { fauve: imports });
        own.#exports = instance.exports;
        own.#answers = suspend ? WebAssembly.promising(instance.exports.fauve_ask) : instance.exports.fauve_ask;
        own.waits = Boolean(suspend);
        return own;
    }

    set wantsStop(question) {
        this.#wantsStop = question;
    }

    #heard(report) {
        if (report.panic) {
            this.#failure = report.panic;
        } else {
            this.#listener?.(report);
        }
    }

    #put(bytes) {
        if (this.#failure) {
            throw new FauveError(`the engine has failed before: ${this.#failure}`);
        }
        const at = this.#exports.fauve_input(bytes.length);
        if (at === 0) {
            throw new FauveError(`there is no memory for ${bytes.length} bytes`);
        }
        new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    }

    #taken() {
        const { memory, fauve_output, fauve_output_length } = this.#exports;
        const text = new TextDecoder().decode(new Uint8Array(memory.buffer, fauve_output(), fauve_output_length()));
        const answer = JSON.parse(text);
        if (answer.error !== undefined) {
            throw new FauveError(answer.error);
        }
        return answer;
    }

    #failed(error) {
        this.#failure ??= error.message;
        return new FauveError(`the engine has failed: ${this.#failure}`);
    }

    /** An answer; a promise of one where the module can wait. Questions that come during a search are answered after it. */
    ask(question, listener) {
        if (!this.waits) {
            return this.#asked(question, listener);
        }
        const answer = this.#last.then(() => this.#asked(question, listener));
        this.#last = answer.catch(() => {});
        return answer;
    }

    #asked(question, listener) {
        this.#put(new TextEncoder().encode(JSON.stringify(question)));
        this.#listener = listener ?? null;
        let asked;
        try {
            asked = this.#answers();
        } catch (error) {
            throw this.#failed(error);
        }
        if (!this.waits) {
            return this.#taken();
        }
        return asked.then(
            () => this.#taken(),
            (error) => {
                throw this.#failed(error);
            },
        );
    }

    async loadTables(source) {
        if (this.#hasTables) {
            return;
        }
        const bytes = new Uint8Array(await bytesOf(source, "twomove.tables"));
        this.#put(bytes);
        this.#exports.fauve_tables();
        this.#taken();
        this.#hasTables = true;
    }
}

/** A game of either kind of engine: every method asks. */
class Game {
    #ask;

    constructor(ask, state) {
        this.#ask = (question, listener) => ask({ ...question, game: state.game }, listener);
        this.id = state.game;
        this.variant = state.variant;
    }

    state() {
        return this.#ask({ ask: "state" });
    }

    history() {
        return this.#ask({ ask: "history" });
    }

    steps() {
        return this.#ask({ ask: "steps" });
    }

    turns(limit) {
        return this.#ask({ ask: "turns", limit });
    }

    parse(text) {
        return this.#ask({ ask: "parse", text });
    }

    play(text) {
        return this.#ask({ ask: "play", text });
    }

    roll(dice) {
        return this.#ask({ ask: "roll", dice });
    }

    undo() {
        return this.#ask({ ask: "undo" });
    }

    pgn(tags = {}) {
        return this.#ask({ ask: "pgn", tags });
    }

    board() {
        return this.#ask({ ask: "board" });
    }

    search(limits, listener) {
        return this.#ask({ ask: "search", limits }, listener);
    }

    free() {
        return this.#ask({ ask: "free" });
    }
}

/** The engine in this thread. While it searches nothing else happens here. */
export class Fauve {
    #module;

    static async load({ wasm } = {}) {
        const fauve = new Fauve();
        fauve.#module = await Module.load(wasm);
        return fauve;
    }

    /** The endgame tables of two-move chess, 3 MB, which play that game's last turns exactly. */
    async loadTables(source) {
        await this.#module.loadTables(source);
    }

    ask(question, listener) {
        return this.#module.ask(question, listener);
    }

    games() {
        return this.ask({ ask: "games" });
    }

    game(variant, { position, options, seed } = {}) {
        const ask = (question, listener) => this.ask(question, listener);
        return new Game(ask, this.ask({ ask: "new", variant, position, options, seed }));
    }

    /** The games of a PGN; an error stands where one could not be read. */
    read(pgn, variant) {
        const ask = (question, listener) => this.ask(question, listener);
        const { games } = this.ask({ ask: "read", pgn, variant });
        return games.map((one) => (one.error ? new FauveError(one.error) : new Game(ask, this.ask({ ask: "state", game: one.game }))));
    }

    bench(variant) {
        return this.ask({ ask: "bench", variant });
    }
}

/** The engine in a thread of its own: every method is a promise, and a search can be stopped. */
export class FauveWorker {
    #worker;
    #waiting = new Map();
    #next = 0;
    #flag = null;
    #settings;
    #mode;
    #searching = null;
    // Kept once a new worker has what the one before had.
    #restarting = null;
    #tables = null;
    // What has made the games, to make them again after a search that could only be stopped with its worker.
    #journal = [];
    // The numbers of the games here and in the worker that runs now.
    #numbers = new Map();
    #games = 0;
    #ended = false;
    // Why the worker that runs now answers nothing any more.
    #failure = null;

    static async start({ wasm, worker, stop } = {}) {
        const own = new FauveWorker();
        own.#settings = { wasm, worker, stop };
        await own.#begin();
        return own;
    }

    /** How searches are stopped: "shared" memory, "suspend" (JSPI), or "restart" of the worker. */
    get stopsBy() {
        return this.#mode;
    }

    async #begin() {
        // Compiled once, also for the workers that come after this one.
        this.#settings.wasm = await compile(this.#settings.wasm);
        const { wasm, worker: url = new URL("worker.mjs", import.meta.url), stop } = this.#settings;
        const canShare = typeof SharedArrayBuffer === "function" && (isNode || globalThis.crossOriginIsolated);
        this.#flag = canShare && (stop ?? "shared") === "shared" ? new Int32Array(new SharedArrayBuffer(4)) : null;
        const heard = (message) => this.#heard(message);
        const failed = (error) => this.#failed(error);
        this.#failure = null;
        if (isNode) {
            const { Worker } = await import("node:worker_threads");
            this.#worker = new Worker(url);
            this.#worker.on("message", heard).on("error", failed);
            this.#worker.unref();
        } else {
            this.#worker = new Worker(url, { type: "module" });
            this.#worker.onmessage = (event) => heard(event.data);
            this.#worker.onerror = (event) => failed(new Error(event.message ?? "the worker cannot be loaded"));
        }
        const { suspends } = await this.#send({ load: wasm, flag: this.#flag, suspend: stop !== "restart" && !this.#flag });
        this.#mode = this.#flag ? "shared" : suspends ? "suspend" : "restart";
    }

    #send(message, listener, question) {
        if (this.#ended) {
            return Promise.reject(new FauveError("the worker has ended"));
        }
        if (this.#failure) {
            return Promise.reject(this.#failure);
        }
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, listener, message, question });
            this.#worker.ref?.();
            this.#worker.postMessage({ ...message, id });
        });
    }

    #heard({ id, answer, error, report }) {
        const waiting = this.#waiting.get(id);
        if (report !== undefined) {
            waiting?.listener?.(report);
            return;
        }
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) {
            this.#worker.unref?.();
        }
        if (error === undefined) {
            waiting?.resolve(answer);
        } else {
            waiting?.reject(new FauveError(error));
        }
    }

    /** Nothing is answered any more: neither what waits nor what is asked later. */
    #failed(error) {
        this.#failure = new FauveError(`the worker has failed: ${error.message}`);
        for (const { reject } of this.#waiting.values()) {
            reject(this.#failure);
        }
        this.#waiting.clear();
    }

    /** A question with the numbers of games that the worker knows. */
    #translated(question) {
        const game = question.game === undefined ? undefined : this.#numbers.get(question.game) ?? -1;
        return { ask: { ...question, game } };
    }

    async #asked(question, listener) {
        if (this.#restarting) {
            await this.#restarting;
        }
        const here = question.game;
        const answer = await this.#send(this.#translated(question), listener, question);
        if (answer.game !== undefined) {
            return { ...answer, game: here ?? this.#added(answer.game) };
        }
        if (answer.games && question.ask === "read") {
            return { games: answer.games.map((one) => (one.error ? one : { game: this.#added(one.game) })) };
        }
        return answer;
    }

    #added(there) {
        const here = this.#games++;
        this.#numbers.set(here, there);
        return here;
    }

    /** Asks as `Fauve.ask` does. */
    async ask(question, listener) {
        if (question.ask === "search") {
            return this.#search(question, listener);
        }
        const answer = await this.#asked(question, listener);
        if (["new", "read", "play", "roll", "undo", "pgn"].includes(question.ask)) {
            const made = question.game === undefined ? (answer.games ?? [answer]).map((one) => one.game) : [];
            this.#journal.push({ question, made });
        } else if (question.ask === "free") {
            const { game } = question;
            this.#numbers.delete(game);
            this.#journal = this.#journal.filter(
                (past) => past.question.game !== game && !(past.made.length > 0 && past.made.every((one) => !this.#numbers.has(one))),
            );
        }
        return answer;
    }

    async #search(question, listener) {
        if (this.#searching) {
            throw new FauveError("a search is running");
        }
        const search = { last: null, stopped: false, stop: null };
        this.#searching = search;
        if (this.#flag) {
            Atomics.store(this.#flag, 0, 0);
        }
        const isWanted = new Promise((resolve) => {
            search.stop = resolve;
        });
        const heard = (report) => {
            // What has failed low is not what is played.
            const { info } = report;
            search.last = info?.multipv === 1 && info.bound !== "upper" ? info : search.last;
            listener?.(report);
        };
        try {
            if (this.#restarting) {
                await Promise.race([this.#restarting, isWanted]);
                if (search.stopped) {
                    return this.#answerOf(null, question);
                }
            }
            const asked = this.#asked(question, heard);
            if (this.#mode !== "restart") {
                const answer = await asked;
                // Without a limit the answer is wanted when it is asked for, even where there is nothing left to search.
                if (question.limits?.infinite && !search.stopped) {
                    await isWanted;
                }
                return answer;
            }
            asked.catch(() => {});
            const answer = await Promise.race([asked, isWanted.then(() => null)]);
            if (answer !== null) {
                if (question.limits?.infinite && !search.stopped) {
                    await isWanted;
                }
                return answer;
            }
            // The answer is there already: what is asked next waits for the new worker. Without one, all of it is refused.
            this.#restarting = this.#restart(question).then(() => {
                this.#restarting = null;
            });
            this.#restarting.catch(() => {});
            return this.#answerOf(search.last, question);
        } finally {
            this.#searching = null;
        }
    }

    /** What a search that was broken off had found; a legal turn where it had not said anything. */
    async #answerOf(last, question) {
        if (last) {
            const [best = null, ponder = null] = last.pv;
            return { ...last, best, ponder, rolls: [] };
        }
        return this.#asked({ ask: "search", game: question.game, limits: { ...question.limits, infinite: false, depth: 1, nodes: 1 } });
    }

    /** Exchanges the worker, without the search that it is busy with. What else was asked is asked of the new one. */
    async #restart(search) {
        const queued = [...this.#waiting.values()].filter(({ question }) => question !== search);
        this.#waiting.clear();
        try {
            await this.#worker.terminate();
            await this.#begin();
            await this.#remember();
        } catch (error) {
            for (const { reject } of queued) {
                reject(error);
            }
            throw error;
        }
        for (const { resolve, reject, listener, message, question } of queued) {
            this.#send(question ? this.#translated(question) : message, listener, question).then(resolve, reject);
        }
    }

    /** Gives a new worker what the one before had: the tables and the games. */
    async #remember() {
        if (this.#tables) {
            await this.#send({ tables: this.#tables.source });
        }
        const held = this.#numbers;
        this.#numbers = new Map();
        for (const { question, made } of this.#journal) {
            if (made.length === 0) {
                const game = this.#numbers.get(question.game);
                await this.#send({ ask: { ...question, game } });
                continue;
            }
            const answer = await this.#send({ ask: question });
            for (const [place, one] of (answer.games ?? [answer]).entries()) {
                if (held.has(made[place])) {
                    this.#numbers.set(made[place], one.game);
                } else if (one.game !== undefined) {
                    // One of several games that were read together was given back.
                    await this.#send({ ask: { ask: "free", game: one.game } });
                }
            }
        }
    }

    /** Ends the running search: its promise is kept soon, with the best turn so far. */
    stop() {
        const search = this.#searching;
        if (!search || search.stopped) {
            return;
        }
        search.stopped = true;
        if (this.#flag) {
            Atomics.store(this.#flag, 0, 1);
        } else if (this.#mode === "suspend") {
            this.#worker.postMessage({ stop: true });
        }
        search.stop();
    }

    async loadTables(source) {
        if (this.#restarting) {
            await this.#restarting;
        }
        await this.#send({ tables: source });
        this.#tables = { source };
    }

    games() {
        return this.ask({ ask: "games" });
    }

    async game(variant, { position, options, seed } = {}) {
        const state = await this.ask({ ask: "new", variant, position, options, seed });
        return new Game((question, listener) => this.ask(question, listener), state);
    }

    async read(pgn, variant) {
        const { games } = await this.ask({ ask: "read", pgn, variant });
        const ask = (question, listener) => this.ask(question, listener);
        return Promise.all(
            games.map(async (one) => (one.error ? new FauveError(one.error) : new Game(ask, await this.ask({ ask: "state", game: one.game })))),
        );
    }

    bench(variant) {
        return this.ask({ ask: "bench", variant });
    }

    /** Ends the thread; nothing is running afterwards. */
    async end() {
        this.#ended = true;
        this.#failed(new Error("it was ended"));
        // A worker that is about to come in the place of another one ends as well.
        await this.#restarting?.catch(() => {});
        await this.#worker.terminate();
    }
}

/** For worker.mjs. */
export { Module };
