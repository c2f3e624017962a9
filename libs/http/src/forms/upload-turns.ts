import type { Request, Response } from 'express';
import { FairLimit, handOver } from '#kernel';
import type { PaceCheck } from './pace.js';

/** Forms of at most this length (bytes of the whole body) take no turn, as JSON bodies take none. */
const smallForm = 256 * 1024;

/** A sender takes a turn of its own tenant only while it sends. The forms of the panel count here, too. */
const reading = new FairLimit({ total: 12, each: 3, waiting: 40, waitMs: 10_000 });

/** Forms that were read keep their bytes until they are answered: these numbers bound the memory. Only readers wait here. */
const kept = new FairLimit({ total: 24, each: 6, waiting: 3, waitMs: 60_000 });

/** Senders are measured from this time on; before, connections start and the server may be busy. */
const graceMs = 3000;
/** Bytes a second that a sender needs on average: always, and while another tenant has no turn at all. */
const slowest = { always: 16 * 1024, contended: 128 * 1024 };

const tooSlowNow: PaceCheck = (bytes, elapsedMs) =>
  elapsedMs >= graceMs && bytes / (elapsedMs / 1000) < (reading.starving ? slowest.contended : slowest.always);

const neverTooSlow: PaceCheck = () => false;

/**
 * Reads a form when it is its tenant's turn, and then uses it. A slow sender does not keep its turn, and neither does a form that is
 * used: the next one is read meanwhile.
 * @param read gets the check that says when its sender is too slow
 * @throws Problem tenant.busy, and what `read` and `use` throw
 */
export async function inUploadTurn<Form, Result>(
  request: Request,
  response: Response,
  read: (isLate: PaceCheck) => Promise<Form>,
  use: (form: Form) => Promise<Result>,
): Promise<Result> {
  if (isSmall(request)) return use(await read(neverTooSlow));
  return handOver({ limit: reading, read: () => read(tooSlowNow) }, { limit: kept, use }, response);
}

function isSmall({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallForm;
}
