import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { languages, type Language, type Text } from '../locales/language.js';
import { texts } from '../locales/kernel.texts.js';
import { RefusedInput } from '../problems/refused-input.js';

/** Characters in which the separator of the heading is looked for. */
const headingLength = 2000;

/** What a CSV file may contain. The file is held in memory while it is compared, so its lines and bytes are bounded. */
export interface CsvTable<Column extends string> {
  /** Headings that every language accepts, in small letters. */
  readonly names: Readonly<Record<Column, readonly string[]>>;
  /** Headings in each language, in small letters, separated by commas and spaces. */
  readonly headings: Readonly<Record<Language, Readonly<Record<Column, string>>>>;
  /** The column that must be there. */
  readonly needed: Column;
  /** Says which columns there are. */
  readonly noHeading: Text;
  readonly mostLines: number;
  /** Characters of a line. */
  readonly longestLine: number;
  readonly mostBytes: number;
}

/** A line of the file. Columns that the file lacks are undefined. */
interface CsvLine<Column extends string> {
  /** Starts at 1, the heading included. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

const refused = (text: Text): RefusedInput => new RefusedInput('file', text);

/**
 * Reads a CSV file: UTF-8, with a heading, cells separated by commas, semicolons or tabs. Reads the file as a stream and stops at the size
 * limit.
 * @throws RefusedInput on `file` when it is too large or not such a file
 */
export async function readCsv<Column extends string>(file: Readable, table: CsvTable<Column>): Promise<CsvLine<Column>[]> {
  const pieces = bounded(file, table.mostBytes);
  const first = await pieces.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  const parser = Readable.from(joined(head, pieces)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(head),
      info: true,
      max_record_size: table.longestLine,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  try {
    return await linesOf(parser as AsyncIterable<Parsed>, table);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error['lines'] ?? 0) || 1;
    throw refused(texts.localized('csv.unreadable', { line, longestLine: table.longestLine }));
  }
}

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

async function linesOf<Column extends string>(parser: AsyncIterable<Parsed>, table: CsvTable<Column>): Promise<CsvLine<Column>[]> {
  const { mostLines } = table;
  const lines: CsvLine<Column>[] = [];
  let places: readonly (readonly [Column, number])[] | undefined;
  for await (const { info, record } of parser) {
    if (!places) {
      places = placesOf(record, table);
      continue;
    }
    if (lines.length >= mostLines) throw refused(texts.localized('csv.tooMany', { mostLines }));
    const cells = Object.fromEntries(places.map(([column, place]) => [column, withoutMark(record[place] ?? '')]));
    lines.push({ line: info.lines, cells: cells as CsvLine<Column>['cells'] });
  }
  if (places) return lines;
  throw refused(texts.localized('csv.empty'));
}

/** The positions of the columns. @throws RefusedInput when the needed one is missing */
function placesOf<Column extends string>(record: readonly string[], { names, headings, needed, noHeading }: CsvTable<Column>) {
  const given = record.map((name) => name.trim().toLowerCase().replaceAll("'", '’'));
  const isHeading = (column: Column, heading: string): boolean =>
    names[column].includes(heading) || languages.some((language) => headings[language][column].split(', ').includes(heading));
  const found = (Object.keys(names) as Column[]).map(
    (column) => [column, given.findIndex((heading) => isHeading(column, heading))] as const,
  );
  const places = found.filter(([, place]) => place >= 0);
  if (places.some(([column]) => column === needed)) return places;
  throw refused(noHeading);
}

/** Exported lists put an apostrophe before cells that a spreadsheet could take for a formula. */
function withoutMark(cell: string): string {
  return /^'[=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

async function* bounded(file: Readable, mostBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const piece of file as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw refused(texts.localized('csv.tooLarge', { limit: mostBytes / 1024 / 1024 }));
    yield piece;
  }
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** The separator that occurs most often in the heading. */
function delimiterOf(head: Buffer): string {
  const [heading = ''] = head.toString('utf8', 0, headingLength).split(/[\r\n]/);
  const count = (sign: string): number => heading.split(sign).length;
  return [';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}
