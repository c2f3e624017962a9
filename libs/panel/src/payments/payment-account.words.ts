import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of the payment account. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('paymentAccount', ({ words }) => words);

/** Texts of the forms. */
export const formWords = texts.perLanguage('paymentAccount.form', ({ words }) => words);
