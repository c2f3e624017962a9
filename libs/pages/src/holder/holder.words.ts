import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Texts of the holder's pages. Plain text, not escaped. */
export interface HolderWords {
  reservation: string;
  membership: string;
  reference: string;
  tickets: string;
  total: string;
  pay: string;
  /** @param mailed whether the tickets are also sent by mail */
  payUntil: (time: string, mailed: boolean) => string;
  confirm: string;
  confirmHint: (time: string, mailed: boolean) => string;
  confirmed: string;
  /** When they are also sent by mail. */
  confirmedMailed: string;
  cancelled: string;
  lapsed: string;
  lapsedUnpaid: string;
  atTheVenue: (time: string) => string;
  showAtDoor: string;
  showAtCounter: string;
  handedOut: string;
  scanned: string;
  ticketCancelled: string;
  download: string;
  downloadCard: string;
  validFrom: string;
  validUntil: string;
  noEnd: string;
  /** A bank debit was ordered and is not settled yet. */
  processing: string;
  waiting: string;
  ended: string;
}

export const holderWords: Readonly<Record<Language, HolderWords>> = texts.perLanguage('holder', ({ words, t }) => ({
  ...words,
  payUntil: (time, mailed) => t(mailed ? 'holder.payUntilMailed' : 'holder.payUntil', { time }),
  confirmHint: (time, mailed) => t(mailed ? 'holder.confirmHintMailed' : 'holder.confirmHint', { time }),
  atTheVenue: (time) => t('holder.atTheVenue', { time }),
}));
