/** What a shop sells and owes in a random history of orders, without a database. Amounts are cents. */

/** Two kinds of tickets, each of an event of its own, with the VAT in percent. */
export const soldKinds = [
  { price: 1250, vat: 5.5 },
  { price: 801, vat: 20 },
] as const;
/** The value of the gift card, how often and how much the code saves at most, and places of each event. */
export const bounds = { card: 4000, uses: 6, budget: 1000, places: 12 } as const;
/** What a checkout charges at least. */
const leastCharge = 50;

export interface ModelPart {
  readonly id: string;
  readonly event: number;
  /** What a ticket costs. */
  readonly unit: number;
  /** What the code saves at a ticket: nothing where a discount saves more; undefined: it is not used. */
  readonly codeSaves: number | undefined;
  live: number;
}

export interface ModelOrder {
  readonly id: string;
  readonly parts: readonly ModelPart[];
  /** Of the checkout. */
  session: string | undefined;
  /** Of the bank transfer. */
  reference: string | undefined;
  donation: number;
  card: number;
  state: 'paying' | 'waiting' | 'lapsed' | 'sold' | 'gone';
  /** What arrived from the buyer at the provider, at the bank and at the counter. */
  charged: number;
  transferred: number;
  atCounter: number;
}

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
export const worthOf = ({ parts, donation }: ModelOrder): number => total(parts.map(({ unit, live }) => unit * live)) + donation;

/**
 * What a ticket saves, and what of it by the code: the code a fifth, two events a quarter, three tickets at one event 30 per cent; the part
 * of a cent is the buyer's.
 */
export function savingAt(event: number, counts: readonly number[], hasCode: boolean): { cents: number; codeSaves: number | undefined } {
  const percent = counts[event]! >= 3 ? 30 : counts.every((count) => count > 0) ? 25 : 0;
  const cents = Math.ceil((soldKinds[event]!.price * (percent || (hasCode ? 20 : 0))) / 100);
  return { cents, codeSaves: hasCode ? (percent > 0 ? 0 : cents) : undefined };
}

export class OrderModel {
  readonly orders: ModelOrder[] = [];

  private live = (): ModelPart[] => this.orders.filter(({ state }) => state !== 'lapsed' && state !== 'gone').flatMap(({ parts }) => parts);
  private coded = (): ModelPart[] => this.live().filter(({ codeSaves }) => codeSaves !== undefined);
  booked = (event: number): number => total(this.live().map((part) => (part.event === event ? part.live : 0)));
  uses = (): number => total(this.coded().map(({ live }) => live));
  spent = (): number => total(this.coded().map(({ live, codeSaves = 0 }) => live * codeSaves));
  balance = (): number => bounds.card - total(this.orders.map(({ card }) => card));

  /** Whether there are places and uses for tickets that are added to a cart by event: a later event may save more than the code. */
  allows(counts: readonly number[], hasCode: boolean): boolean {
    const first = counts.findIndex((count) => count > 0);
    const alone = savingAt(
      first,
      counts.map((count, event) => (event === first ? count : 0)),
      hasCode,
    );
    if (counts.some((count, event) => this.booked(event) + count > bounds.places)) return false;
    const saved = counts[first]! * (alone.codeSaves ?? 0);
    return !hasCode || (this.uses() + total(counts) <= bounds.uses && this.spent() + saved <= bounds.budget);
  }

  /** What the gift card pays: tickets, not the donation, and so that a checkout charges enough. */
  cardPays(order: ModelOrder): number {
    const due = worthOf(order);
    const most = Math.min(this.balance(), due - order.donation);
    return due > most ? Math.max(0, Math.min(most, due - leastCharge)) : most;
  }

  pick(index: number, fits: (one: ModelOrder) => boolean): ModelOrder | undefined {
    const fit = this.orders.filter((one) => fits(one));
    return fit[index % Math.max(1, fit.length)];
  }
}

/** Nothing of an order is due after its last ticket was cancelled: a donation that is not paid ends with it. */
export const isOver = (order: ModelOrder): boolean =>
  worthOf(order) === 0 || (order.state === 'waiting' && order.parts.every(({ live }) => live === 0));

export function endOrder(order: ModelOrder): void {
  for (const part of order.parts) part.live = 0;
  Object.assign(order, { donation: 0, card: 0, state: 'gone' });
}
