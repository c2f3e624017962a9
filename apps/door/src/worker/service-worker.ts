/**
 * Keeps the app on the phone: a build is stored as a whole, and a page always gets all its files from one build. A new build waits until
 * no page runs, or until the page asks for it (`restart`).
 */

/** What this file uses of the service worker's interfaces, which TypeScript does not have beside those of pages. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

const worker = globalThis as unknown as Scope;
const prefix = 'door-';
const cacheName = prefix + BUILD_VERSION;
const shell = '/door/';
const known = new Set(BUILD_FILES);

/** Asks the server, not the browser's cache: the shell has the same address in every build. */
const fresh = (path: string): Request => new Request(path, { cache: path === shell ? 'reload' : 'default', credentials: 'omit' });

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(BUILD_FILES.map(fresh))));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(dropOtherBuilds().then(() => worker.clients.claim()));
});

worker.addEventListener('message', (event) => {
  if (event.data === 'restart') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const path = request.mode === 'navigate' && (pathname === shell || pathname === '/door') ? shell : pathname;
  // The server's other pages and the requests of the engine never pass through here.
  if (known.has(path)) event.respondWith(stored(path, request));
});

async function dropOtherBuilds(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)));
}

/** The browser may have emptied the cache: then the network answers. */
async function stored(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}
