import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of requests for places. */
export const placeRequestWords: Record<Language, ResourceWords> = texts.perLanguage('placeRequests', ({ words }) => words);

/** Texts of the forms with which operators decide. */
export const decisionWords = texts.perLanguage('placeRequests.decide', ({ words, t, tree }) => ({
  ...words,
  approveLead: (name: string, host: string) => t('placeRequests.decide.approveLead', { name, host }),
  approveFacts: (email: string) => tree(words.approveFacts, { email }),
  refuseLead: (name: string) => t('placeRequests.decide.refuseLead', { name }),
  refuseFacts: (email: string) => tree(words.refuseFacts, { email }),
}));
