import { databaseNow, localeOf, type Text } from '#kernel';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { allowed } from '../admin/panel-action.js';
import type { PanelEntry } from '../resource/panel-entry.js';
import { toPanelFilter } from '../resource/panel-filter.js';
import type { RawFilter } from '../resource/panel-filter.js';
import { currentPanelRequest } from '../request/panel-request.js';
import type { PanelRow, PanelSort } from '../resource/panel-source.js';
import { isSortable } from '../resource/panel-values.js';
import { panelWords } from '../words/panel-words.js';
import type { ExportValue } from '../resource/export-cells.js';
import { isHidden } from '../rights/hidden-values.js';
import { currentGrant } from '../rights/may.js';
import { demandProof } from '../rights/proofs.js';
import { readings } from './reading-turns.js';
import { inTurn, writeExport } from './export-file.js';
import type { ExportFormat } from './export-file.js';
import { texts } from '../locales/panel-kit.texts.js';

/** Maximum number of rows of an export; bounds the memory of a process. */
export const mostRows = 50_000;

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const tooMany: Text = texts.localized('exports.tooMany', { mostRows });

/** The filter in a list's query string, as AdminJS reads it: `filters.name`, `filters.createdAt~~from`. */
export function listFilter(query: Request['query']): RawFilter {
  const filters: Record<string, { path: string; value: unknown }> = {};
  for (const [key, value] of Object.entries(query)) {
    const [, path, bound] = /^filters\.(\w+)(?:~~(from|to))?$/.exec(key) ?? [];
    if (!path || Object.hasOwn(Object.prototype, path)) continue;
    const before: unknown = filters[path]?.value;
    const between = typeof before === 'object' && before !== null ? before : {};
    filters[path] = { path, value: bound ? { ...between, [bound]: value } : value };
  }
  return { filters };
}

function listSort({ source, sort }: PanelEntry, { sortBy, direction }: Request['query']): PanelSort | null {
  const property = source.properties.find(({ name }) => name === sortBy);
  if (!property || !isSortable(property)) return sort ?? null;
  return { by: property.name, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/** The rows of a list, filtered and sorted as the query string says; at most `most + 1`, so that the caller sees when there are more. */
export async function rowsOf(entry: PanelEntry, query: Request['query'], most = mostRows): Promise<PanelRow[]> {
  const filter = toPanelFilter(entry.source.properties, listFilter(query));
  if (!filter) return [];
  // One statement reads one snapshot; with pages, rows that move meanwhile would appear twice.
  return entry.source.find({ filter, sort: listSort(entry, query), limit: most + 1, offset: 0 });
}

/** The list as a file; undefined when it has more than `mostRows` rows. */
async function fileOf(entry: PanelEntry, format: ExportFormat, query: Request['query']): Promise<Buffer | undefined> {
  const { language, timeZone } = currentPanelRequest();
  const { plural, properties = {}, values = {} } = entry.words[language];
  const { labels } = panelWords(language);
  const columns = (entry.exports ?? []).filter(({ name }) => !isHidden(entry, name, currentGrant()));
  const rows = await rowsOf(entry, query);
  if (rows.length > mostRows) return undefined;
  const valueOf = (row: PanelRow, { name, type }: (typeof columns)[number]): ExportValue => {
    const value = (row[name] ?? null) as ExportValue;
    if (type !== 'word' || value === null) return value;
    const word = typeof value === 'boolean' ? labels[value ? 'yes' : 'no'] : value;
    return values[name]?.[String(value)] ?? word;
  };
  const extra = await entry.extraExports?.(rows);
  return writeExport({
    format,
    locale: localeOf(language),
    dateFormat: texts.translate(language, 'exportFile.dateFormat'),
    timeZone,
    title: plural,
    columns: [...columns.map(({ name, type }) => ({ label: properties[name] ?? name, type })), ...(extra?.columns ?? [])],
    rows: rows.map((row) => [...columns.map((column) => valueOf(row, column)), ...(extra?.cells(row) ?? [])]),
  });
}

function fileName(entry: PanelEntry, format: ExportFormat): string {
  const { timeZone } = currentPanelRequest();
  return `${entry.source.id}-${new Intl.DateTimeFormat('sv-SE', { timeZone }).format(databaseNow())}.${format}`;
}

/** Sends a list as a file. @returns false when there is no such export */
async function send(entries: readonly PanelEntry[], { params, query }: Request, response: Response): Promise<boolean> {
  const { id, format } = params as { id: string; format: string };
  const entry = entries.find(({ source, exports }) => source.id === id && exports);
  if (!entry || (format !== 'csv' && format !== 'xlsx') || !allowed(entry, 'exports')) return false;
  await demandProof(entry, 'exports');
  const file = await inTurn.run(() => fileOf(entry, format, query), response);
  if (file) response.attachment(fileName(entry, format)).type(types[format]).send(file);
  else response.status(413).type('text/plain; charset=utf-8').send(tooMany[currentPanelRequest().language]);
  return true;
}

/** Sends the sum of a filtered list. @returns false when the list has no sum */
async function sendSum(entries: readonly PanelEntry[], { params, query }: Request, response: Response): Promise<boolean> {
  const entry = entries.find(({ source }) => source.id === params['id']);
  if (!entry?.source.sum || !allowed(entry, 'sums')) return false;
  const filter = toPanelFilter(entry.source.properties, listFilter(query));
  const { source } = entry;
  const read = async () => ({ sum: await source.sum!(filter!), parts: (await source.sumParts?.(filter!)) ?? [] });
  response.json(filter ? await readings.run(read, response) : { sum: '0.00', parts: [] });
  return true;
}

/** Sends the values that a form suggests for a property. @returns false when it suggests none */
async function sendSuggested(entries: readonly PanelEntry[], { params }: Request, response: Response): Promise<boolean> {
  const entry = entries.find(({ source }) => source.id === params['id']);
  const suggest = entry?.source.properties.find(({ name }) => name === params['property'])?.suggest;
  if (!entry || !suggest || !allowed(entry, 'list')) return false;
  response.json({ values: await suggest() });
  return true;
}

/** Exports of lists (CSV, XLSX) and their sums, with the filter and order of the list. */
export function exportsRouter(entries: readonly PanelEntry[]): Router {
  const router = Router();
  router.get('/exports/:id.:format', (request: Request, response: Response, next) => {
    send(entries, request, response).then((sent) => sent || next('router'), next);
  });
  router.get('/sums/:id', (request: Request, response: Response, next) => {
    sendSum(entries, request, response).then((sent) => sent || next('router'), next);
  });
  router.get('/suggested/:id/:property', (request: Request, response: Response, next) => {
    sendSuggested(entries, request, response).then((sent) => sent || next('router'), next);
  });
  return router;
}
