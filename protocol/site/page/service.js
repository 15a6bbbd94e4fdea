// Lets the page work without a network: its files are kept when it is looked at for the first time, and those of a new version beside them,
// until no page of the old one is open. What stands in braces is filled in when the folder is made.

/* global files */
const CACHE = 'fauve {version}';
const FILES = /** @type {string[]} */ ({files});

addEventListener('install', (event) => {
  // Past the cache of the browser, which may have files of another version.
  const fresh = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('fauve ') && name !== CACHE) await caches.delete(name);
    }
    await clients.claim();
  };
  event.waitUntil(clean());
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(registration.scope)) return;
  const find = async () => {
    const cache = await caches.open(CACHE);
    const found = await cache.match(request, { ignoreSearch: true });
    if (found) return found;
    const answer = await fetch(request);
    // The tables of two-move chess come when they are wanted, and stay.
    if (answer.ok && url.pathname.endsWith('.tables')) await cache.put(request, answer.clone());
    return answer;
  };
  event.respondWith(find());
});
