import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LimitTable } from '#kernel';
import { root, sourcesBelow } from './sources.js';

type Row = LimitTable[string];

/** A table of limits, with the path of its file. */
export interface FoundTable {
  readonly path: string;
  /** The folder of the sources that take their numbers from it. */
  readonly home: string;
  readonly rows: LimitTable;
}

/** The tables of limits of all libs and apps. */
export function limitTables(): Promise<FoundTable[]> {
  const files = sourcesBelow(['libs', 'apps'], /^limits\.ts$/).filter(({ path }) =>
    /^(libs|apps)\/[\w-]+\/src\/(bounds\/)?limits/.test(path),
  );
  return Promise.all(
    files
      .toSorted((one, other) => one.path.localeCompare(other.path))
      .map(async ({ path }) => {
        const { limits } = (await import(`../../${path.replace(/ts$/, 'js')}`)) as { readonly limits: LimitTable };
        return { path, home: dirname(path).replace(/\/bounds$/, ''), rows: limits };
      }),
  );
}

const grouped = new Intl.NumberFormat('en');
const countOf = (value: number | undefined): string => (value === undefined || value === Infinity ? '–' : grouped.format(value));

function timeOf(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

const inCode = (text: string | undefined): string => (text === undefined ? '–' : `\`${text}\``);
const ofTenantOf = (count: number | undefined, setting: string | undefined): string =>
  count === undefined ? inCode(setting) : countOf(count);

/** Head and cells of each kind; undefined: the row is of another kind. */
const drawings: readonly (readonly [head: string, cells: (row: Row) => readonly string[] | undefined])[] = [
  [
    '| Work in turns | In total | Of one tenant | Waiting, of one tenant | Longest wait | Beyond it | Label | Without it |',
    (row) => {
      if (!('turns' in row)) return undefined;
      const { name, total, each, waiting, waitingOfNetwork, waitingInAll, waitMs } = row.turns;
      const queue = [
        countOf(waiting),
        waitingOfNetwork && `${countOf(waitingOfNetwork)} of a network`,
        waitingInAll && `${countOf(waitingInAll)} in all`,
      ];
      return [
        ofTenantOf(total, row.setting),
        ofTenantOf(each, row.setting),
        queue.filter(Boolean).join(', '),
        timeOf(waitMs),
        row.beyond ?? '–',
        inCode(name),
      ];
    },
  ],
  [
    '| Work by rate | Rate | Beyond it | Without it |',
    (row) => {
      if (!('rate' in row)) return undefined;
      const { count, milliseconds } = row.rate;
      return [count === undefined ? inCode(row.setting) : `${count} in ${timeOf(milliseconds)}`, row.beyond ?? 'it waits'];
    },
  ],
  [
    '| Kept values | Number or size | Of one tenant | For | Without it |',
    (row) => ('kept' in row ? [countOf(row.kept.most ?? row.kept.size), countOf(row.kept.each), timeOf(row.kept.ttlMs)] : undefined),
  ],
  [
    '| Bounds and times | Number | Beyond it | Metric | Without it |',
    (row) => {
      if ('turns' in row || 'rate' in row || 'kept' in row) return undefined;
      const number = 'ms' in row ? timeOf(row.ms) : 'number' in row ? `${countOf(row.number)} ${row.unit}` : inCode(row.setting);
      return [number, row.beyond ?? '–', inCode(row.metric)];
    },
  ],
];

/** The tables for docs/operations.md: of each kind, the rows of all libs in their order. */
export function drawnTables(tables: readonly FoundTable[]): string[] {
  const rows = tables.flatMap((table) => Object.values(table.rows));
  return drawings.map(([head, cells]) => {
    const drawn = rows.flatMap((row) => {
      const found = cells(row);
      return found ? [`| ${[row.of, ...found, row.why].join(' | ')} |`] : [];
    });
    return `${[head, head.replaceAll(/[^|]+/g, ' --- '), ...drawn].join('\n')}\n`;
  });
}

/** The text of a source with its comments. */
export const textOf = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
