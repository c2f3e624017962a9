import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule } from 'libpg-query';
import type { RecordedStatement } from './recorder.js';
import { violationsOf, type Violation } from './rules.js';
import { tablesOf } from './tables.js';

export interface StatementReport {
  /** Number of distinct recorded statements. */
  readonly statements: number;
  /** One text per violation. */
  readonly violations: readonly string[];
}

/** Checks the recorded statements. @param folder value of GUICHET_STATEMENTS */
export async function checkStatements(folder: string): Promise<StatementReport> {
  await loadModule();
  const tables = tablesOf();
  const recorded = readRecorded(folder);
  const violations = [...recorded.values()].flatMap(({ text, from }) =>
    violationsOf(text, tables).map((violation) => described(violation, text, from)),
  );
  return { statements: recorded.size, violations };
}

/** Distinct statements of all processes. */
export function readRecorded(folder: string): Map<string, RecordedStatement> {
  const recorded = new Map<string, RecordedStatement>();
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const statement = JSON.parse(line) as RecordedStatement;
      recorded.set(statement.text, statement);
    }
  }
  return recorded;
}

function described({ rule, detail }: Violation, text: string, from: readonly string[]): string {
  const start = text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);
  return `${rule}: ${detail}\n    sent by ${from.slice(0, 2).join(' ← ') || 'unknown'}: ${start}`;
}
