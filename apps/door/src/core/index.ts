import { Engine } from './engine/engine.js';
import type { Surroundings } from './door/context.js';

export type { Stroke } from './codes/keyboard.js';
export type { Surroundings } from './door/context.js';
export { Engine } from './engine/engine.js';

/**
 * Makes the engine of the app for this browser and the server of this page.
 * @param given what differs from the browser's own
 */
export function createEngine(given: Partial<Surroundings> = {}): Engine {
  return new Engine({
    database: 'guichet-door',
    origin: '',
    fetch: (...asked) => globalThis.fetch(...asked),
    appVersion: null,
    language: () => 'en',
    battery: () => ({ level: null, charging: null }),
    persistent: () => Promise.resolve(null),
    longestScan: 6000,
    wall: Date.now,
    running: () => performance.now(),
    ...given,
  });
}
