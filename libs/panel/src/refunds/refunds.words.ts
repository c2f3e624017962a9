import { texts } from '../locales/panel.texts.js';

/** States of a refund, for staff. */
export const refundStandings = {
  by_hand: texts.localized('refunds.standings.byHand'),
  trouble: texts.localized('refunds.standings.trouble'),
  online: texts.localized('refunds.standings.online'),
  refunded: texts.localized('refunds.standings.refunded'),
  failed: texts.localized('refunds.standings.failed'),
} as const;

/** Texts of refunds. */
export const words = texts.perLanguage('refunds.words', ({ words }) => words);

/** Texts of the forms that settle refunds. */
export const formWords = texts.perLanguage('refunds.form', ({ words, t }) => ({
  ...words,
  all: (count: number, sum: string) => t('refunds.form.all', { count, sum }),
  settleSome: (count: number, sum: string) => t('refunds.form.settleSome', { count, sum }),
}));
