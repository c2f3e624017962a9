import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { drawnTables, limitTables, textOf, type FoundTable } from '../support/limit-tables.js';
import { root, sourcesBelow } from '../support/sources.js';

/** The scanner app is a program of its own. */
const programs = sourcesBelow(['libs', 'apps'], /(?<!\.spec)\.tsx?$/).filter(({ path }) => !path.startsWith('apps/door/'));
const using = (pattern: RegExp): string[] => programs.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

/** Files with timers whose time is no number of their own. */
const timersOfOthers: Readonly<Record<string, string>> = {
  'libs/kernel/src/limits/fair-limit.ts': 'turns',
  'libs/kernel/src/limits/token-buckets.ts': 'rates',
  'libs/kernel/src/observe/within.ts': 'the time of the caller',
  'libs/http/src/forms/multipart.ts': 'the time of the form',
  'libs/messages/src/threads/drawing-thread.ts': 'the time of the caller',
  'libs/scan/src/pack/pack-waits.service.ts': 'the time that the phone asks for',
  'libs/tenancy/src/access/idempotency/idempotency.interceptor.ts': 'a third of the lease in the database',
  'libs/tenancy/src/database/connections/pipelined-client.ts': 'DATABASE_TIMEOUT_MS',
  'libs/tenancy/src/database/migrating/migrator.ts': 'before requests are answered',
  'libs/embedded-postgres/src/account.ts': 'before requests are answered',
  'libs/embedded-postgres/src/presence.ts': 'before requests are answered',
  'libs/embedded-postgres/src/server.ts': 'before requests are answered',
  'libs/embedded-postgres/src/supervisor.ts': 'before requests are answered',
  'apps/server/src/drain.ts': 'SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS',
  'apps/server/src/main.ts': 'after the last request',
};

/** The program of the drawing threads loads no other lib. */
const threads = new Set(['cjk-fonts', 'shaped-font', 'text-layout'].map((name) => `libs/messages/src/pdf/${name}.ts`));

let tables: FoundTable[];
beforeAll(async () => {
  tables = await limitTables();
});

describe('limits, caches, queues and delays', () => {
  // UPDATE_DOCS=1 npm test -- house/limits writes them.
  it('stand in the tables of docs/operations.md', () => {
    const path = join(root, 'docs/operations.md');
    for (const table of drawnTables(tables)) {
      const text = readFileSync(path, 'utf8');
      const [head] = table.split('\n') as [string];
      const start = text.indexOf(head);
      const end = text.indexOf('\n\n', start) + 1;
      if (process.env['UPDATE_DOCS'] === '1' && start >= 0) writeFileSync(path, text.slice(0, start) + table + text.slice(end));
      expect(readFileSync(path, 'utf8')).toContain(table);
    }
  });

  it('have rows that the code uses, in the lib of the table', () => {
    expect(tables.length).toBeGreaterThan(12);
    const unused = tables.flatMap(({ path, home, rows }) => {
      const code = programs.filter((source) => source.path.startsWith(`${home}/`) && source.path !== path).map((source) => source.code);
      return Object.keys(rows)
        .filter((name) => !code.some((text) => new RegExp(`\\blimits\\.${name}\\b`).test(text)))
        .map((name) => `${path} ${name}`);
    });
    // Their numbers are settings.
    expect(unused).toEqual([
      'libs/http/src/limits.ts connections',
      'libs/http/src/limits.ts connectionsOfNetwork',
      'libs/kernel/src/bounds/limits.ts rates',
    ]);
  });

  it('have one name each in the metric of refusals', () => {
    const rows = tables.flatMap((table) => Object.values(table.rows));
    const names = rows.flatMap((row) => ('turns' in row ? [row.turns.name] : []));
    expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[a-z_]+$/.test(name))).toEqual([]);
  });

  it('take their numbers from the table of their lib', () => {
    const made = /new (?:FairLimit|SharedReading|RecentReadings|TenantCache|Kept)\b[^(\n]*\(\s*(?:\{\s*\.\.\.)?([\w.]*)/g;
    const found = programs
      .filter(({ path }) => path === 'libs/kernel/src/limits/drawing-turns.ts' || !path.startsWith('libs/kernel/src/limits/'))
      .flatMap(({ path, code }) => [...code.matchAll(made)].map(([text, from]) => ({ path, text, from: from as string })));
    expect(found.filter(({ from }) => !/^(limits\.\w+\.\w|passwordPlaces\.|connectionLimits$)/.test(from))).toEqual([]);
    expect(found.length).toBeGreaterThan(50);
  });

  it('are of the kinds that the kernel has: no other cache, queue or rate limit', () => {
    expect(using(/'lru-cache'|new LRUCache\b/).filter((path) => !threads.has(path))).toEqual(['libs/kernel/src/bounds/kept.ts']);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    const known =
      /^(p-(limit|queue|throttle|memoize|debounce)|async-(sema|mutex|limiter)|bottleneck|fastq)$|throttle|rate-limit|cache|memo/;
    expect(Object.keys(dependencies).filter((name) => known.test(name))).toEqual(['lru-cache']);
    // A map that is emptied when it is full.
    expect(using(/\.size >=? \w+\) \w+(\.\w+)*\.clear\(\)/)).toEqual([]);
  });

  it('have timers with times of a table, of a setting or of a caller', () => {
    const timers = using(/\b(setTimeout|setInterval)\(|setTimeout( as \w+)? \} from 'node:timers\/promises'/);
    // Components run in browsers.
    const own = timers.filter((path) => !path.includes('/components/') && !/\blimits\.\w+\.(ms|number|turns)\b/.test(textOf(path)));
    expect(own.filter((path) => !(path in timersOfOthers))).toEqual([]);
    expect(Object.keys(timersOfOthers).filter((path) => !timers.includes(path))).toEqual([]);
  });
});
