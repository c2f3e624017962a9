/**
 * Collects each distinct SQL statement that the program sends while tests run, in one file per test process. Loaded by Jest before each
 * test file; does nothing unless GUICHET_STATEMENTS names a folder. `npm test` checks what was collected (see `check.ts`).
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** One distinct statement, as a line of JSON. */
export interface RecordedStatement {
  /** Schemas of tenants are replaced: `tenant`, and `tenant2` when the statement names a second one. */
  readonly text: string;
  /**
   * The code that sent it, innermost first, in lines of the compiled program: `libs/scan/src/scanning/scan.service.js:120`. Empty when the
   * stack no longer shows it.
   */
  readonly from: readonly string[];
}

/** Texts already recorded; checked first, because replacing the schemas takes longer. */
const sent = new Set<string>();
const recorded = new Set<string>();
const root = `${process.cwd()}/`;
const tenantSchema = /"?\b(?:t|i|spare)_[0-9a-f]{32}\b"?/g;

/** Replaces the schemas of tenants in a statement. */
export function withoutSchemas(text: string): string {
  const names: string[] = [];
  return text.replace(tenantSchema, (schema) => {
    const bare = schema.replaceAll('"', '');
    if (!names.includes(bare)) names.push(bare);
    const place = names.indexOf(bare) + 1;
    return place === 1 ? 'tenant' : `tenant${place}`;
  });
}

/** Files that send statements for others. */
const senders =
  /^test\/statements|tenancy\/src\/.+\/(?:tenant-db|nodes|database-node|[\w-]*transaction[\w-]*|in-order|\w+-client|prepared-query)\.[jt]s/;

/** Stack frames of this repository, without the functions that all statements pass through. */
function callers(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  const { stack = '' } = new Error('statement');
  Error.stackTraceLimit = stackTraceLimit;
  return stack
    .split('\n')
    .map((line) => /((?:libs|apps|test)\/[^\s)?]+)[^:]*(:\d+):\d+\)?$/.exec(line.replace(root, '')))
    .filter((found) => found !== null)
    .map(([, file = '', line = '']) => file + line)
    .filter((frame) => !senders.test(frame));
}

function record(folder: string, text: string): void {
  if (sent.has(text)) return;
  // Texts contain tenant schemas, so the set is bounded; clearing it costs little.
  if (sent.size >= 20_000) sent.clear();
  sent.add(text);
  const general = withoutSchemas(text);
  if (recorded.has(general)) return;
  const from = callers();
  // Statements that a test sends through the program's connections are not recorded.
  if (from[0]?.startsWith('test/')) return;
  recorded.add(general);
  const statement: RecordedStatement = { text: general, from: from.filter((frame) => !frame.startsWith('test/')) };
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(statement)}\n`);
}

interface Recordable {
  recordsStatements?: true;
  query: (this: unknown, statement: unknown, ...rest: unknown[]) => unknown;
}

/** Wraps a method `query` with the recorder, once per process. @param nameOf returns the name of the connection */
function install(folder: string, target: Recordable, nameOf: (self: unknown) => string | undefined): void {
  if (Object.hasOwn(target, 'recordsStatements')) return;
  target.recordsStatements = true;
  const { query } = target;
  target.query = function recording(statement, ...rest) {
    // Connections of the program have this name; those of the tests have other names or none.
    if (nameOf(this)?.startsWith('guichet')) {
      const text = typeof statement === 'string' ? statement : (statement as { text?: string } | undefined)?.text;
      if (text) record(folder, text);
    }
    return query.call(this, statement, ...rest);
  };
}

const folder = process.env['GUICHET_STATEMENTS'];
if (folder) {
  install(folder, pg.Client.prototype, (client) => {
    const { connectionParameters } = client as { connectionParameters: { application_name?: string } };
    return connectionParameters.application_name;
  });
  // A pool queries its connection later, when the stack no longer contains the caller.
  install(folder, pg.Pool.prototype, (pool) => {
    const { options } = pool as { options: { application_name?: string } };
    return options.application_name;
  });
}
