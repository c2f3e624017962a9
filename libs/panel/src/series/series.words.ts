import { currentPanelRequest } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of the forms about the dates of a series. */
export const seriesWords = texts.perLanguage('series.form', ({ words, t }) => ({
  ...words,
  allDates: (count: number) => t('series.form.allDates', { count }),
  touches: (count: number) => t('series.form.touches', { count }),
  reserved: (count: number) => t('series.form.reserved', { count }),
  clocksOnly: (clock: string) => t('series.form.clocksOnly', { clock }),
  tell: (count: number) => t('series.form.tell', { count }),
}));

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
