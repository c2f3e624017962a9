import { deserialize, serialize } from 'node:v8';
import { ScopeSlot } from '#kernel';
import { problem } from '../context/tenancy.problems.js';
import type { Tx } from './tx.js';

/** The request with an `Idempotency-Key` that is being executed. */
export interface KeyedRequest {
  readonly id: Buffer;
  /** Identifies this execution: only the holder of the key may write. */
  readonly holder: string;
  /** The committed result of an earlier execution whose answer was lost; undefined: nothing was committed. */
  outcome: Buffer | undefined;
  /** Whether this execution answers with that result instead of doing the work. */
  replayed: boolean;
}

const slot = new ScopeSlot<KeyedRequest>('keyed request');

/** Runs `work` as part of this request. */
export function runKeyed<Result>(request: KeyedRequest, work: () => Result): Result {
  return slot.run(request, work);
}

/** The keyed request being executed; undefined in requests without a key, in jobs and in commands. */
export function currentKeyedRequest(): KeyedRequest | undefined {
  return slot.get();
}

/** Serialises a result: plain objects, dates, buffers, maps and sets are kept, class instances become plain objects. */
export function encodeOutcome(result: unknown): Buffer {
  return serialize(result);
}

/** Restores a result that `encodeOutcome` serialised. */
export function decodeOutcome(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}

/**
 * Stores a result with the key, in the transaction of the work. Both are committed or neither is, so that a repeated request knows the
 * result even when nobody received the answer to COMMIT.
 * @throws Problem 409 `idempotency.in_progress` when another execution holds the key meanwhile; the work is then rolled back
 */
export async function storeOutcome(tx: Tx, { id, holder }: KeyedRequest, sealed: Buffer | null): Promise<void> {
  const [rows] = await tx.query<[unknown[], number]>(
    'update idempotent_request set outcome = $3 where id = $1 and holder = $2 and status is null returning 1 as stored',
    [id, holder, sealed],
  );
  if (rows.length === 0) throw inProgress();
}

/** The problem of a request whose key is held by another execution: 409 `idempotency.in_progress`. */
export function inProgress(): Error {
  return problem('idempotency.in_progress', { headers: { 'Retry-After': '1' } });
}
