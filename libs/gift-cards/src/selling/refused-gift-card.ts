import { currentLanguage, RefusedInput } from '#kernel';
import { mostGiftCards } from '#orders';
import { texts } from '../locales/gift-cards.texts.js';

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
} as const;
export type GiftCardRefusal = keyof typeof refusals;

/** A gift card that cannot pay (any more), or a code that no card has. Its field is `giftCard`. */
export class RefusedGiftCard extends RefusedInput {
  override readonly code: string = 'gift_card';

  constructor(readonly reason: GiftCardRefusal) {
    super('giftCard', refusals[reason]);
  }
}

/** The sentence of a refusal, in the language of the request; undefined: there is no such refusal. */
export function giftCardRefusalText(reason: string | undefined): string | undefined {
  return reason !== undefined && Object.hasOwn(refusals, reason) ? refusals[reason as GiftCardRefusal][currentLanguage()] : undefined;
}
