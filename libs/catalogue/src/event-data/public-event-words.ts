import { localeOf, timeWords, whenText, type Language } from '#kernel';
import type { Event } from '../entities/event.entity.js';
import type { PublicEventColumns } from '../entities/public-event-columns.js';
import { texts } from '../locales/catalogue.texts.js';

/** When the doors of an event open. Facts without it do not know it. */
export type Doors = Readonly<Partial<Pick<PublicEventColumns, 'doorsAt'>>>;

/** What texts say of an event. Facts without a column do not know it. */
type Said = Readonly<Partial<PublicEventColumns>> & Pick<Event, 'startsAt' | 'endsAt'>;

const words = texts.perLanguage('eventFacts', ({ words: own, t }) => ({
  ...own,
  doors: (time: string) => t('eventFacts.doors', { time }),
}));

/** `doors 19:30`; empty when it is not known. Plain text. */
export function doorsText({ doorsAt }: Doors, language: Language, timeZone: string): string {
  return doorsAt ? words[language].doors(timeWords(doorsAt, language, timeZone)) : '';
}

/** Date and times in one line: `Friday 20 November 2026, 20:30 to 23:00, doors 19:30`. Plain text. */
export function eventTimeText(event: Said, language: Language, timeZone: string): string {
  return [whenText(event, language, timeZone), doorsText(event, language, timeZone)].filter(Boolean).join(', ');
}

/** `45 minutes`, `1 hour`, `2 hours 45 minutes`. */
function lengthText(minutes: number, language: Language): string {
  const unit = (count: number, name: 'hour' | 'minute'): string =>
    new Intl.NumberFormat(localeOf(language), { style: 'unit', unit: name, unitDisplay: 'long' }).format(count);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && unit(hours, 'hour'), rest > 0 && unit(rest, 'minute')].filter(Boolean).join(' ');
}

/** The practical facts that are known of an event, with their labels. Plain text. */
export function practicalFacts(
  event: Readonly<Partial<PublicEventColumns>>,
  language: Language,
): (readonly [label: string, fact: string])[] {
  const { length, age, access } = words[language];
  const { durationMinutes, ageRange } = event;
  const facts = [
    [length, durationMinutes ? lengthText(durationMinutes, language) : ''],
    [age, ageRange ?? ''],
    [access, event.access ?? ''],
  ] as const;
  return facts.filter(([, fact]) => fact !== '');
}

/** What texts say of an event after place and time and before its description, each on a line. Plain text. */
export function eventLines(event: Said, language: Language): string[] {
  const facts = practicalFacts(event, language).map(([label, fact]) => `${label}: ${fact}`);
  return [event.subtitle ?? '', ...facts].filter(Boolean);
}

/** The same for calendars, which have no other place for the opening of the doors. */
export function calendarLines(event: Said, language: Language, timeZone: string): string[] {
  return [doorsText(event, language, timeZone), ...eventLines(event, language)].filter(Boolean);
}
