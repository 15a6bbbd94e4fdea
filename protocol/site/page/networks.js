// The networks by which the engine evaluates its games: files beside the module, packed by Brotli. Each is fetched once, and again when it could
// not be had.

import { fetched } from './module.js';

/** Why a game cannot be played yet, as a sentence. */
export class Lacking extends Error {}

export class Networks {
  /** @param {(game: string, network: Uint8Array) => Promise<string | null>} give gives a network to the module, and says what is wrong with it */
  constructor(give) {
    this.give = give;
    /** Those that are there or on their way, by their games. @type {Map<string, Promise<void>>} */
    this.coming = new Map();
    /** The games whose networks were refused or not to be had: what the browser keeps of these files is not asked again. @type {Set<string>} */
    this.refused = new Set();
  }

  /** Waits for the network of a game, which is fetched if it is not there. @param {string} game @returns {Promise<void>} */
  of(game) {
    let coming = this.coming.get(game);
    if (!coming) {
      coming = this.load(game);
      this.coming.set(game, coming);
      coming.catch(() => {
        this.coming.delete(game);
        this.refused.add(game);
      });
    }
    return coming;
  }

  /** @param {string} game */
  async load(game) {
    const file = `${game}.nn`;
    let bytes;
    try {
      bytes = await fetched(file, this.refused.has(game) ? { cache: 'reload' } : {});
    } catch (error) {
      throw new Lacking(`This game cannot be played now, because its network ${file} cannot be loaded: ${error.message}`, { cause: error });
    }
    const wrong = await this.give(game, bytes);
    if (wrong) throw new Lacking(`This game cannot be played, because its network ${file} is damaged or not whole: ${wrong}`);
  }
}
