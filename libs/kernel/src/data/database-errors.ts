import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../bounds/limits.js';

/** A resource that the service needs is temporarily unavailable; answered 503 with `Retry-After`. */
export class UnavailableError extends Error {}

/** SQLSTATE classes and codes of temporary failures: also deadlocks (40P01), locks (55P03) and statements (57014) that took too long. */
const unavailableStates = /^(08|40P01$|40001$|57P0[123]$|57014$|55P03$|25P0[34]$|53|58030$)/;
const unavailableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);
const unavailableMessages = [
  /timeout exceeded when trying to connect/i,
  // A server that takes the connection and says nothing.
  /^timeout expired$/,
  /Connection terminated|Query read timeout|not queryable/i,
  /Client has encountered a connection error/i,
  // Citus, of a database server that stopped since the connection to it was opened; without a code of its own.
  /^failure on connection marked as essential/,
];

/** Whether an error says that PostgreSQL is temporarily unavailable (answered 503). */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth += 1) {
    if (cause instanceof UnavailableError) return true;
    const { code, driverError, severity } = cause as { code?: unknown; driverError?: unknown; severity?: unknown };
    // FATAL ends or prevents the connection (too many clients, starting up, database closed).
    if (severity === 'FATAL' || severity === 'PANIC') return true;
    if (typeof code === 'string' && (unavailableCodes.has(code) || unavailableStates.test(code))) return true;
    const { message } = cause;
    if (unavailableMessages.some((pattern) => pattern.test(message))) return true;
    if (driverError instanceof Error && driverError !== cause && isDatabaseUnavailable(driverError)) return true;
    if (cause instanceof AggregateError && cause.errors.some((inner) => isDatabaseUnavailable(inner))) return true;
  }
  return false;
}

/** Whether PostgreSQL cancelled a statement because it exceeded its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  const { code } = ((error as { driverError?: unknown } | undefined)?.driverError ?? error) as { code?: unknown };
  return code === '57014';
}

/** PostgreSQL's code (SQLSTATE) of an error; undefined for errors that PostgreSQL did not raise. */
export function sqlStateOf(error: unknown): string | undefined {
  return (
    ((error as { driverError?: unknown } | undefined)?.driverError as { code?: string } | undefined)?.code ??
    (error as { code?: string } | undefined)?.code
  );
}

/** The suffix that a distributed database appends to names of tables and constraints: the number of the shard. */
const partNumber = /_\d{6,}$/;

/**
 * The name of the violated constraint (unique, foreign key, check, exclusion) as the migrations define it; the SQLSTATE for a violation
 * without a name (not null); undefined for any other error. A distributed database reports the name only in the message, with a suffix.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint, message } = ((error as { driverError?: unknown } | undefined)?.driverError ?? error ?? {}) as {
    code?: string;
    constraint?: string;
    message?: string;
  };
  if (!code?.startsWith('23')) return undefined;
  const name = constraint ?? /constraint "([^"]+)"/.exec(message ?? '')?.[1];
  return name?.replace(partNumber, '') ?? code;
}

const attempts = 6;

/**
 * Runs a transaction and repeats it when PostgreSQL aborts it because of a deadlock (40P01). A pause of random length comes before each
 * repetition, so that the same transactions do not meet again. `work` must be the whole transaction.
 * @throws the deadlock after six attempts, which is answered 503 with `Retry-After`
 */
export async function retryOnDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== '40P01' || attempt === attempts) throw error;
      await pause(Math.random() * limits.deadlockPause.ms * 2 ** (attempt - 1));
    }
  }
}
