/** What a page tells about its camera. Times are `performance.now()` of the page. */
export interface Meter {
  /** When the first frame was there. */
  readonly firstFrame: number | null;
  readonly readings: readonly {
    /** When the frame was presented in which the decoder looked. */
    readonly frame: number;
    readonly at: number;
    readonly text: string | null;
  }[];
}

/**
 * A script for pages of the scanner app that fills `window.meter`. Chromium's throttle slows down the page and not its workers: answers of
 * the decoder's worker are late by the same factor instead.
 * @param rate how many times slower the phone is
 */
export const meterScript = (rate: number): string => `
  window.slower = ${rate};
  window.meter = { firstFrame: null, readings: [] };
  (() => {
    let frame = 0;
    const video = HTMLVideoElement.prototype;
    const { requestVideoFrameCallback } = video;
    video.requestVideoFrameCallback = function (callback) {
      return requestVideoFrameCallback.call(this, (now, metadata) => {
        frame = now;
        window.meter.firstFrame ??= now;
        callback(now, metadata);
      });
    };
    const asked = new Map();
    const later = new Map();
    const worker = Worker.prototype;
    const { postMessage, addEventListener, removeEventListener } = worker;
    worker.postMessage = function (message, transfer) {
      asked.set(message.id, { frame, at: performance.now() });
      return postMessage.call(this, message, transfer);
    };
    worker.addEventListener = function (type, listener, options) {
      if (type !== 'message') return addEventListener.call(this, type, listener, options);
      const late = (event) => {
        const { id, text } = event.data;
        const asking = asked.get(id);
        if (!asking) return;
        asked.delete(id);
        setTimeout(() => {
          window.meter.readings.push({ frame: asking.frame, at: performance.now(), text });
          listener(event);
        }, (window.slower - 1) * (performance.now() - asking.at));
      };
      later.set(listener, late);
      return addEventListener.call(this, type, late, options);
    };
    worker.removeEventListener = function (type, listener, options) {
      const late = later.get(listener) ?? listener;
      later.delete(listener);
      return removeEventListener.call(this, type, late, options);
    };
  })();`;
