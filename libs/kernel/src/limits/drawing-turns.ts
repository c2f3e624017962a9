import { setImmediate } from 'node:timers/promises';
import { currentClient } from '../context/request-context.js';
import { FairLimit, serverBusy } from './fair-limit.js';

/** A document takes processor time for as long as it has pages: a process draws two at a time, one of each tenant. */
const documents = new FairLimit({ total: 2, each: 1, waiting: 20, waitMs: 20_000, refuse: serverBusy });
/** A picture takes some milliseconds, and many people open their tickets at the same time. */
const pictures = new FairLimit({ total: 1, each: 1, waiting: 500, waitMs: 10_000, refuse: serverBusy });

/**
 * Draws a document (PDF) when it is the turn of the current tenant. All documents that a request waits for are drawn through here.
 * @throws Problem 503 `server.busy`
 */
export function drawDocument<Result>(draw: () => Promise<Result>): Promise<Result> {
  return documents.run(draw, currentClient());
}

/**
 * Draws a small picture (a QR code) when it is the turn of the current tenant. One is drawn in each turn of the event loop, so that other
 * requests are answered between two of them. Who draws several waits for one before asking for the next.
 * @throws Problem 503 `server.busy`
 */
export function drawPicture<Result>(draw: () => Promise<Result>): Promise<Result> {
  return pictures.run(async () => {
    await setImmediate();
    return draw();
  }, currentClient());
}
