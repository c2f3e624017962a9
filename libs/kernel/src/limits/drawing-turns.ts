import { setImmediate } from 'node:timers/promises';
import { currentClient } from '../context/request-context.js';
import { FairLimit, serverBusy } from './fair-limit.js';

/** Drawing a document takes long when it has many pages, so a process draws two at a time, one per tenant. */
const documents = new FairLimit({ total: 2, each: 1, waiting: 20, waitMs: 20_000, refuse: serverBusy });
/** Drawing a picture takes some milliseconds, and many people open their tickets at the same time. */
const pictures = new FairLimit({ total: 1, each: 1, waiting: 500, waitMs: 10_000, refuse: serverBusy });

/**
 * Draws a document (PDF) when it is the current tenant's turn. All documents that a request waits for are drawn through this function.
 * @throws Problem 503 `server.busy`
 */
export function drawDocument<Result>(draw: () => Promise<Result>): Promise<Result> {
  return documents.run(draw, currentClient());
}

/**
 * Draws a small picture (a QR code) when it is the current tenant's turn. One picture is drawn per turn of the event loop, so that other
 * requests are answered in between. A caller with several pictures awaits each before it requests the next one.
 * @throws Problem 503 `server.busy`
 */
export function drawPicture<Result>(draw: () => Promise<Result>): Promise<Result> {
  return pictures.run(async () => {
    await setImmediate();
    return draw();
  }, currentClient());
}
