import { RefusedInput } from '#kernel';
import { texts } from '../locales/selling.texts.js';
import type { Item, Rule } from './sale.js';

/** Maximum tickets per reservation, and per cart. */
const maximumTickets = 100;

type Sized = Pick<Item, 'quantity'>;

/** An order has 1 to 100 tickets, in whole numbers. */
export const size: Rule = { name: 'size', refuse: ({ items }) => faultsOf(items) };

function faultsOf(items: readonly Sized[]): RefusedInput[] {
  const sum = items.reduce((count, { quantity }) => count + quantity, 0);
  if (sum >= 1 && sum <= maximumTickets && items.every(({ quantity }) => Number.isInteger(quantity) && quantity >= 1)) return [];
  return [new RefusedInput('tickets', texts.localized('newReservation.ticketCount', { maximumTickets }))];
}

/** Asks the same before the offer is read, so that such an order costs no round trip. @throws RefusedInput on `tickets` */
export function checkSize(items: readonly Sized[]): void {
  const [fault] = faultsOf(items);
  if (fault) throw fault;
}
