import { parentPort, workerData } from 'node:worker_threads';
import { stringify } from 'csv-stringify/sync';
import writeXlsxFile, { type Cell, type Row } from 'write-excel-file/node';
import { cellText, csvText, wallClock } from '../resource/export-cells.js';
import type { ExportType, ExportValue } from '../resource/export-cells.js';
import type { ExportTable } from './export-file.js';

const widths: Readonly<Record<ExportType, number>> = { text: 28, word: 20, number: 10, money: 12, datetime: 18 };

/** The decimal sign of a language. */
function decimalSign(locale: string): string {
  const sign = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal');
  return sign?.value ?? '.';
}

/** Excel of a French or German computer reads a comma as the decimal sign and expects semicolons between cells. */
function toCsv({ locale, timeZone, columns, rows }: ExportTable): Buffer {
  const local = wallClock(timeZone);
  const sign = decimalSign(locale);
  const cell = (value: ExportValue, type: ExportType): string => {
    if (value === null) return '';
    if (type === 'number' || type === 'money') return String(value).replace('.', sign);
    if (type === 'datetime') return local(String(value))?.toISOString().slice(0, 16).replace('T', ' ') ?? '';
    return csvText(String(value));
  };
  const lines = rows.map((row) => columns.map(({ type }, index) => cell(row[index] ?? null, type)));
  const text = stringify([columns.map(({ label }) => csvText(label)), ...lines], {
    bom: true,
    // Some programs also treat a single line feed as the end of a row.
    quoted_match: /[\r\n]/,
    delimiter: sign === ',' ? ';' : ',',
    record_delimiter: 'windows',
  });
  return Buffer.from(text);
}

function toXlsx({ title, dateFormat, timeZone, columns, rows }: ExportTable): Promise<Buffer> {
  const local = wallClock(timeZone);
  const cell = (value: ExportValue, type: ExportType): Cell => {
    if (value === null || value === '') return null;
    if (type === 'number') return { value: Number(value), type: Number };
    // For display only; amounts are stored and summed as text elsewhere.
    if (type === 'money') return { value: Number(value), type: Number, format: '#,##0.00' };
    const date = type === 'datetime' ? local(String(value)) : null;
    if (date) return { value: date, type: Date, format: dateFormat };
    // The type of the cell says that it is no formula.
    return { value: cellText(String(value)), type: String };
  };
  const head: Row = columns.map(({ label }) => ({ value: cellText(label), type: String, fontWeight: 'bold' }));
  const lines = rows.map((row): Row => columns.map(({ type }, index) => cell(row[index] ?? null, type)));
  const sheet = title.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, 31);
  const options = { sheet, stickyRowsCount: 1, columns: columns.map(({ type }) => ({ width: widths[type] })) };
  return writeXlsxFile([head, ...lines], options).toBuffer();
}

const table = workerData as ExportTable;
const file = table.format === 'csv' ? toCsv(table) : await toXlsx(table);
parentPort?.postMessage(file); // oxlint-disable-line unicorn/require-post-message-target-origin -- of a thread, not of a window
