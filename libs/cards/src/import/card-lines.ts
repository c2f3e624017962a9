import type { Readable } from 'node:stream';
import { readCsv, type CsvTable } from '#kernel';
import { texts } from '../locales/cards.texts.js';

type Column = 'tag' | 'number' | 'owner' | 'origin' | 'state';

/** A line of the file, as it is written there. */
export type CardLine = Readonly<Record<Column, string>> & {
  /** Starts at 1, the heading included. */
  readonly line: number;
};

const table: CsvTable<Column> = {
  names: {
    tag: ['tag', 'tag_id', 'uid'],
    number: ['number'],
    owner: ['owner', 'owner_email', 'email', 'e-mail'],
    origin: ['origin', 'origin_tenant'],
    state: ['state'],
  },
  // Those of the exported list in each language.
  headings: texts.perLanguage('cardLines.headings', ({ words }) => words),
  needed: 'tag',
  noHeading: texts.localized('cardLines.noHeading'),
  mostLines: 50_000,
  longestLine: 2000,
  mostBytes: 5 * 1024 * 1024,
};

/** Reads a CSV file of cards. @throws RefusedInput as `readCsv` */
export async function readCardLines(file: Readable): Promise<CardLine[]> {
  const lines = await readCsv(file, table);
  return lines.map(({ line, cells: { tag = '', number = '', owner = '', origin = '', state = '' } }) => ({
    line,
    tag,
    number,
    owner,
    origin,
    state,
  }));
}
