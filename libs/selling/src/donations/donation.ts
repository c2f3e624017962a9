import { amountToPay, checkSum } from '#tickets';
import { toCents } from '#kernel';
import { addLines, linesOfSold, nameLine, ownSql, removeLines } from '#orders';
import { currentTenant, type Tx } from '#tenancy';
import { openCampaign } from './campaign.js';
import { texts } from '../locales/selling.texts.js';
import type { RoundStep } from './round-up.js';

/** What somebody gives: the buyer of a cart in addition, which is paid online with the rest, or alone. */
export interface Donation {
  readonly id: string;
  /** In the language of the venue. */
  readonly name: string;
  /** Decimal text. */
  readonly amount: string;
  /** Of a completed cart: it was paid. */
  readonly isPaid: boolean;
}

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

/** The donation in a cart; undefined: there is none, it was given back, or the order has ended. */
export async function donationIn(tx: Tx, cartId: string): Promise<Donation | undefined> {
  const [donation] = await tx.query<Donation[]>(
    `select id, name, amount::text as amount, effective_at is not null as "isPaid" from order_line
     where order_id = $1 and kind = 'donation' and of_line is null and event_id is null and ${ownSql}
       and not exists (select from order_line back where back.of_line = order_line.id)
       and exists (select from orders where orders.id = order_id and state <> 'void')`,
    [cartId],
  );
  return donation;
}

/**
 * Changes the donation in a locked cart. VAT is not due on it, because nothing is given for it (article 2 of directive 2006/112/EC).
 * @param amount decimal text; `0` removes it
 * @throws RefusedInput on `donation` when its campaign has ended
 */
export async function chooseDonation(tx: Tx, cartId: string, amount: string, { campaignId }: DonationChoice = {}): Promise<void> {
  const before = await donationIn(tx, cartId);
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
