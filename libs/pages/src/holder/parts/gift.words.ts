import { isGoodsAlone } from '#tickets';
import type { Language } from '#kernel';
import { texts } from '../../locales/pages.texts.js';

/** Texts of the pages on which a ticket is offered and accepted. */
const giftWords = texts.perLanguage('gift', ({ words, t }) => ({
  ...words,
  to: (name: string) => t('gift.to', { name }),
  from: (giver: string) => t('gift.from', { giver }),
  pending: (name: string) => t('gift.pending', { name }),
  pass: (name: string) => t('gift.pass', { name }),
  sent: (time: string) => t('gift.sent', { time }),
  offered: (giver: string) => t('gift.offered', { giver }),
  until: (giver: string) => t('gift.until', { giver }),
}));

export type GiftWords = (typeof giftWords)[Language];

/** The texts that differ for goods. */
const goodsGiftWords = texts.perLanguage('giftGoods', ({ words, t }) => ({
  ...words,
  offered: (giver: string) => t('giftGoods.offered', { giver }),
}));

/** The texts about a ticket, which may be goods. */
export function giftWordsFor(language: Language, ticket: { readonly admission: boolean }): GiftWords {
  return isGoodsAlone([ticket]) ? { ...giftWords[language], ...goodsGiftWords[language] } : giftWords[language];
}
