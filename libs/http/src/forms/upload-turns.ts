import type { Request, Response } from 'express';
import { FairLimit, handOver } from '#kernel';
import type { PaceCheck } from './pace.js';

/** Forms up to this size (bytes of the whole body) are not limited, like JSON bodies. */
const smallForm = 256 * 1024;

/** Forms that are being received, including those of the panel. */
const reading = new FairLimit({ total: 12, each: 3, waiting: 40, waitMs: 10_000 });

/** Received forms that are in memory until they are answered. Only received forms wait here. */
const kept = new FairLimit({ total: 24, each: 6, waiting: 3, waitMs: 60_000 });

/** Milliseconds after which a sender's pace is measured, because connections start slowly and the server may be busy. */
const graceMs = 3000;
/** Minimum average pace of a sender in bytes per second; `contended`: while a tenant without any slot waits. */
const slowest = { always: 16 * 1024, contended: 128 * 1024 };

const tooSlowNow: PaceCheck = (bytes, elapsedMs) =>
  elapsedMs >= graceMs && bytes / (elapsedMs / 1000) < (reading.starving ? slowest.contended : slowest.always);

const neverTooSlow: PaceCheck = () => false;

/**
 * Reads a form when it is its tenant's turn, and then uses it. The slot is free again as soon as the form is read or its sender is too
 * slow, so that neither slow use nor a slow sender blocks the next form.
 * @param read receives the check whether its sender is too slow
 * @throws Problem tenant.busy, and the errors of `read` and `use`
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
