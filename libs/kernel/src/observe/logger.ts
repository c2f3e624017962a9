import { pino, type DestinationStream, type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { violatedConstraint } from '../data/database-errors.js';
import type { Settings } from '../settings/settings.js';

export type Logger = PinoLogger;

/** Token under which Nest injects the logger. */
export const LOGGER = Symbol('logger');

/**
 * Writes one JSON line per entry to standard output. Errors keep their class, message and stack in the server's log; PostgreSQL's
 * `detail` contains row values (names, addresses), so it is left out.
 */
export function createLogger(settings: Pick<Settings, 'logLevel'>, destination: DestinationStream = standardOutput()): Logger {
  const options: LoggerOptions = {
    level: settings.logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Writes lines in batches, at most a quarter of a second later: one write per request would cost as much as its statement. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, minLength: 4096, periodicFlush: 250 });
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'not an Error was thrown' };
  const { code, table, driverError } = error as Error & Record<string, unknown>;
  const origin = (driverError ?? {}) as Record<string, unknown>;
  return {
    name: error.name,
    message: redact(error.message),
    code: code ?? origin['code'],
    constraint: violatedConstraint(error),
    table: table ?? origin['table'],
    stack: error.stack?.split('\n').slice(1, 12).join('\n'),
  };
}

/** Removes keys, tokens and QR strings from log messages. */
function redact(message: string): string {
  return message
    .replace(/\b(gdev|gkey|sk|rk|whsec)_[A-Za-z0-9_]+/g, '$1_…')
    .replace(/[A-Za-z0-9_-]{24}:[A-Za-z0-9_-]{86}/g, 'QR…')
    .replace(/[A-Za-z0-9_-]{43}/g, 'token…');
}
