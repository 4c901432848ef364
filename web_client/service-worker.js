// Shows a page of its own when a page cannot be loaded. Everything else goes to the network as it
// would without a worker, so that no code is ever older than the server.

const CACHE = 'offline-1';
const PAGE = '/offline.html';

addEventListener('install', (event) => {
  try {
    // Where the browser can, requests for other things than pages do not even wake the worker.
    event
      .addRoutes?.([{ condition: { not: { requestMode: 'navigate' } }, source: 'network' }])
      .catch(() => {});
  } catch {
    // The listener below leaves them alone in any case.
  }
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.add(new Request(PAGE, { cache: 'reload' }))),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  );
});

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
});
