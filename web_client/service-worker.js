// Shows a page of its own when a page cannot be loaded. Everything else goes to the network as it
// would without a worker, so that no code is ever older than the server.

const CACHE = 'offline-3'; // those of earlier workers have other names, and are deleted
const PAGE = '/offline.html';

/** The hash of the script in the page. */
const SCRIPT = 'sha256-jjY8mWvCiU/4eLHGYWQipD4dLMRn3Qv6RmHc++BoFcU=';
/** The headers of the page: its style sheet and its script are in it. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '${SCRIPT}'; connect-src 'self'`,
};

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
  event.respondWith(fetch(event.request).catch(offlinePage));
});

/** Return the page in the language of the browser: it has both, and shows that of its root. */
async function offlinePage() {
  const page = await caches.match(PAGE);
  const isGerman = /^de\b/i.test(navigator.language);
  const text = await page.text();
  const body = isGerman ? text.replace('<html lang="en">', '<html lang="de">') : text;
  return new Response(body, { headers: HEADERS });
}
