import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Sources without comments. Migrations are excluded, because they are never changed. */
const programs = ['libs', 'apps']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.spec.ts'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => !path.includes('/migrations/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '') }));

const using = (pattern: RegExp): string[] => programs.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('definitions that exist once', () => {
  it('the end of an event without an end', () => {
    const assumedEnd =
      /(starts_?at|startsAt\.getTime\(\))[^\n]{0,20}\+ (interval|make_interval|\d)|coalesce\(\w*\.?ends_?at|endsAt \?\? (new|starts)/i;
    expect(using(assumedEnd)).toEqual(['libs/catalogue/src/event-queries/event-end.ts']);
  });

  it('the hour at which a day starts', () => {
    expect(using(/date_trunc\('day'|interval '4 hours'|\b4 \* 3_600_000/)).toEqual(['libs/kernel/src/time/venue-day.ts']);
  });

  it('the check of a UUID', () => {
    expect(using(/\]\{8\}|\bisUUID\b|\bIsUUID\b|ParseUUIDPipe/)).toEqual(['libs/kernel/src/problems/uuid.ts']);
  });

  it('the currency', () => {
    // The scanner app is a program of its own.
    expect(using(/'EUR'/)).toEqual(['libs/kernel/src/text/money.ts', 'apps/door/src/app/later-steps.ts']);
  });
});
