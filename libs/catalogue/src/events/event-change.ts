import { isDeepStrictEqual } from 'node:util';
import type { PlaceOfEvent } from '../addresses/event-places.js';
import { refuseUnfitTexts } from '#kernel';
import { eventHtmlTexts, eventTexts, type Event } from '../entities/event.entity.js';
import type { Pictures } from '../images/pictures.js';
import { cleanHtml, plainText } from '../values/event-text.js';
import { tagKey } from './event-words.js';
import { optionNames, type WholeEvent } from '../event-data/whole-event.js';

/** Related values of an event, each as a list of names. */
export interface EventWords {
  readonly keywords: readonly string[];
  readonly radioOptions: readonly string[];
  readonly checkboxOptions: readonly string[];
}
type Columns = Omit<
  Event,
  | 'id'
  | 'slug'
  | 'booked'
  | 'sequence'
  | 'saleVersion'
  | 'createdAt'
  | 'updatedAt'
  | 'postalAddress'
  | 'superEvent'
  | 'image'
  | 'stickerImage'
>;
/** The part of a change that is stored in tables. */
export type StoredChange = Partial<Columns & EventWords>;
/** A change; a `place` is found among the addresses, or becomes one. */
export type EventChange = StoredChange & Pictures & { readonly place?: PlaceOfEvent };
export type NewEvent = Pick<Event, 'name' | 'startsAt'> & EventChange;

/**
 * Input is sanitised once, when it is stored, so that no stored text contains scripts (docs/decisions.md, section 9). Lengths are checked
 * first, because sanitising takes time.
 * @throws RefusedInput on a text that is too long or invalid
 */
export function cleaned<Change extends EventChange>(change: Change): Change {
  refuseUnfitTexts(change, eventTexts);
  const texts = Object.keys(eventTexts)
    .filter((name) => name in change)
    .map((name) => [name, cleanedText(name, change[name as keyof EventChange])]);
  return { ...change, ...Object.fromEntries(texts) };
}

/** A column's text, or the names of a list. An empty text is null. */
function cleanedText(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return (value as string[]).map(plainText).filter(Boolean);
  if (typeof value !== 'string') return value;
  return (eventHtmlTexts.has(name) ? cleanHtml(value) : plainText(value)) || null;
}

/** Fields that actually changed; images are compared by their ids. */
export function differences(current: WholeEvent, wanted: StoredChange): StoredChange {
  const stored = {
    ...current,
    radioOptions: optionNames(current, 'radio'),
    checkboxOptions: optionNames(current, 'checkbox'),
  };
  const entries = Object.entries(wanted) as [keyof StoredChange, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && !isDeepStrictEqual(comparable(name, stored[name]), comparable(name, value))),
  );
}

function comparable(name: keyof StoredChange, value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (name === 'keywords') return JSON.stringify([...new Set((value as string[]).map(tagKey))].toSorted());
  return Array.isArray(value) ? JSON.stringify([...new Set(value)]) : (value ?? null);
}
