import type { Page } from 'playwright-core';
import { until } from '../support/until.js';

/** Scripts for a page of the scanner app, to be added before it opens; they watch or replace what a phone does. */
export const tricks = {
  /** Moments at which pictures went to the decoder, and the first answer of the decoder. */
  pictures: `window.pictures = [];
    (() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (...given) {
        window.pictures.push(performance.now());
        this.addEventListener('message', () => { window.firstReading ??= performance.now(); }, { once: true });
        return post.apply(this, given);
      };
    })();`,
  /** A phone whose browser has no frames of the camera. */
  noFrames: 'delete window.VideoFrame;',
  /** A phone whose browser hands out frames without their content. */
  emptyFrames: `(() => {
      const Frame = window.VideoFrame;
      const black = new OffscreenCanvas(1280, 720);
      black.getContext('2d').fillRect(0, 0, 1280, 720);
      window.VideoFrame = function () { return new Frame(black, { timestamp: 0 }); };
    })();`,
  /** A phone whose browser hands out frames in colours, and nothing else. */
  colourFrames: `(() => {
      const Frame = window.VideoFrame;
      const canvas = new OffscreenCanvas(1280, 720);
      window.createImageBitmap = () => Promise.reject(new Error('no bitmaps'));
      window.VideoFrame = function (video) {
        canvas.getContext('2d').drawImage(video, 0, 0);
        return new Frame(canvas, { timestamp: 0 });
      };
    })();`,
  /** The moment of the live picture, since the start of the page. */
  live: `new MutationObserver(() => {
      if (document.querySelector('[data-camera="on"]')) window.liveAt ??= performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true });`,
  /** The open connections to the database. */
  connections: `window.connections = [];
    (() => {
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...given) {
        const asked = open.apply(this, given);
        asked.addEventListener('success', () => window.connections.push(asked.result));
        return asked;
      };
    })();`,
  /** Wake locks that the page asked for. */
  wakeLocks: `window.wakeLocks = [];
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
      const lock = Object.assign(new EventTarget(), { released: false, release: async () => { lock.released = true; } });
      window.wakeLocks.push(lock);
      return lock;
    } } });`,
  /** A phone whose storage is full while `window.isFull`. */
  full: `(() => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...given) {
        if (window.isFull) throw new DOMException('no room', 'QuotaExceededError');
        return put.apply(this, given);
      };
    })();`,
  /** A phone with 12 % of its charge, not on a charger. */
  lowBattery: `navigator.getBattery = async () => Object.assign(new EventTarget(), { level: 0.12, charging: false });`,
} as const;

/** The person switches to another app: the browser says that the page is hidden. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
}

/** The person comes back. @returns `performance.now()` of the page */
export function comeBack(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const at = performance.now();
    delete document.visibilityState;
    document.dispatchEvent(new Event('visibilitychange'));
    return at;
  })()`);
}

/** The system takes the camera away, as for a call. @returns `performance.now()` of the page */
export function takeCamera(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const at = performance.now();
    const [track] = document.querySelector('video').srcObject.getVideoTracks();
    track.stop();
    track.dispatchEvent(new Event('ended'));
    return at;
  })()`);
}

/** The browser drops the connections to the database. @param says whether it says so; WebKit does not */
export async function dropDatabase(page: Page, says: boolean): Promise<void> {
  await page.evaluate(`for (const connection of window.connections.splice(0)) {
    connection.close();
    if (${says}) connection.dispatchEvent(new Event('close'));
  }`);
}

/** Waits until a build of the app is stored on the phone and starts without a network. */
export async function stored(page: Page): Promise<void> {
  const state = `navigator.serviceWorker.ready.then(
    ({ active }) => active?.state === 'activated' && navigator.serviceWorker.controller !== null)`;
  await until(
    () => page.evaluate<boolean>(state),
    (ready) => ready,
  );
}

/** The clocks of the page go on by so much, as if nobody touched the phone. */
export const passTime = (page: Page, milliseconds: number): Promise<void> =>
  page.evaluate(`(() => {
    const [run, wall] = [performance.now.bind(performance), Date.now];
    performance.now = () => run() + ${milliseconds};
    Date.now = () => wall() + ${milliseconds};
  })()`);
