import { signal } from '@preact/signals';

/** Whether a newer build is stored on the phone and waits for a restart. */
export const updateWaits = signal(false);

let registration: ServiceWorkerRegistration | undefined;

/** Registers the service worker, so that the app starts without a network. */
export async function keepApp(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    registration = await navigator.serviceWorker.register('/door/sw.js', { scope: '/door/', updateViaCache: 'none' });
  } catch {
    return;
  }
  const look = (): void => {
    // Without a controller this is the first visit: the page runs the newest build already.
    updateWaits.value = registration?.waiting != null && navigator.serviceWorker.controller !== null;
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration?.installing?.addEventListener('statechange', look);
  });
}

/** Fetches a newer build, if there is one. It starts later. */
export async function lookForUpdate(): Promise<void> {
  await registration?.update().catch(() => undefined);
}

/** Starts the newer build: the page loads again as soon as its worker has taken over. */
export function restart(): void {
  const waiting = registration?.waiting;
  if (!waiting) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  waiting.postMessage('restart');
}
