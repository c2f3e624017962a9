import type { Request, Response } from 'express';
import { currentTenantId, FairLimit, handOver } from '#kernel';
import { limits } from '../limits.js';
import { Senders, type MeasureSender } from './senders.js';

/** Forms of at most this length (bytes of the whole body) take no turn to be read, like JSON bodies. */
const smallForm = 256 * 1024;

/** Those of the panel included. */
const reading = new FairLimit(limits.formsRead.turns);
/** Received forms that are in memory until they are answered. Only received forms wait here. */
const kept = new FairLimit(limits.formsUsed.turns);
const keptSmall = new FairLimit(limits.smallFormsUsed.turns);

const senders = new Senders(
  {
    slowest: limits.slowestSender.number,
    contended: limits.contendedSender.number,
    graceMs: limits.senderGrace.ms,
    windowMs: limits.senderWindow.ms,
  },
  // Another tenant has no turn at all.
  () => reading.starving,
);

/** What a form holds that was read: files, texts only, or nothing that is used because it is refused. */
export type FormContent = 'files' | 'texts' | 'nothing';

/** How a form is read and used. */
export interface UploadWork<Form, Result> {
  /** @param measure measures the sender while it sends, and says when it loses its turn */
  readonly read: (measure: MeasureSender) => Promise<Form>;
  readonly contentOf: (form: Form) => FormContent;
  readonly use: (form: Form) => Promise<Result>;
}

/**
 * Reads a form when it is its tenant's turn, and then uses it. A slow sender does not keep its turn, and neither does a form that is
 * used: the next one is read meanwhile. A form that is refused waits for nothing after it was read.
 * @throws Problem tenant.busy, and what `read` and `use` throw
 */
export function inUploadTurn<Form, Result>(request: Request, response: Response, work: UploadWork<Form, Result>): Promise<Result> {
  const { read, contentOf, use } = work;
  if (isSmall(request)) {
    const limit = (form: Form): FairLimit | undefined => (contentOf(form) === 'files' ? keptSmall : undefined);
    return handOver({ limit: undefined, read: () => read(() => () => undefined) }, { limit, use }, response);
  }
  const owner = currentTenantId() ?? '';
  const limit = (form: Form): FairLimit | undefined => (contentOf(form) === 'nothing' ? undefined : kept);
  const measured = (): Promise<Form> => read((body, late) => senders.measure(owner, body, late));
  return handOver({ limit: reading, read: measured }, { limit, use }, response);
}

function isSmall({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallForm;
}
