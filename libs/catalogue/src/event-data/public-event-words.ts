import { timeWords, whenText, type Language } from '#kernel';
import type { Event } from '../entities/event.entity.js';
import type { PublicEventColumns } from '../entities/public-event-columns.js';
import { texts } from '../locales/catalogue.texts.js';

/** When the doors of an event open. Facts without it do not know it. */
export type Doors = Pick<Event, 'startsAt'> & Partial<Pick<Event, 'details'>>;

/** What texts say of an event. Facts without a column do not know it. */
type Said = Readonly<Partial<PublicEventColumns>> & Doors & Pick<Event, 'endsAt'>;

const words = texts.perLanguage('eventFacts', ({ t }) => ({ doors: (time: string) => t('eventFacts.doors', { time }) }));

/** When the doors open; undefined: not known. */
export function doorsOf({ startsAt, details }: Doors): Date | undefined {
  const minutes = details?.doorsMinutesBefore;
  return minutes === undefined ? undefined : new Date(startsAt.getTime() - minutes * 60_000);
}

/** `doors 19:30`; empty when it is not known. Plain text. */
export function doorsText(event: Doors, language: Language, timeZone: string): string {
  const opens = doorsOf(event);
  return opens ? words[language].doors(timeWords(opens, language, timeZone)) : '';
}

/** Date and times in one line: `Friday 20 November 2026, 20:30 to 23:00, doors 19:30`. Plain text. */
export function eventTimeText(event: Said, language: Language, timeZone: string): string {
  return [whenText(event, language, timeZone), doorsText(event, language, timeZone)].filter(Boolean).join(', ');
}

/** What texts say of an event after place and time and before its description, each on a line. Plain text. */
export function eventLines({ subtitle }: Said): string[] {
  return [subtitle].filter((line) => typeof line === 'string' && line !== '') as string[];
}

/** The same for calendars, which have no other place for the opening of the doors. */
export function calendarLines(event: Said, language: Language, timeZone: string): string[] {
  return [doorsText(event, language, timeZone), ...eventLines(event)].filter(Boolean);
}
