import { isStatementTimeout, longestSearch, searchWords } from '#kernel';
import type { SearchWord } from '#kernel';
import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { allowed } from '../admin/panel-action.js';
import type { CodeLookUp } from '../resource/panel-content.js';
import { readings } from '../exports/reading-turns.js';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { PanelRow, SearchQuery } from '../resource/panel-source.js';
import { listHref } from '../actions/related.js';
import { kindOf, toHit, type SearchHit } from './search-hit.js';

/** Results of one kind. */
export interface SearchGroup {
  readonly id: string;
  readonly label: string;
  readonly hits: readonly SearchHit[];
  /** URL of the filtered list, when there are more results. */
  readonly all: string | null;
  /** The search of this kind exceeded its time limit. */
  readonly late: boolean;
}

/** The answer of the search. */
export interface SearchAnswer {
  readonly groups: readonly SearchGroup[];
  /** URL that Enter opens: the only result, or the only one that a complete reference names. */
  readonly open: string | null;
  /** The text is a code that this tenant did not sign. */
  readonly forged: boolean;
}

const hitsPerKind = 10;
/** Time limits in milliseconds for one kind, and for all. */
const kindLimit = 1500;
const wholeLimit = 4000;

interface FoundRows {
  readonly entry: PanelEntry;
  readonly rows: readonly PanelRow[];
  readonly late: boolean;
}

async function rowsOf(entry: PanelEntry, query: Omit<SearchQuery, 'columns' | 'limit' | 'ownOnly'>): Promise<FoundRows> {
  const { details, at, state, reference, ownOnly = false } = entry.hit!;
  const title = entry.source.properties.find(({ isTitle }) => isTitle)?.name;
  const columns = [...details, ...[title, at, state, reference?.column].filter((name) => name !== undefined)];
  if (query.milliseconds < 50) return { entry, rows: [], late: true };
  try {
    const rows = await entry.source.search!({ ...query, columns, limit: hitsPerKind + 1, ownOnly });
    return { entry, rows, late: false };
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    return { entry, rows: [], late: true };
  }
}

/** Searches every kind of record that the user may list, until `isOver` (the browser closed the connection). */
async function lookFor(entries: readonly PanelEntry[], words: readonly SearchWord[], isOver: () => boolean): Promise<FoundRows[]> {
  const end = performance.now() + wholeLimit;
  const found: FoundRows[] = [];
  for (const entry of entries) {
    if (isOver()) break;
    if (!entry.hit || !entry.source.search || !allowed(entry, 'list')) continue;
    found.push(await rowsOf(entry, { words, milliseconds: Math.min(kindLimit, end - performance.now()) }));
  }
  // Kinds whose first result matches only through a related record come last.
  const rank = ({ rows }: FoundRows): number => (rows[0]?.['own'] === false ? 1 : 0);
  return found.filter(({ rows, late }) => rows.length > 0 || late).toSorted((one, other) => rank(one) - rank(other));
}

/** The URL of the only result, or of the only one whose identifier begins with the typed reference. */
function onlyOne(groups: readonly SearchGroup[], words: readonly SearchWord[]): string | null {
  const hits = groups.flatMap((group) => group.hits);
  if (groups.some(({ late }) => late)) return null;
  if (hits.length === 1) return hits[0]!.href;
  const [word, ...others] = words;
  if (!word?.isReference || others.length > 0) return null;
  const named = hits.filter(({ id }) => id >= word.ids![0] && id <= word.ids![1]);
  return named.length === 1 ? named[0]!.href : null;
}

async function search(entries: readonly PanelEntry[], sent: string, lookUpCode: CodeLookUp, isOver: () => boolean): Promise<SearchAnswer> {
  const code = await lookUpCode(sent);
  if (code === 'forged') return { groups: [], open: null, forged: true };
  const text = code?.id ?? sent;
  const words = searchWords(text);
  const found = words.length > 0 ? await lookFor(entries, words, isOver) : [];
  const groups = found.map(({ entry, rows, late }): SearchGroup => {
    const hits = rows.slice(0, hitsPerKind).map((row) => toHit(entry, row));
    const all = rows.length > hitsPerKind ? listHref(entry.source.id, { search: text.trim() }) : null;
    const { id } = entry.source;
    return { id, label: kindOf(entry), hits, all, late };
  });
  return { groups, open: onlyOne(groups, words), forged: false };
}

/**
 * The global search: `POST /api/search` with `{text}`. Not GET, so that names, addresses and ticket codes stay out of logs and browser
 * histories.
 */
export function searchRouter(entries: readonly PanelEntry[], lookUpCode: CodeLookUp = async () => undefined): Router {
  const answer = async (request: Request, response: Response): Promise<void> => {
    const text: unknown = (request as { fields?: { text?: unknown } }).fields?.text;
    if (typeof text !== 'string' || text.length > longestSearch) {
      response.status(400).json({ groups: [], open: null, forged: false });
      return;
    }
    response.json(await readings.run(() => search(entries, text, lookUpCode, () => response.destroyed), response));
  };
  const handler: RequestHandler = (request, response, next) => {
    answer(request, response).catch(next);
  };
  const router = Router();
  router.post('/api/search', handler);
  return router;
}
