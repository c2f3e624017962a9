import { dayAndTimeWords, type Language } from '#kernel';
import type { Event } from '../entities/event.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** What differs from the first announcement of an event. Facts without it take place as announced. */
export type Altered = Partial<Pick<Event, 'alteration' | 'previousStartsAt'>>;

const words = texts.perLanguage('alteration', ({ words: own, t }) => ({
  short: { rescheduled: own.rescheduled, postponed: own.postponed, moved_online: own.movedOnline },
  ...own,
  newDateOf: (date: string) => t('alteration.newDateOf', { date }),
  title: (state: string, name: string) => t('alteration.title', { state, name }),
}));

/** `Postponed`, `New date`; empty for an event that takes place as announced. Plain text. */
export function alterationLabel({ alteration }: Altered, language: Language): string {
  return alteration ? words[language].short[alteration] : '';
}

/** What the alteration means to a guest, in sentences; empty for an event that takes place as announced. Plain text. */
export function alterationWords({ alteration, previousStartsAt }: Altered, language: Language, timeZone: string): string {
  const { noDate, newDate, newDateOf, online } = words[language];
  if (!alteration) return '';
  if (alteration === 'postponed') return noDate;
  const moved = previousStartsAt ? newDateOf(dayAndTimeWords(previousStartsAt, language, timeZone)) : newDate;
  if (alteration === 'rescheduled') return moved;
  return previousStartsAt ? `${online} ${moved}` : online;
}

/** `Postponed: Summer ball`; the name alone of an event that takes place as announced. */
export function alteredTitle(name: string, event: Altered, language: Language): string {
  const label = alterationLabel(event, language);
  return label ? words[language].title(label, name) : name;
}
