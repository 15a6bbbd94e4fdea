// The engine and the board in WebAssembly, as the workers have it: what goes in, and what comes out.

// The smallest module with a vector in it: a browser that does not know it cannot run the engine.
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The module, to be given to every worker, each of which has an instance. @returns {Promise<WebAssembly.Module>} */
export async function compile() {
  if (typeof WebAssembly !== 'object') throw new Error('This browser has no WebAssembly, which the engine needs.');
  if (!WebAssembly.validate(VECTORS)) {
    throw new Error('This browser’s WebAssembly has no vectors (SIMD), which the engine needs; browsers have them since 2021 (Safari since 16.4).');
  }
  const response = await fetch(new URL('fauve.wasm', import.meta.url));
  if (!response.ok) throw new Error(`The engine cannot be loaded: ${response.status} ${response.statusText}`);
  try {
    // A server that does not know the type of the file does not keep it from being read.
    return await (response.headers.get('Content-Type') === 'application/wasm' ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes)));
  } catch (error) {
    throw new Error(`The engine is damaged or not whole: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** The bytes of a file beside the module. @param {string} file @param {RequestInit} [how] @returns {Promise<Uint8Array>} */
export async function fetched(file, how) {
  const response = await fetch(new URL(file, import.meta.url), how);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The first line of a text, and the rest. @param {string} text */
export function headed(text) {
  const end = text.indexOf('\n');
  return [text.slice(0, end), text.slice(end + 1)];
}

/** What an instance calls; where it is missing, it never does. @typedef {{ failed: (why: string) => void, said?: (text: string) => void, stopWanted?: any, rest?: any }} Calls */

/** An instance of the module. */
export class Instance {
  /** The functions of the module. @type {any} */
  board;

  /** @param {WebAssembly.Module} module @param {Calls} calls */
  static async of(module, { failed, said, stopWanted = () => 0, rest = () => {} }) {
    const own = new Instance();
    const random = new BigUint64Array(1);
    const imports = {
      now: () => performance.now(),
      calendar: () => Date.now(),
      random: () => crypto.getRandomValues(random)[0],
      stop_wanted: stopWanted,
      rest,
      said: (/** @type {number} */ at, /** @type {number} */ length) => said?.(own.read(at, length)),
      failed: (/** @type {number} */ at, /** @type {number} */ length) => failed(own.read(at, length)),
    };
    own.board = (await WebAssembly.instantiate(module, { fauve: imports })).exports;
    return own;
  }

  /** @param {number} at @param {number} length */
  read(at, length) {
    return decoder.decode(new Uint8Array(this.board.memory.buffer, at, length));
  }

  /** Puts bytes where the module reads them. @param {Uint8Array} bytes */
  put(bytes) {
    const at = this.board.fauve_input(bytes.length);
    if (at === 0 && bytes.length) throw new Error(`there is no memory for ${bytes.length} bytes`);
    new Uint8Array(this.board.memory.buffer, at, bytes.length).set(bytes);
  }

  /** @param {string} text */
  say(text) {
    this.put(encoder.encode(text));
  }

  /** Text that the module gives, `null` if it gives none. @param {bigint} bytes @returns {string | null} */
  taken(bytes) {
    // A number of 64 bits comes signed.
    const all = BigInt.asUintN(64, bytes);
    if (all === 0n) return null;
    const text = this.read(Number(all >> 32n), Number(all & 0xffffffffn));
    this.board.fauve_free(all);
    return text;
  }

  /** The names of the games whose networks are to be given before anything of these games comes. @returns {string[]} */
  networks() {
    return this.taken(this.board.fauve_networks())?.split('\n') ?? [];
  }

  /** Takes the network of a game; gives what is wrong with it. @param {string} game @param {Uint8Array} network */
  takeNetwork(game, network) {
    const name = encoder.encode(`${game}\n`);
    const both = new Uint8Array(name.length + network.length);
    both.set(name);
    both.set(network, name.length);
    this.put(both);
    return this.taken(this.board.fauve_network());
  }

  /** Takes the endgame tables of two-move chess; gives what is wrong with them. @param {Uint8Array} tables */
  takeTables(tables) {
    this.put(tables);
    return this.taken(this.board.fauve_tables());
  }
}
