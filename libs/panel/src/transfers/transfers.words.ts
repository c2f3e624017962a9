import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of the lists about bank transfers. */
export const entryWords = texts.perLanguage('bankEntries', ({ words }) => words);
export const transferListWords = texts.perLanguage('bankTransfers', ({ words }) => words);
export const customerWords = texts.perLanguage('customers', ({ words }) => words);
export const orderListWords = texts.perLanguage('refundOrders', ({ words }) => words);

/** The texts of a list that leads to the bank account for transfers, too. */
export function withAccountWords(words: ResourceWords, language: Language): ResourceWords {
  const { transferAccount } = entryWords[language].actions;
  const { accountSaved } = entryWords[language].messages;
  return { ...words, actions: { ...words.actions, transferAccount }, messages: { ...words.messages, accountSaved } };
}

/** Texts of the forms about them. */
export const transferForms = texts.perLanguage('transferForms', ({ words, t }) => ({
  ...words,
  entries: (count: number) => t('transferForms.counted.entries', { count }),
  added: (count: number) => t('transferForms.counted.added', { count }),
  due: (count: number, amount: string) => t('transferForms.counted.due', { count, amount }),
  withoutAccount: (count: number) => t('transferForms.counted.withoutAccount', { count }),
}));
