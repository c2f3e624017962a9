import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { serverBusy } from './fair-limit.js';
import { SharedTurns } from './shared-turns.js';
import { TenantCache } from './tenant-cache.js';

/** The kind of user who waits for a drawing. Each kind has its own queues, so readers of public pages never fill those of the staff. */
export type DrawingReader = 'public' | 'staff';

/** Drawing a document takes long when it has many pages, so a process draws two at a time, one per tenant. */
const oneDocument = { total: 2, each: 1, waitMs: 20_000, refuse: serverBusy };
const documents = {
  public: new SharedTurns({ ...oneDocument, waiting: 40, waitingOfNetwork: 10 }),
  staff: new SharedTurns({ ...oneDocument, waiting: 20 }),
};

/** Drawing a picture takes some milliseconds, and many people open their tickets at the same time. */
const onePicture = { total: 1, each: 1, waitMs: 10_000, refuse: serverBusy };
const pictures = {
  public: new SharedTurns({ ...onePicture, waiting: 500, waitingOfNetwork: 125 }),
  staff: new SharedTurns({ ...onePicture, waiting: 100 }),
};

/** Short, because drawings contain names and codes. Long enough for repeated requests of the same page. */
const ttlMs = 60_000;
const keptDocuments = new TenantCache<Buffer>({ total: 16_000_000, each: 2_000_000, ttlMs });
const keptPictures = new TenantCache<string>({ total: 16_000_000, each: 4_000_000, ttlMs });

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
  return drawShared(keptDocuments, documents[reader], key, draw);
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
  return drawShared(keptPictures, pictures[reader], `${kind} ${text}`, async () => {
    await setImmediate();
    return draw();
  });
}

async function drawShared<Drawing extends { readonly length: number }>(
  kept: TenantCache<Drawing>,
  turns: SharedTurns,
  key: string,
  draw: () => Promise<Drawing>,
): Promise<Drawing> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  return turns.run(key, async () => {
    // Staff and readers have different queues, so the other queue may have drawn it.
    const drawnMeanwhile = kept.get(key);
    if (drawnMeanwhile !== undefined) return drawnMeanwhile;
    const drawn = await draw();
    kept.set(key, drawn);
    return drawn;
  });
}
