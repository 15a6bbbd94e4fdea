// Requests to the server, and what it sends unasked. Where there is no server, a worker beside the page stands in its place.

import { T } from './text.js';

/** Whether a worker answers. */
export const hasWorker = Boolean(JSON.parse(document.getElementById('start')?.textContent ?? '{}').worker);
const link = hasWorker ? await import('./link.js') : null;

/** What the server refuses, with its reason. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [init] */
function ask(path, init) {
  return answered(link ? link.request(path, init) : fetch(path, init));
}

/** An answer that is no refusal. @param {Promise<Response>} request @returns {Promise<Response>} */
async function answered(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Refusal(0, T.silent);
  }
  if (!response.ok) {
    const text = await response.text();
    let message = text;
    try {
      message = JSON.parse(text).error ?? text;
    } catch {
      // The text itself says why.
    }
    throw new Refusal(response.status, message);
  }
  return response;
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return (await ask(path)).json();
}

/** @param {string} path @returns {Promise<string>} */
export async function getText(path) {
  return (await ask(path)).text();
}

/** A file that lies beside the page, with and without a server. @param {string} name @returns {Promise<string>} */
export async function getFile(name) {
  return (await answered(fetch(new URL(name, import.meta.url)))).text();
}

/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export async function post(path, body) {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return (await ask(path, init)).json();
}

/** Sends a file as it is. @param {string} path @param {Blob} file @returns {Promise<any>} */
export async function send(path, file) {
  return (await ask(path, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file })).json();
}

/**
 * Listens to events, until the connection is lost.
 * @param {string} path @param {Record<string, (data: any) => void>} handlers @param {() => void} [lost] without it the browser connects again
 * @returns {() => void} ends it
 */
export function listen(path, handlers, lost) {
  const source = link ? new link.Stream(path) : new EventSource(path);
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  }
  if (lost) source.addEventListener('error', () => lost());
  return () => source.close();
}
