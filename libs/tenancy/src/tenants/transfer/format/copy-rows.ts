import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SecretBox } from '#kernel';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { columnList, storeLongTexts } from './table-catalog.js';
import { TransferError } from './transfer-error.js';
import type { RowStream, StreamSum } from './transfer-format.js';

const newline = 10;
const tab = 9;

/** Complete rows of a stream as COPY text. */
export type RowPart = Buffer;

/**
 * Reads rows as COPY text, in parts of complete rows.
 * @param query SQL of a select with an order
 * @param partBytes a part ends with the first row that reaches this size
 */
export async function* readRows(client: pg.ClientBase, query: string, partBytes: number): AsyncGenerator<RowPart> {
  const rows = client.query(copyTo(`copy (${query}) to stdout with (format text, encoding 'UTF8')`));
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    const end = size + chunk.length < partBytes ? -1 : chunk.lastIndexOf(newline);
    if (end < 0) {
      held.push(chunk);
      size += chunk.length;
      continue;
    }
    yield Buffer.concat([...held, chunk.subarray(0, end + 1)]);
    held = [Buffer.from(chunk.subarray(end + 1))];
    size = chunk.length - end - 1;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** SQLSTATE of a row that does not fit into a page. */
const rowTooBig = '54000';

/**
 * Writes complete rows into a table, in the caller's transaction. An older version accepted longer texts than a page has room for: a table
 * with such a row stores long texts outside of its rows, as it did where the row comes from.
 * @param columns in the order of the rows; undefined: all columns of the table
 */
export async function writeRows(client: pg.ClientBase, table: string, part: RowPart, columns?: readonly string[]): Promise<void> {
  const write = (): Promise<void> => {
    const rows = client.query(
      copyFrom(`copy ${table}${columns ? ` (${columnList(columns)})` : ''} from stdin with (format text, encoding 'UTF8')`),
    );
    return pipeline(Readable.from([part], { objectMode: false }), rows);
  };
  await client.query('savepoint rows');
  try {
    await write();
  } catch (error) {
    if ((error as { code?: string }).code !== rowTooBig) throw error;
    await client.query('rollback to savepoint rows');
    await storeLongTexts(client, table);
    await write();
  }
  await client.query('release savepoint rows');
}

/** Computes the sum of a stream from its parts. */
export class StreamSummer {
  private readonly hash = createHash('sha256');
  private rows = 0;
  private bytes = 0;

  constructor(private readonly name: string) {}

  /** Adds a part. @returns its number of rows */
  add(part: RowPart): number {
    const rows = countRows(part);
    this.hash.update(part);
    this.rows += rows;
    this.bytes += part.length;
    return rows;
  }

  /** Returns the sum. May be called once. */
  sum(): StreamSum {
    return { name: this.name, rows: this.rows, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/** Counts rows. COPY text escapes line feeds in values, so each line feed ends a row. */
export function countRows(part: RowPart): number {
  let count = 0;
  for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Decrypts the values of sealed columns. @throws TransferError when the server secret is another one */
export function openSealed(part: RowPart, stream: RowStream, box: SecretBox): RowPart {
  return mapSealed(part, stream, (value, purpose, column) => {
    try {
      return box.open(value, purpose);
    } catch (error) {
      throw new TransferError(`A value of ${stream.name}.${column} does not open with the server secret.`, {
        cause: error,
      });
    }
  });
}

/** Encrypts the values of sealed columns with the secret of this server. */
export function sealOpened(part: RowPart, stream: RowStream, box: SecretBox): RowPart {
  return mapSealed(part, stream, (value, purpose) => box.seal(value, purpose));
}

type Mapping = (value: Buffer, purpose: string, column: string) => Buffer;

function mapSealed(part: RowPart, { columns, sealed }: RowStream, mapping: Mapping): RowPart {
  if (sealed.length === 0) return part;
  const at = new Map(sealed.map(({ column, purpose }) => [columns.indexOf(column), { column, purpose }]));
  const rows: Buffer[] = [];
  for (const row of split(part, newline)) {
    const cells = split(row, tab);
    for (const [index, { column, purpose }] of at) {
      const cell = cells[index]?.toString('latin1') ?? '';
      // `\N` is null; a bytea is written as `\\x` and hexadecimal digits.
      if (cell.startsWith('\\\\x')) {
        const own = purpose.replaceAll(/\{(\w+)\}/g, (_, name: string) => cells[columns.indexOf(name)]?.toString() ?? '');
        const value = mapping(Buffer.from(cell.slice(3), 'hex'), own, column);
        cells[index] = Buffer.from(`\\\\x${value.toString('hex')}`, 'latin1');
      }
    }
    rows.push(cells.reduce((line, cell, index) => (index === 0 ? cell : Buffer.concat([line, Buffer.of(tab), cell]))));
    rows.push(Buffer.of(newline));
  }
  return Buffer.concat(rows);
}

function split(bytes: Buffer, separator: number): Buffer[] {
  const pieces: Buffer[] = [];
  let begin = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, begin)) {
    pieces.push(bytes.subarray(begin, at));
    begin = at + 1;
  }
  // A row has no tab after its last cell; a part has a line feed after its last row.
  if (separator === tab || begin < bytes.length) pieces.push(bytes.subarray(begin));
  return pieces;
}
