import { momentWords, partsInZone, type Language } from '#kernel';

interface Reading {
  readonly now: Date;
  readonly language: Language;
  readonly timeZone: string;
}

/** Day and month, with the year when it is not the present one. */
export function dayInYear(instant: Date, { now, language, timeZone }: Reading): string {
  const isThisYear = partsInZone(instant, timeZone).year === partsInZone(now, timeZone).year;
  return momentWords(instant, language, timeZone, { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) });
}
