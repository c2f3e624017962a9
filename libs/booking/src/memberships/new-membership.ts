import { databaseNow, isEmail, RefusedInput, refuseUnfitTexts, type Language } from '#kernel';
import type { GivenAnswers } from '../answers/answer-rules.js';
import { holderTexts } from '../holder-texts.js';
import type { VenueMethod } from '#payments';

/** A membership that somebody takes or is given. */
export interface NewMembership {
  readonly priceId: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly language?: Language;
  /** Default now; a renewal follows what is valid already. */
  readonly validFrom?: Date;
  /** Default by the price's subscription type; without one, without end. */
  readonly validUntil?: Date;
  /** What the member pays, where the price lets them choose; decimal text. Without one the least. */
  readonly amount?: string;
  /** How it was paid at the venue. Without it something that costs something waits for payment online. */
  readonly paymentMethod?: VenueMethod;
  readonly answers?: GivenAnswers;
  /** Required questions may stay without an answer; default false. */
  readonly answersOptional?: boolean;
}

/** @throws RefusedInput on email, validUntil */
export function checkNewMembership(wanted: NewMembership): void {
  const { email, validFrom = databaseNow(), validUntil } = wanted;
  if (!isEmail(email.trim())) {
    throw new RefusedInput('email', {
      en: 'Write an e-mail address such as ada@example.org.',
      fr: 'Écrivez une adresse e-mail telle que ada@example.org.',
    });
  }
  refuseUnfitTexts(wanted, holderTexts);
  if (validUntil && validUntil <= validFrom) {
    throw new RefusedInput('validUntil', {
      en: 'The end is not after the beginning.',
      fr: "La fin n'est pas après le début.",
    });
  }
}
