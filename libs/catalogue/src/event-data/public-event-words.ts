import { whenText, type Language } from '#kernel';
import type { PublicEventColumns } from '../entities/public-event-columns.js';
import type { PublicEvent } from './public-event.js';

/** What texts say of an event. Facts without a column do not know it. */
type Said = Readonly<Partial<PublicEventColumns>> & Pick<PublicEvent, 'startsAt' | 'endsAt'>;

/** Date and times in one line: `Friday 20 November 2026, 20:30 to 23:00`. Plain text. */
export function eventTimeText(event: Said, language: Language, timeZone: string): string {
  return whenText(event, language, timeZone);
}

/** What calendars and feeds say of an event before its description, each on a line. Plain text. */
export function eventLines({ subtitle }: Said): string[] {
  return [subtitle].filter((line) => typeof line === 'string' && line !== '') as string[];
}
