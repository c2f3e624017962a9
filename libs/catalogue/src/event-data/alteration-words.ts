import { dateOf, dayAndTimeWords, isoInZone, type Language } from '#kernel';
import type { Event } from '../entities/event.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** What differs from the first announcement of an event. Facts without it take place as announced. */
export type Altered = Partial<Pick<Event, 'alteration' | 'previousStartsAt' | 'startsAt'>>;

/** When an event is. */
type When = Pick<Event, 'startsAt'> & Partial<Pick<Event, 'endsAt' | 'doorsAt'>>;

const words = texts.perLanguage('alteration', ({ words: own, t }) => ({
  short: { rescheduled: own.rescheduled, postponed: own.postponed, moved_online: own.movedOnline },
  ...own,
  changed: (state: string) => t('alteration.changed', { state }),
  changedFrom: (state: string, date: string) => t('alteration.changedFrom', { state, date }),
  title: (state: string, name: string) => t('alteration.title', { state, name }),
}));

/** Whether the day, the time of day, or both of an event are others than before, on the clocks of the venue. */
export function changedTimes(before: When, now: When, timeZone: string): ('date' | 'time')[] {
  const day = ({ startsAt }: When): string => dateOf(startsAt, timeZone);
  const clock = (instant: Date | null | undefined): string => (instant ? isoInZone(instant, timeZone).slice(11, 16) : '');
  const clocks = ({ startsAt, endsAt, doorsAt }: When): string => [startsAt, endsAt, doorsAt].map(clock).join();
  const isOtherTime = clocks(before) !== clocks(now);
  // An end that moves by whole days.
  const isLonger = !isOtherTime && before.endsAt?.getTime() !== now.endsAt?.getTime();
  return [...(day(before) !== day(now) || isLonger ? ['date' as const] : []), ...(isOtherTime ? ['time' as const] : [])];
}

/** `Postponed`, `New date`, `New time`; empty for an event that takes place as announced. Plain text. */
export function alterationLabel({ alteration, previousStartsAt, startsAt }: Altered, language: Language, timeZone: string): string {
  if (!alteration) return '';
  const { short, newTime } = words[language];
  const isSameDay = previousStartsAt && startsAt && !changedTimes({ startsAt: previousStartsAt }, { startsAt }, timeZone).includes('date');
  return alteration === 'rescheduled' && isSameDay ? newTime : short[alteration];
}

/** How a page of another site names the alterations, which it knows by the status of an event. */
export const alterationStates = (language: Language) => ({ ...words[language].short, newTime: words[language].newTime });

/** What the alteration means to a guest, in sentences; empty for an event that takes place as announced. Plain text. */
export function alterationWords(event: Altered, language: Language, timeZone: string): string {
  const { alteration, previousStartsAt } = event;
  const { noDate, changed, changedFrom, online } = words[language];
  if (!alteration) return '';
  if (alteration === 'postponed') return noDate;
  const state = alterationLabel({ ...event, alteration: 'rescheduled' }, language, timeZone);
  const moved = previousStartsAt ? changedFrom(state, dayAndTimeWords(previousStartsAt, language, timeZone)) : changed(state);
  if (alteration === 'rescheduled') return moved;
  return previousStartsAt ? `${online} ${moved}` : online;
}

/** Tells people who have tickets already that these stay valid; empty when that is said, or nothing has changed. Plain text. */
export function stillValidWords({ alteration }: Altered, language: Language): string {
  return alteration && alteration !== 'postponed' ? words[language].stillValid : '';
}

/** `Postponed: Summer ball`; the name alone of an event that takes place as announced. */
export function alteredTitle(name: string, event: Altered, language: Language, timeZone: string): string {
  const label = alterationLabel(event, language, timeZone);
  return label ? words[language].title(label, name) : name;
}
