import type { PreparedStatement } from '../../database/transactions/prepared-query.js';
import { heldSeconds, keptHours } from './idempotency-limits.js';

/** The committed result of an earlier execution. */
export interface BegunRow {
  readonly outcome: Buffer | null;
}

/** The row of a key that could not be taken. */
export interface HeldRow {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly sealedAnswer: Buffer | null;
}

// Raw SQL, because each statement decides a race in one step. Times are scalar sub-queries, because distributed PostgreSQL refuses now()
// beside a column.
const now = '(select now())';
const heldFrom = `(select now() + make_interval(secs => ${heldSeconds}))`;
const isOld = (row: string): string =>
  `${row}.begun_at < (select now() - make_interval(hours => ${keptHours})) and coalesce(${row}.held_until < ${now}, true)`;

/**
 * Takes a key that is new, a day old, no longer held, or whose holder ($4) is known to have ended. Only a request with the same body takes
 * over an unfinished one, with its committed result.
 */
export const beginStatement: PreparedStatement = {
  name: 'idempotency-begin',
  text: `insert into {tenant}.idempotent_request as r (id, request_hash, holder, held_until) values ($1, $2, $3, ${heldFrom})
    on conflict (id) do update set request_hash = excluded.request_hash, holder = excluded.holder, held_until = excluded.held_until,
      begun_at = excluded.begun_at, status = null, sealed_answer = null,
      outcome = case when r.request_hash = excluded.request_hash and not (${isOld('r')}) then r.outcome end
    where (${isOld('r')}) or (r.request_hash = excluded.request_hash and r.status is null and (r.held_until < ${now} or r.holder = $4))
    returning outcome`,
};

export const lookStatement: PreparedStatement = {
  name: 'idempotency-look',
  text: `select request_hash as "requestHash", status, sealed_answer as "sealedAnswer" from {tenant}.idempotent_request where id = $1`,
};

export const renewStatement: PreparedStatement = {
  name: 'idempotency-renew',
  text: `update {tenant}.idempotent_request set held_until = ${heldFrom} where id = $1 and holder = $2 and status is null`,
};

export const keepStatement: PreparedStatement = {
  name: 'idempotency-keep',
  text: `update {tenant}.idempotent_request set held_until = null, status = $3, sealed_answer = $4, outcome = null
    where id = $1 and holder = $2 and status is null`,
};

/** Releases a key. With a committed result only a request with the same body can take it; without one any can. */
export const releaseStatement: PreparedStatement = {
  name: 'idempotency-release',
  text: `with free as (
      delete from {tenant}.idempotent_request where id = $1 and holder = $2 and status is null and outcome is null)
    update {tenant}.idempotent_request set held_until = 'epoch' where id = $1 and holder = $2 and status is null and outcome is not null`,
};

export const forgetStatement: PreparedStatement = {
  name: 'idempotency-forget',
  text: `delete from {tenant}.idempotent_request where id in (
      select r.id from {tenant}.idempotent_request r where ${isOld('r')} order by r.begun_at limit 1000) returning 1 as forgotten`,
};
