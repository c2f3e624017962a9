import { isUuid, momentWords, type Language } from '#kernel';
import { euros, panelWords, type ResourceWords } from '#panel-kit';
import { isPreset, presetWords } from '#tenancy';
import { isReference, type ChangeNames } from './change-names.js';
import { scopeWords, type ChangeWords } from './changes.words.js';

/** Longest text of a value in a sentence. */
const longest = 80;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** What a sentence is written with. */
export interface Writing {
  readonly language: Language;
  readonly timeZone: string;
  readonly words: ChangeWords;
  /** The words of the panel's resource for a table; undefined: it has none. */
  readonly resourceOf: (object: string) => ResourceWords | undefined;
  readonly names: ChangeNames;
}

/** Whether a column names a picture, of which people read only that it changed. */
export const isPicture = (column: string): boolean => /(^|_)image_id$/.test(column);

/** The property of a column; that of `logo_image_id` is `logo`. */
function propertyOf(column: string): string {
  const name = isPicture(column) ? column.replace(/_?image_id$/, '') || 'image' : column;
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The label of a column, as the panel's forms name it, without the unit. */
export function fieldName(object: string, column: string, { words, resourceOf }: Writing): string {
  const picture = isPicture(column) ? words.names['gallery_picture'] : undefined;
  const label = resourceOf(object)?.properties?.[propertyOf(column)] ?? picture;
  return (
    label?.replace(/ \([^()]*\)$/, '') ?? words.columns[column.startsWith('sealed') ? 'sealed' : column] ?? column.replaceAll('_', ' ')
  );
}

/** Rights as people read them: role and scope. An own role is kept by its id, which says nothing. */
const rightTexts: Readonly<Record<string, (value: string, writing: Writing) => string>> = {
  role: (value, { language }) => (isPreset(value) ? presetWords[language][value].label : isUuid(value) ? '' : value),
  scope: (value, { language }) => scopeWords[language][value] ?? value,
};

/** A value as people read it; empty for nothing. */
export function valueText(object: string, column: string, value: unknown, writing: Writing): string {
  if (value === null || value === undefined || value === '') return '';
  const label = writing.resourceOf(object)?.values?.[propertyOf(column)]?.[String(value)];
  if (label) return label;
  if (object === 'tenant' && column in rightTexts) return rightTexts[column]!(String(value), writing);
  if (isReference(column)) return writing.names.records.get(String(value)) ?? '…';
  if (Array.isArray(value)) return shortened(value.join(', '));
  if (typeof value === 'boolean') return panelWords(writing.language).labels[value ? 'yes' : 'no'];
  if (column === 'amount') return euros(String(value), writing.language);
  if (typeof value === 'string' && instant.test(value)) return momentText(value, writing);
  return shortened(typeof value === 'object' ? '…' : String(value).replaceAll(/<[^>]*>/g, ' '));
}

/** `24 Nov 2026, 14:02` in the language and time zone of the venue. */
function momentText(value: string, { language, timeZone }: Writing): string {
  return momentWords(new Date(value), language, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
