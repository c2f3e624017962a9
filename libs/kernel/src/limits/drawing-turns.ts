import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { limits } from '../bounds/limits.js';
import { serverBusy } from './fair-limit.js';
import { SharedReading } from './shared-reading.js';
import { TenantCache } from './tenant-cache.js';

/** The kind of user who waits for a drawing. Each kind has its own queues, so readers of public pages never fill those of the staff. */
export type DrawingReader = 'public' | 'staff';

const keptDocuments = new TenantCache<Buffer>(limits.keptDocuments.kept);
const documents = {
  public: new SharedReading({ ...limits.publicDocuments.turns, refuse: serverBusy }, keptDocuments),
  staff: new SharedReading({ ...limits.staffDocuments.turns, refuse: serverBusy }, keptDocuments),
};
const keptCodes = new TenantCache<string>(limits.keptCodes.kept);
const codes = {
  public: new SharedReading({ ...limits.publicCodes.turns, refuse: serverBusy }, keptCodes),
  staff: new SharedReading({ ...limits.staffCodes.turns, refuse: serverBusy }, keptCodes),
};

/**
 * Draws a document (PDF) when it is the current tenant's turn. All documents that a request waits for are drawn through this function.
 * Requests with the same kind and facts share one drawing, which is cached for a minute. A caller that reads the facts for each request
 * never gets an outdated document.
 * @param kind of document, for example `tickets`: the same facts look different in another kind
 * @param facts all data that the document shows, without functions
 * @throws Problem 503 `server.busy`
 */
export function drawDocument(reader: DrawingReader, kind: string, facts: object, draw: () => Promise<Buffer>): Promise<Buffer> {
  const key = createHash('sha256')
    .update(serialize([kind, facts]))
    .digest('base64url');
  return documents[reader].get(key, draw);
}

/**
 * Draws a small picture (a QR code) when it is the current tenant's turn. One picture is drawn per turn of the event loop, so that other
 * requests are answered in between. A caller with several pictures awaits each before it requests the next one. Requests with the same
 * kind and text share one drawing, which is cached for a minute.
 * @param kind of picture: the same text looks different in another kind
 * @param text the content of the QR code
 * @throws Problem 503 `server.busy`
 */
export function drawPicture(reader: DrawingReader, kind: string, text: string, draw: () => Promise<string>): Promise<string> {
  return codes[reader].get(`${kind} ${text}`, async () => {
    await setImmediate();
    return draw();
  });
}
