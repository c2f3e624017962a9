import { type GivenAnswers, emailFault, refuseUnfitName } from '#tickets';
import type { QueryDeepPartialEntity } from 'typeorm';
import { databaseNow, RefusedInput, type Language } from '#kernel';
import type { Membership } from '../rows/membership.entity.js';
import type { VenueMethod } from '#payments';
import { texts } from '../locales/memberships.texts.js';

/** Input for a new membership. */
export interface NewMembership {
  /** Its id: a repeated call with the same id returns the first one. Default: a new one. */
  readonly id?: string;
  /** The cart with which it is bought: its checkout pays it together with the rest. */
  readonly cartId?: string;
  /** The open order of a sale with several parts, which places it; default: that of the cart, or an order of its own. */
  readonly orderId?: string;
  /**
   * Anybody may have typed the address: a free membership awaits the mailed link, and what the person has is looked at when it is confirmed
   * or paid. Default: the person is known, so that a free one is active at once.
   */
  readonly isTyped?: boolean;
  /** undefined: the venue has no terms, or was not asked. */
  readonly acceptsTerms?: boolean | undefined;
  /** Network of a visitor of the pages, as `siteOfClient` names it; its memberships are limited. Without it: staff, or an API key. */
  readonly network?: string;
  readonly priceId: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly language?: Language;
  /** Default: now, or the end of the current membership of the same product. */
  readonly validFrom?: Date;
  /** Default: by the price's subscription type; no end when the price has none. */
  readonly validUntil?: Date;
  /** Amount chosen by the member when the price is free; decimal text. Default: the minimum. */
  readonly amount?: string;
  /** Until when it awaits its payment; default: some minutes. */
  readonly holdUntil?: Date | undefined;
  /** A code that reduces it, as `codeKey` writes it. */
  readonly code?: string | undefined;
  /** The amount that the member agreed to before, although the price may have changed since; decimal text. */
  readonly agreedAmount?: string;
  /** It is renewed and charged by itself, where the venue allows it. */
  readonly renewsItself?: boolean;
  /** How it was paid at the venue. Without it, a membership with an amount awaits online payment. */
  readonly paymentMethod?: VenueMethod;
  /** The caller records that payment in the same transaction. */
  readonly paysLater?: boolean;
  /** One that costs something is only held until a card reader has the money. */
  readonly awaitsReader?: boolean;
  /** The code of a gift card that pays first at the venue, as it was typed. */
  readonly giftCard?: string | undefined;
  readonly answers?: GivenAnswers;
  /** Required questions may stay without an answer; default false. */
  readonly answersOptional?: boolean;
}

/** @throws RefusedInput on `email`, `firstName`, `lastName`, `validUntil` */
export function checkNewMembership(wanted: NewMembership): void {
  const { email, validFrom = databaseNow(), validUntil } = wanted;
  const fault = emailFault(email);
  if (fault) throw fault;
  refuseUnfitName(wanted);
  if (validUntil && validUntil <= validFrom) {
    throw new RefusedInput('validUntil', texts.localized('newMembership.endBeforeStart'));
  }
}

/** What a new membership stores as it was sent, without surrounding spaces. */
export function columnsOf({
  id,
  cartId,
  acceptsTerms,
  email,
  firstName,
  lastName,
  language,
}: NewMembership): QueryDeepPartialEntity<Membership> {
  return {
    ...(id !== undefined && { id }),
    ...(cartId !== undefined && { cartId }),
    termsAcceptedAt: acceptsTerms ? databaseNow() : null,
    email: email.trim(),
    firstName: firstName?.trim() ?? '',
    lastName: lastName?.trim() ?? '',
    language: language ?? null,
  };
}
