import { dayAndTimeWords, dayWords } from '#kernel';
import { currentPanelRequest } from '#panel-kit';
import { currentTenant } from '#tenancy';
import { texts } from '../locales/panel.texts.js';

/** Texts of the forms about the dates of a series. */
export const seriesWords = texts.perLanguage('series.form', ({ words, t }) => ({
  ...words,
  allDates: (count: number) => t('series.form.allDates', { count }),
  willMake: (count: number, facts: { readonly first: string; readonly last: string; readonly dates: string }) =>
    t('series.form.willMake', { count, ...facts }),
  touches: (count: number) => t('series.form.touches', { count }),
  reserved: (count: number) => t('series.form.reserved', { count }),
  clocksOnly: (clock: string) => t('series.form.clocksOnly', { clock }),
  tell: (count: number) => t('series.form.tell', { count }),
}));

/** Dates that a sentence names. */
const mostNamed = 12;

/** How many dates a form makes, from when to when, and which, as a sentence. @param starts by start, at least one */
export function datesWords(starts: readonly Date[]): string {
  const { language } = currentPanelRequest();
  const { timeZone } = currentTenant();
  const named = starts.slice(0, mostNamed).map((start) => dayAndTimeWords(start, language, timeZone));
  const [first, last] = [starts[0], starts.at(-1)].map((start) => (start ? dayWords(start, language, timeZone) : '')) as [string, string];
  return seriesWords[language].willMake(starts.length, {
    first,
    last,
    dates: [...named, ...(starts.length > mostNamed ? ['…'] : [])].join(' · '),
  });
}

/** How many dates have reservations, as a sentence. */
export function reservedWords(count: number): string {
  const { noReservations, reserved } = seriesWords[currentPanelRequest().language];
  return count === 0 ? noReservations : reserved(count);
}

/** Texts that the same forms for one event have. */
export const singleWords = texts.perLanguage('events.form', ({ words, t }) => ({
  ...words,
  shared: (products: string) => t('events.form.duplicateShared', { products }),
  own: (products: string) => t('events.form.duplicateOwn', { products }),
  cancelReservations: (count: number) => t('events.form.cancelReservations', { count }),
}));

/** The labels of the fields of an event. */
export const eventLabels = texts.perLanguage('events.properties', ({ words }) => words);
