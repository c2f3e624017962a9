import { texts } from '../locales/panel.texts.js';

/** Texts of domains. */
export const domainWords = texts.perLanguage('domains', ({ words }) => words);

/** Texts of the form that moves a domain. */
export const moveWords = texts.perLanguage('domains.move', ({ words, t }) => ({
  ...words,
  lead: (host: string) => t('domains.move.lead', { host }),
}));
