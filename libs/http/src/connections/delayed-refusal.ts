import type { ServerResponse } from 'node:http';
import { FairLimit } from '#kernel';
import { limits } from '../limits.js';

const places = new FairLimit(limits.lateRefusals.turns);

/**
 * Sends the refusal of a rate limit a moment later. A client that asks without pause waits for its answers, so it asks less often, and
 * leaves processor time to others.
 */
export function sendDelayed(response: ServerResponse, send: () => void): void {
  const leave = places.enterNow('');
  if (!leave) return send();
  setTimeout(() => {
    leave();
    if (!response.destroyed && !response.headersSent) send();
  }, limits.refusalDelay.ms);
}
