// Keeps one holder's page, which is the whole scope, with its style sheets for times without a network. The network comes first.
'use strict';

const page = new URL(self.registration.scope);
const name = `pass ${page.pathname}`;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  // The first visit was loaded before this program ran.
  event.waitUntil(fetch(page.pathname, { credentials: 'same-origin', redirect: 'manual' }).then(keep));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== page.origin) return;
  if (request.mode === 'navigate' && pathname === page.pathname) event.respondWith(openPage(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(openAsset(request));
});

async function openPage(event) {
  try {
    const response = await fetch(event.request);
    if (response.status < 500) {
      event.waitUntil(keep(response.clone()));
      return response;
    }
    return (await kept(page.pathname)) ?? response;
  } catch (error) {
    const found = await kept(page.pathname);
    if (found) return found;
    throw error;
  }
}

/** Names of assets have a hash of their content, so that a kept one is never old. */
async function openAsset(request) {
  return (await kept(new URL(request.url).pathname)) ?? fetch(request);
}

async function kept(path) {
  return (await caches.open(name)).match(path);
}

/** Keeps the page as it is now. A link that opens nothing any more (the ticket was given away) leaves nothing behind. */
async function keep(response) {
  if (!response.ok) {
    if (response.status < 500) await caches.delete(name);
    return;
  }
  const text = await response.clone().text();
  const cache = await caches.open(name);
  const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  await Promise.all(assets.map(async (path) => (await cache.match(path)) ?? cache.add(path)));
  await cache.put(page.pathname, response);
}
