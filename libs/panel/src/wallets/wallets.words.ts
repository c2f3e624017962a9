import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of the wallets. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('wallets', ({ words }) => words);

/** Texts beside the fields. */
export const formWords = texts.perLanguage('wallets.form', ({ words }) => words);
