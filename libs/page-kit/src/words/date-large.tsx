import { capitalized, isOneEvening, isoInZone, momentWords, partsInZone, type Language, type Times } from '#kernel';
import type { VNode } from 'preact';

interface LargeDateProps {
  readonly startsAt: Date;
  readonly now: Date;
  readonly language: Language;
  readonly timeZone: string;
}

/** The day of an event set large, with weekday, month and, when it is not the present one, the year. */
export function LargeDate({ startsAt, now, language, timeZone }: LargeDateProps): VNode {
  const { year, day } = partsInZone(startsAt, timeZone);
  const word = (options: Intl.DateTimeFormatOptions): string => momentWords(startsAt, language, timeZone, options);
  const isThisYear = year === partsInZone(now, timeZone).year;
  return (
    <time class="date date-large" datetime={isoInZone(startsAt, timeZone).slice(0, 10)}>
      <b>{Number(day)}</b> <span>{capitalized(word({ weekday: 'long' }))}</span>{' '}
      <span>{word(isThisYear ? { month: 'long' } : { month: 'long', year: 'numeric' })}</span>
    </time>
  );
}

/** Whether the large date and the times say everything about when an event is. */
export function fitsLargeDate(event: Times & { readonly alteration: string | null }, timeZone: string): boolean {
  return event.alteration === null && isOneEvening(event, timeZone);
}
