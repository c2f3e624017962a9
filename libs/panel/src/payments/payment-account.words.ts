import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** What the panel says of the payment account. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('paymentAccount', ({ words }) => words);

/** What stands around the keys' fields. */
export const formWords = texts.perLanguage('paymentAccount.form', ({ words }) => words);
