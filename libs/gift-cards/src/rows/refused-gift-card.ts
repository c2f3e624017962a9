import { currentLanguage, RefusedInput, toCents } from '#kernel';
import { mostGiftCards } from '#orders';
import { texts } from '../locales/gift-cards.texts.js';
import type { ValuedGiftCard } from './card-rows.js';

/** Why a card cannot pay. */
const refusals = {
  unknown: texts.localized('redemption.unknown'),
  tries: texts.localized('redemption.tries'),
  tooMany: texts.localized('redemption.tooMany', { most: mostGiftCards }),
  ended: texts.localized('redemption.ended'),
  empty: texts.localized('redemption.empty'),
  expired: texts.localized('redemption.expired'),
  blocked: texts.localized('redemption.blocked'),
  replaced: texts.localized('redemption.replaced'),
  withdrawn: texts.localized('redemption.withdrawn'),
  left: texts.localized('redemption.left'),
  silent: texts.localized('redemption.silent'),
} as const;
export type GiftCardRefusal = keyof typeof refusals;

/** A gift card that cannot pay (any more), or a code that no card has. Its field is `giftCard`. */
export class RefusedGiftCard extends RefusedInput {
  override readonly code: string = 'gift_card';

  constructor(readonly reason: GiftCardRefusal) {
    super('giftCard', refusals[reason]);
  }
}

/** @throws RefusedGiftCard */
export function refuseUnusable({ state, balance }: Pick<ValuedGiftCard, 'state' | 'balance'>): void {
  if (state !== 'usable') throw new RefusedGiftCard(state === 'unpaid' ? 'unknown' : state);
  if (toCents(balance) <= 0) throw new RefusedGiftCard('empty');
}

/** Why a card cannot pay, when that is what an error says. */
export const giftCardRefusalOf = (error: unknown): GiftCardRefusal | undefined =>
  error instanceof RefusedGiftCard ? error.reason : undefined;

/** Whether a refusal is one of the venue that issued a card: the buyer may go on without it. */
export const isOfIssuer = (reason: string | undefined): boolean => reason === 'silent' || reason === 'left';

/** The sentence of a refusal, in the language of the request; undefined: there is no such refusal. */
export function giftCardRefusalText(reason: string | undefined): string | undefined {
  return reason !== undefined && Object.hasOwn(refusals, reason) ? refusals[reason as GiftCardRefusal][currentLanguage()] : undefined;
}
