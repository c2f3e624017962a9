import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Texts of the field for a code. Plain text. */
interface CodeWords {
  /** Opens the field. */
  have: string;
  field: string;
  hint: string;
  apply: string;
  /** A code applies. @param code as it is written */
  applies: (code: string) => string;
  opens: string;
  /** @param amount with its currency */
  saves: (amount: string) => string;
  /** In an order. @param amount saved, with its currency */
  saved: (code: string, amount: string) => string;
  /** In an order. @param name of a discount without a code @param amount saved, with its currency */
  discount: (name: string, amount: string) => string;
  /** Beside a price. @param amount without the code */
  instead: (amount: string) => string;
}

export const codeWords: Readonly<Record<Language, CodeWords>> = texts.perLanguage('code', ({ words, t }) => ({
  ...words,
  applies: (code) => t('code.applies', { code }),
  saves: (amount) => t('code.saves', { amount }),
  saved: (code, amount) => t('code.saved', { code, amount }),
  discount: (name, amount) => t('code.discount', { name, amount }),
  instead: (amount) => t('code.instead', { amount }),
}));
