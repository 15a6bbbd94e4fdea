// Runs the searches of worker.js where those cannot let anything else be done: one after the other, each from beginning to end. Once one is not
// wanted any more, this worker is ended.

import { Instance } from './module.js';

/** How often a search asks whether it is wanted still, in ms; asking takes up to 7 ms. */
const LOOK = 200;

/** @type {MessagePort} Where worker.js is heard and answered. */
let port;
/** @type {Promise<Instance>} */
let loaded;
/** Where there is something to be read as long as the search is wanted; empty where that cannot be read at all. */
let wanted = '';
let looked = 0;
let hasFailed = false;

/** @param {string} failed */
function fail(failed) {
  if (!hasFailed) port.postMessage({ failed });
  hasFailed = true;
}

/** Whether the search is wanted: a message could not be heard while it runs, but an address that is withdrawn can be noticed. */
function isWanted() {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', wanted, false);
    request.send();
    return true;
  } catch {
    return false;
  }
}

/** Browsers may let a worker that is ended run for seconds, until its script comes to an end. */
function stopWanted() {
  if (!wanted || performance.now() - looked < LOOK) return 0;
  const stops = !isWanted();
  looked = performance.now();
  return stops ? 1 : 0;
}

/** @param {WebAssembly.Module} module */
function begin(module) {
  loaded = Instance.of(module, { failed: fail, said: (said) => port.postMessage({ said }), stopWanted });
  return loaded.then(({ board }) => board.fauve_begin(0));
}

/** @param {string} text @param {string} address */
async function search(text, address) {
  const instance = await loaded;
  wanted = address;
  if (!isWanted()) wanted = '';
  looked = performance.now();
  instance.say(text);
  const wrong = instance.taken(instance.board.fauve_search());
  if (wrong) fail(wrong);
  else port.postMessage({ done: true });
}

/** @param {{ data: { tables?: Uint8Array, game?: string, network?: Uint8Array, text: string, address: string } }} message */
async function hear({ data: { tables, game, network, text, address } }) {
  try {
    if (tables) (await loaded).takeTables(tables);
    else if (network) (await loaded).takeNetwork(game, network);
    else await search(text, address);
  } catch (error) {
    fail(error.message);
  }
}

// The page's only message.
onmessage = ({ data: { module, port: given } }) => {
  port = given;
  begin(module).catch((error) => fail(error.message));
  port.onmessage = hear;
};
