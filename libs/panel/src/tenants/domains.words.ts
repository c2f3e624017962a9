import { texts } from '../locales/panel.texts.js';

/** What the panel says about domains. */
export const domainWords = texts.perLanguage('domains', ({ words }) => words);

/** What the form says that moves a domain. */
export const moveWords = texts.perLanguage('domains.move', ({ words, t }) => ({
  ...words,
  lead: (host: string) => t('domains.move.lead', { host }),
}));
