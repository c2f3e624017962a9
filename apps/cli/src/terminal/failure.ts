import { constants } from 'node:os';
import { isDatabaseUnavailable, Problem, problemBody, RefusedInput, SecretBoxError } from '#kernel';
import { AbortedTransactionError, isStartError, TransferError } from '#tenancy';
import { guichet } from './output.js';
import { StoppedError } from './stop-signals.js';

/** The command cannot be executed in the current state. The message is one line that says what to do. */
export class Refusal extends Error {}

/** The command is invalid in any state. */
export class UsageError extends Error {}

/** Errors whose message is written for operators, besides those of a start. */
const forPeople = [Refusal, RefusedInput, SecretBoxError, TransferError];

/** Advice for operators by SQLSTATE of PostgreSQL. */
const databaseRefusals: Readonly<Record<string, string>> = {
  '42501': 'give the user of DATABASE_URL that right',
  '55P03': 'a busy table could not be locked, and nothing was changed: run it again in a quieter moment',
  '3F000': `tables are missing, ask ${guichet} doctor`,
  '42P01': `tables are missing, ask ${guichet} doctor`,
  '25006': 'DATABASE_URL names a read-only copy: name the main server',
};

/** The lines for standard error, the first one complete in itself, and the exit code. */
export function describeFailure(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof StoppedError) {
    return { lines: [`guichet: ${error.message}`], exitCode: 128 + constants.signals[error.signal] };
  }
  if (error instanceof UsageError) return { lines: [`guichet: ${error.message}`], exitCode: 2 };
  const known = knownReason(error);
  const message = known ?? `Unexpected failure: ${error instanceof Error ? error.message : String(error)}`;
  const lines = [`guichet: ${oneLine(message)}`];
  if (/^(debug|trace)$/.test(process.env['LOG_LEVEL'] ?? '')) lines.push(stackOf(error));
  else if (known === undefined) lines.push('Run it again with LOG_LEVEL=debug for the stack.');
  return { lines, exitCode: 1 };
}

function knownReason(error: unknown): string | undefined {
  if (isStartError(error) || forPeople.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof Problem) return problemBody(error, 'en', '').detail;
  if (isDatabaseUnavailable(error)) {
    return `The database cannot be used at the moment (${(error as Error).message}): try again, or ask ${guichet} doctor`;
  }
  if (error instanceof AbortedTransactionError) return undefined;
  const { code } = ((error as { driverError?: unknown } | undefined)?.driverError ?? error ?? {}) as { code?: string };
  const cure = databaseRefusals[code ?? ''];
  return cure === undefined ? undefined : `PostgreSQL refuses (${(error as Error).message}): ${cure}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [error.stack ?? error.message, ...(error.cause ? [`caused by ${stackOf(error.cause)}`] : [])].join('\n');
}
