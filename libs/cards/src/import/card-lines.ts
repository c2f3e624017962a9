import { Readable } from 'node:stream';
import { languages, RefusedInput, type Text } from '#kernel';
import { CsvError, parse } from 'csv-parse';
import { texts } from '../locales/cards.texts.js';

/** Limits of lines and bytes, because an import is held in memory while it is compared. */
export const mostLines = 50_000;
export const mostBytes = 5 * 1024 * 1024;
const longestLine = 2000;

/** A line of the file, as it is written there. */
export interface CardLine {
  /** Starts at 1, the heading included. */
  readonly line: number;
  readonly tag: string;
  readonly number: string;
  readonly owner: string;
  readonly origin: string;
  readonly state: string;
}

type Column = Exclude<keyof CardLine, 'line'>;

/** Headings that every language accepts. */
const names: Readonly<Record<Column, readonly string[]>> = {
  tag: ['tag', 'tag_id', 'uid'],
  number: ['number'],
  owner: ['owner', 'owner_email', 'email', 'e-mail'],
  origin: ['origin', 'origin_tenant'],
  state: ['state'],
};
const columns = Object.keys(names) as Column[];

/** Accepted headings of a column: those above, and those of the exported list in each language. */
const localHeadings = texts.perLanguage('cardLines.headings', ({ words }) => words);
const isHeading = (column: Column, heading: string): boolean =>
  names[column].includes(heading) || languages.some((language) => localHeadings[language][column].split(', ').includes(heading));

const refused = (text: Text): RefusedInput => new RefusedInput('file', text);

/**
 * Reads a CSV file of cards: UTF-8, with a heading, cells separated by commas, semicolons or tabs. Reads the file as a stream and stops
 * at the size limit.
 * @throws RefusedInput on `file` when it is too large or not such a file
 */
export async function readCardLines(file: Readable): Promise<CardLine[]> {
  const pieces = bounded(file);
  const first = await pieces.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  const parser = Readable.from(joined(head, pieces)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(head),
      info: true,
      max_record_size: longestLine,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  try {
    return await linesOf(parser as AsyncIterable<Parsed>);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error['lines'] ?? 0) || 1;
    throw refused(texts.localized('cardLines.unreadable', { line, longestLine }));
  }
}

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

async function linesOf(parser: AsyncIterable<Parsed>): Promise<CardLine[]> {
  const lines: CardLine[] = [];
  let places: ReadonlyMap<Column, number> | undefined;
  for await (const { info, record } of parser) {
    if (!places) {
      places = placesOf(record);
      continue;
    }
    if (lines.length >= mostLines) {
      throw refused(texts.localized('cardLines.tooMany', { mostLines }));
    }
    const cell = (column: Column): string => withoutMark(record[places?.get(column) ?? -1] ?? '');
    lines.push({
      line: info.lines,
      tag: cell('tag'),
      number: cell('number'),
      owner: cell('owner'),
      origin: cell('origin'),
      state: cell('state'),
    });
  }
  if (places) return lines;
  throw refused(texts.localized('cardLines.empty'));
}

/** Maps cell positions to columns. @throws RefusedInput when no heading is `tag` */
function placesOf(record: readonly string[]): ReadonlyMap<Column, number> {
  const given = record.map((name) => name.trim().toLowerCase().replaceAll("'", '’'));
  const found = columns.map((column) => [column, given.findIndex((heading) => isHeading(column, heading))] as const);
  const places = new Map(found.filter(([, place]) => place >= 0));
  if (places.has('tag')) return places;
  throw refused(texts.localized('cardLines.noHeading'));
}

/** Exported lists put an apostrophe before cells that a spreadsheet could take for a formula. */
function withoutMark(cell: string): string {
  return /^'[=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

async function* bounded(file: Readable): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const piece of file as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBytes) {
      throw refused(texts.localized('cardLines.tooLarge', { limit: mostBytes / 1024 / 1024 }));
    }
    yield piece;
  }
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** The separator that occurs most often in the heading. */
function delimiterOf(head: Buffer): string {
  const [heading = ''] = head.toString('utf8', 0, longestLine).split(/[\r\n]/);
  const count = (sign: string): number => heading.split(sign).length;
  return [';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}
