import { amountToPay, checkSum } from '#tickets';
import { toCents } from '#kernel';
import { addLines, donationAmong, linesOfSold, nameLine, ownLinesOf, removeLines } from '#orders';
import { currentTenant, type Tx } from '#tenancy';
import { openCampaign } from './campaign.js';
import { texts } from '../locales/selling.texts.js';
import type { RoundStep } from './round-up.js';

/** What somebody chose instead of an amount, or with it. */
export interface DonationChoice {
  /** The sum of the order is rounded up, whatever amount was typed. */
  readonly roundsTo?: RoundStep | undefined;
  /** What it is given for; undefined: for the venue. */
  readonly campaignId?: string | undefined;
}

/** @returns decimal text @throws RefusedInput on `donation` for what is no amount, or too much */
export function donationOf(typed: string): string {
  const amount = amountToPay({ amount: '0', freeAmount: true }, typed, 'donation');
  checkSum([amount]);
  return amount;
}

/**
 * Changes the donation in a locked cart. VAT is not due on it, because nothing is given for it (article 2 of directive 2006/112/EC).
 * @param amount decimal text; `0` removes it
 * @throws RefusedInput on `donation` when its campaign has ended
 */
export async function chooseDonation(tx: Tx, cartId: string, amount: string, { campaignId }: DonationChoice = {}): Promise<void> {
  const before = donationAmong(await ownLinesOf(tx, cartId));
  if (before) await removeLines(tx, cartId, [before.id]);
  if (toCents(amount) === 0) return;
  const campaign = campaignId === undefined ? undefined : await openCampaign(tx, campaignId);
  const name = donationName(campaign?.title);
  const { lines } = linesOfSold([{ kind: 'donation', priceId: null, productId: null, name, amount, vatRate: '0.00' }]);
  await addLines(tx, lines, inCart(cartId));
  if (campaign) for (const { id } of lines) await nameLine(tx, id, { campaignId: campaign.id });
}

/** What the buyer reads, in the language of the venue. @param campaign its title */
export function donationName(campaign: string | undefined): string {
  const name = texts.translate(currentTenant().language, 'donation.name');
  return campaign === undefined ? name : `${name} · ${campaign}`;
}

/** How lines are added to a cart that belong to none of its reservations. */
export const inCart = (orderId: string) => ({ orderId, membershipId: null, isOpen: true, channel: 'page', isEffective: false }) as const;
