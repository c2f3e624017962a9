import type { Tx } from '#tenancy';
import { ownSql } from '../order-part.js';

/** What an order itself sells. `place`: a donation that pays places for others at an event. */
export type OwnKind = 'donation' | 'place' | 'gift_card';

/** A line that belongs to the order itself: to none of its reservations and memberships. */
export interface OwnLine {
  readonly id: string;
  readonly kind: OwnKind;
  /** In the language of the venue. */
  readonly name: string;
  /** How many. Not `quantity`: `amount` is that of all of them, which `sumOf` counts once. */
  readonly pieces: number;
  /** Of one piece, decimal text. */
  readonly unitAmount: `${number}`;
  /** Of all of them, decimal text. */
  readonly amount: `${number}`;
  /** In percent, decimal text. */
  readonly vatRate: string;
  /** In the amount, decimal text. */
  readonly vatAmount: string;
  /** Of a placed order: it was paid. */
  readonly isPaid: boolean;
  /** At which it pays places; null: at none. */
  readonly eventId: string | null;
  /** What it is given for; null: for the venue. */
  readonly campaignId: string | null;
}

/** What an order itself sells: a donation first. Without what was given back, and nothing of an order that has ended. */
export function ownLinesOf(tx: Tx, orderId: string): Promise<OwnLine[]> {
  return tx.query<OwnLine[]>(
    `select id, case when event_id is not null then 'place' else kind end as kind, name, quantity as pieces,
       unit_amount::text as "unitAmount", amount::text as amount, vat_rate::text as "vatRate", vat_amount::text as "vatAmount",
       effective_at is not null as "isPaid", event_id as "eventId", campaign_id as "campaignId"
     from order_line where order_id = $1 and kind in ('donation', 'gift_card') and of_line is null and ${ownSql}
       and not exists (select from order_line back where back.of_line = order_line.id)
       and exists (select from orders where orders.id = order_id and state <> 'void')
     order by event_id is not null, created_at, id`,
    [orderId],
  );
}

/** The donation among lines; undefined: there is none. */
export const donationAmong = (lines: readonly OwnLine[]): OwnLine | undefined => lines.find(({ kind }) => kind === 'donation');
