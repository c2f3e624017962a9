import type { PanelEntry } from '../resource/panel-entry.js';
import { currentPanelRequest } from '../request/panel-request.js';
import type { PanelRow, PanelTone, PanelValue } from '../resource/panel-source.js';
import { panelWords } from '../words/panel-words.js';
import { euros, recordHref } from '../actions/related.js';

/** One record that was found, with texts in the user's language. */
export interface SearchHit {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  /** Details that distinguish it from records with the same title. */
  readonly details: readonly string[];
  /** ISO 8601. */
  readonly at?: string;
  readonly badge?: { readonly text: string; readonly tone: PanelTone };
}

const textOf = (value: PanelValue | undefined): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** A value as lists show it: formatted amounts, labels of enumerations. */
function shown(entry: PanelEntry, name: string, value: PanelValue | undefined): string {
  const { language } = currentPanelRequest();
  const property = entry.source.properties.find((candidate) => candidate.name === name);
  if (property?.type === 'decimal' && typeof value === 'string') return euros(value, language);
  return entry.words[language].values?.[name]?.[textOf(value)] ?? textOf(value);
}

function badgeOf(entry: PanelEntry, name: string, value: PanelValue | undefined): SearchHit['badge'] {
  const { language } = currentPanelRequest();
  if (typeof value === 'boolean') {
    const { no } = panelWords(language).labels;
    return value ? undefined : { text: `${entry.words[language].properties?.[name] ?? name}: ${no}`, tone: 'quiet' };
  }
  const property = entry.source.properties.find((candidate) => candidate.name === name);
  const text = shown(entry, name, value);
  return text ? { text, tone: property?.tones?.[textOf(value)] ?? 'quiet' } : undefined;
}

/** The kind of a record as a heading. */
export const kindOf = (entry: PanelEntry): string => entry.words[currentPanelRequest().language].plural;

/** Converts a row to a search result. */
export function toHit(entry: PanelEntry, row: PanelRow): SearchHit {
  const { details, at, state, reference } = entry.hit!;
  const { properties, id: resource } = entry.source;
  const idName = properties.find(({ isId }) => isId)!.name;
  const titleName = properties.find(({ isTitle }) => isTitle)?.name ?? idName;
  const id = textOf(row[idName]);
  const title = textOf(row[titleName]) || id;
  const printed = reference?.printed(textOf(row[reference.column])) ?? '';
  const texts = [...details.map((name) => shown(entry, name, row[name])), printed];
  const when = at === undefined ? null : row[at];
  const badge = state === undefined ? undefined : badgeOf(entry, state, row[state]);
  return {
    id,
    href: recordHref(resource, id),
    title,
    details: [...new Set(texts)].filter((text) => text !== '' && text !== title),
    ...(typeof when === 'string' && { at: when }),
    ...(badge && { badge }),
  };
}
