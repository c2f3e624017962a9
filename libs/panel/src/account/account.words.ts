import type { WrongGuess } from '#tenancy';
import { texts } from '../locales/panel.texts.js';

/** Texts of *My account*. */
export const ownAccountWords = texts.perLanguage('account', ({ words, t }) => ({
  ...words,
  passwordHint: (least: number) => t('account.passwordHint', { least }),
  codesLeft: (count: number) => t('account.codesLeft', { count }),
  resetAsked: (at: string) => t('account.resetAsked', { at }),
  since: (at: string) => t('account.since', { at }),
  seen: (at: string) => t('account.seen', { at }),
  added: (at: string) => t('account.added', { at }),
  changeNamed: (name: string) => t('account.changeNamed', { name }),
  addHow: (host: string) => t('account.addHow', { host }),
  worksAt: (host: string) => t('account.worksAt', { host }),
  network: (at: string) => t('account.network', { at }),
  endNamed: (browser: string) => t('account.endNamed', { browser }),
  /** Why a password or code was refused. */
  refused: ({ retryAfterSeconds }: WrongGuess, wrong: string) =>
    retryAfterSeconds > 0 ? t('account.locked', { minutes: Math.ceil(retryAfterSeconds / 60) }) : wrong,
}));
