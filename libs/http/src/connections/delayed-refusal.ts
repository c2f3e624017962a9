import type { ServerResponse } from 'node:http';

/** Milliseconds by which refusals of rate limits are delayed. */
const delayMs = 200;
/** Refusals beyond are sent at once, because each one that waits keeps its request in memory. */
const mostWaiting = 1000;

let waiting = 0;

/**
 * Sends the refusal of a rate limit a moment later. A client that asks without pause waits for its answers, so it asks less often, and
 * leaves processor time to others.
 */
export function sendDelayed(response: ServerResponse, send: () => void): void {
  if (waiting >= mostWaiting) {
    send();
    return;
  }
  waiting += 1;
  setTimeout(() => {
    waiting -= 1;
    if (!response.destroyed && !response.headersSent) send();
  }, delayMs);
}
