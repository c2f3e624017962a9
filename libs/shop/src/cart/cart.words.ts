import { isGoodsAlone, type WholeReservation } from '#tickets';
import type { Language } from '#kernel';
import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of a cart. Plain text, not escaped. */
export const cartWords = texts.perLanguage('cart', ({ words, t }) => ({
  ...words,
  removeWhat: (name: string) => t('cart.removeWhat', { name }),
  changeWhat: (name: string) => t('cart.changeWhat', { name }),
  openWhat: (name: string) => t('cart.openWhat', { name }),
  mails: (email: string) => t('cart.mails', { email }),
  onlineOnly: {
    event: (name: string) => t('cart.onlineOnly.event', { name }),
    membership: (name: string) => t('cart.onlineOnly.membership', { name }),
    other: words.onlineOnly.donation,
  },
  openCard: (name: string) => t('cart.openCard', { name }),
  membersOnly: (name: string) => t('cart.membersOnly', { name }),
  membersAtVenue: (name: string) => t('cart.membersAtVenue', { name }),
  saveText: (facts: { names: string; cost: string; after: string; before: string; saving: string }) => t('cart.saveText', facts),
  saveAtVenue: (facts: { names: string; cost: string; after: string; before: string; saving: string }) => t('cart.saveAtVenue', facts),
  saveJoin: (facts: { names: string; cost: string; after: string; before: string; saving: string }) => t('cart.saveJoin', facts),
  join: (name: string) => t('cart.join', { name }),
  saveOwn: (facts: { after: string; before: string; saving: string }) => t('cart.saveOwn', facts),
  save: (saving: string) => t('cart.save', { saving }),
  atVenue: (before: string) => t('cart.atVenue', { before }),
  byTransfer: (day: string) => t('cart.byTransfer', { day }),
}));

/** The texts that differ for a part of a cart with goods alone. */
export const goodsCartWords = texts.perLanguage('cartGoods', ({ words, t }) => ({
  ...words,
  changeWhat: (name: string) => t('cartGoods.changeWhat', { name }),
  openWhat: (name: string) => t('cartGoods.openWhat', { name }),
  membersOnly: (name: string) => t('cartGoods.membersOnly', { name }),
  membersAtVenue: (name: string) => t('cartGoods.membersAtVenue', { name }),
}));

/** The texts for a part of a cart. */
export function cartWordsFor(language: Language, { tickets }: Pick<WholeReservation, 'tickets'>): CartWords {
  return isGoodsAlone(tickets) ? { ...cartWords[language], ...goodsCartWords[language] } : cartWords[language];
}

export type CartWords = (typeof cartWords)[Language];
