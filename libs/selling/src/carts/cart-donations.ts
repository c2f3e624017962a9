import type { Tx } from '#tenancy';
import { chooseDonation, donationOf, type DonationChoice } from '../donations/donation.js';
import { missingTo } from '../donations/round-up.js';
import { cartAmount, contentsOf } from './ordered-cart.js';

/** A donation that a buyer wants to add, checked but for the cart. */
export interface WantedDonation extends DonationChoice {
  /** Decimal text; `0.00` removes it. */
  readonly amount: string;
}

/** @throws RefusedInput on `donation` */
export const wantedDonation = (typed: string, choice: DonationChoice): WantedDonation => ({
  ...choice,
  amount: choice.roundsTo === undefined ? donationOf(typed) : '0.00',
});

/** What is given with an order of this sum. @returns decimal text */
export const givenWith = (sum: string, { amount, roundsTo }: WantedDonation): string =>
  roundsTo === undefined ? amount : missingTo(sum, roundsTo);

/** Changes the donation in a locked cart. @throws RefusedInput on `donation` */
export async function giveWithCart(tx: Tx, cartId: string, wanted: WantedDonation): Promise<void> {
  const sum = wanted.roundsTo === undefined ? '0' : await sumWithoutDonation(tx, cartId);
  await chooseDonation(tx, cartId, givenWith(sum, wanted), wanted);
}

async function sumWithoutDonation(tx: Tx, cartId: string): Promise<string> {
  const cart = await contentsOf(tx, cartId);
  return cartAmount({ ...cart, own: cart.own.filter(({ kind }) => kind !== 'donation') });
}
