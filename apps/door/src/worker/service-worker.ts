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
const known = new Set(BUILD_FILES);

worker.addEventListener('install', (event) => {
  event.waitUntil(store());
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
  const path = request.mode === 'navigate' && (pathname === '/door/' || pathname === '/door') ? BUILD_SHELL : pathname;
  // The server's other pages and the requests of the engine never pass through here.
  if (known.has(path)) event.respondWith(stored(path, request));
});

/**
 * Stores all files of this build, or fails and is tried again later. All are named by their content: what an earlier build has is copied,
 * and a server that does not have this build yet refuses instead of answering with files of another one.
 */
async function store(): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all(
    BUILD_FILES.map(async (path) => {
      const before = await caches.match(path);
      await (before ? cache.put(path, before) : cache.add(new Request(path, { credentials: 'omit' })));
    }),
  );
}

async function dropOtherBuilds(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)));
}

/** The browser may have emptied the cache: then the network answers, with the newest page when this build's is gone. */
async function stored(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}
