import { currentLanguage, toCents } from '#kernel';
import type { Venue } from '#page-kit';
import { hasWithdrawal, type Ticket } from '#tickets';
import type { VNode } from 'preact';
import { orderWords } from '../frame/order.words.js';

interface Props {
  readonly venue: Pick<Venue, 'country'>;
  readonly tickets: readonly Pick<Ticket, 'admission' | 'amount'>[];
  /** Sums of memberships, decimal texts. */
  readonly memberships?: readonly string[];
}

/** Tells buyers of goods and memberships, before they order, how they may withdraw (article 6(1)(h) of Directive 2011/83/EU). */
export function WithdrawalRight({ venue, tickets, memberships = [] }: Props): VNode | null {
  const goods = tickets.filter(({ admission }) => !admission).map(({ amount }) => amount);
  const isPaid = [...goods, ...memberships].some((amount) => toCents(amount) > 0);
  return isPaid && hasWithdrawal(venue.country) ? <p class="small quiet">{orderWords[currentLanguage()].withdrawal}</p> : null;
}
