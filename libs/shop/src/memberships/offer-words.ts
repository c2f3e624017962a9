import { isFreeOffer, type MembershipOffer } from '#memberships';
import { costsNothing, type Language } from '#kernel';
import { amountWords } from '#page-kit';
import { closingWords, nextSaleChange, shutWords } from '#pages';
import { currentTenant } from '#tenancy';
import { membershipWords } from './membership.words.js';

/** How long a membership lasts. */
export function periodWords({ period }: Pick<MembershipOffer, 'period'>, language: Language): string {
  const words = membershipWords[language];
  return period === 'Y' ? words.year : period === 'M' ? words.month : words.endless;
}

/** What a membership costs; of an amount that the person chooses, the minimum. */
export function costWords({ amount, freeAmount }: Pick<MembershipOffer, 'amount' | 'freeAmount'>, language: Language): string {
  const words = membershipWords[language];
  if (!freeAmount) return amountWords(amount, language);
  return costsNothing(amount) ? words.freeAmount : words.amountFrom(amountWords(amount, language));
}

/**
 * Why nobody can join at an offer online now; undefined: one can.
 * @param canPay whether something can be paid on the pages
 */
export function closedWords(offer: MembershipOffer, canPay: boolean, language: Language): string | undefined {
  const shut = shutWords({ ...saleOf(offer), admits: true }, language, currentTenant().timeZone);
  return shut ?? (canPay || isFreeOffer(offer) ? undefined : membershipWords[language].atVenueOnly);
}

/** Until when one can join; undefined: without an end, or not now. */
export function untilWords(offer: MembershipOffer, language: Language): string | undefined {
  return closingWords(saleOf(offer), language, currentTenant().timeZone);
}

/** When the sale of one of the offers opens or ends next; undefined: never. */
export function nextChange(offers: readonly MembershipOffer[], now: Date): Date | undefined {
  return nextSaleChange(offers.map(saleOf), now);
}

const saleOf = ({ sale, soldOut, salesFrom, salesUntil }: MembershipOffer) => ({
  sale,
  soldOut,
  opensAt: salesFrom?.getTime() ?? null,
  closesAt: salesUntil?.getTime() ?? null,
});
