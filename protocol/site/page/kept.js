// The games that the browser keeps, each by its name.

/** The most games that are kept: the oldest leave. */
const MOST = 200;
/** How long a game that another page has is waited for, in ms. */
const LOCK_TIMEOUT = 400;
const NOWHERE = 'The browser keeps nothing from this page: a game is lost with its tab unless it is saved as PGN.';

/** @type {Promise<IDBDatabase> | null} */
let opening = null;
let hasComplained = false;

/** What failed once, or was closed by the browser, is opened anew by what asks next. */
function forget() {
  opening = null;
}

function open() {
  if (!opening) {
    opening = new Promise((done, fail) => {
      const request = indexedDB.open('fauve', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('games', { keyPath: 'id' }).createIndex('time', 'time');
      request.onsuccess = () => {
        request.result.onclose = forget;
        done(request.result);
      };
      request.onerror = () => fail(request.error);
      request.onblocked = () => fail(new Error('blocked'));
    });
    opening.catch(forget);
  }
  return opening;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function result(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** Waits until all of it is kept: where there is no room left, that is found out at its end only. @param {IDBTransaction} transaction */
function written(transaction) {
  const done = new Promise((settle, fail) => {
    transaction.oncomplete = () => settle(null);
    transaction.onabort = () => fail(transaction.error);
  });
  // Whoever fails before waits no more.
  done.catch(() => {});
  return done;
}

/** @param {IDBTransactionMode} mode */
async function games(mode) {
  return (await open()).transaction('games', mode).objectStore('games');
}

/** A game as it was kept. @param {string} id @returns {Promise<string | null>} */
export async function get(id) {
  try {
    return (await result((await games('readonly')).get(id)))?.saved ?? null;
  } catch {
    return null;
  }
}

/** Changes what is kept; gives a sentence, once, if that cannot be done. @param {(store: IDBObjectStore) => void} how @returns {Promise<string | null>} */
async function change(how) {
  try {
    const store = await games('readwrite');
    const done = written(store.transaction);
    how(store);
    const all = await result(store.index('time').getAllKeys());
    for (const old of all.slice(0, Math.max(0, all.length - MOST))) store.delete(old);
    await done;
    return null;
  } catch {
    forget();
    const says = hasComplained ? null : NOWHERE;
    hasComplained = true;
    return says;
  }
}

/** Keeps a game. @param {string} id @param {string} saved */
export function put(id, saved) {
  return change((store) => store.put({ id, saved, time: Date.now() }));
}

/** Keeps a game no longer, where it was. @param {string} id */
export function remove(id) {
  return change((store) => store.delete(id));
}

/** Which game it is; `null` where what was kept is damaged. @param {string} saved @returns {string | null} */
function variantOf(saved) {
  try {
    return JSON.parse(saved).variant;
  } catch {
    return null;
  }
}

/** The games that can be read, the last one first. @returns {Promise<{ id: string, variant: string, time: number }[]>} */
export async function list() {
  try {
    const all = await result((await games('readonly')).index('time').getAll());
    return all.reverse().flatMap(({ id, saved, time }) => {
      const variant = variantOf(saved);
      return variant ? [{ id, time, variant }] : [];
    });
  } catch {
    return [];
  }
}

/** The last game as it was kept. @returns {Promise<string | null>} */
export async function last() {
  try {
    return (await result((await games('readonly')).index('time').openCursor(null, 'prev')))?.value.saved ?? null;
  } catch {
    return null;
  }
}

/** Takes a game for this page alone, as long as it is open; `false` if another page has it. @param {string} id @returns {Promise<boolean>} */
export function claim(id) {
  const { locks } = navigator;
  if (!locks) return Promise.resolve(true);
  return new Promise((done) => {
    // The page that was here before it was loaded anew may be about to let it go.
    const signal = AbortSignal.timeout(LOCK_TIMEOUT);
    const held = locks.request(`fauve game ${id}`, { signal }, () => {
      done(true);
      // Until the page is closed.
      return new Promise(() => {});
    });
    held.catch(() => done(!signal.aborted));
  });
}
