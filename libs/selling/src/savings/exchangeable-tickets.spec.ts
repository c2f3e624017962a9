import { toCents } from '#kernel';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { cheapestMemberships, type MembershipCost } from './cheapest-memberships.js';
import { exchangeableTickets, type CartTicket, type OfferedMemberPrice, type TicketsOfEvent } from './exchangeable-tickets.js';

const memberPrice = (priceId: string, more: Partial<OfferedMemberPrice> = {}): OfferedMemberPrice => ({
  eventId: 'concert',
  priceId,
  standsFor: 'ticket',
  amount: '5.00',
  membershipId: 'friends',
  maxPerUser: null,
  stock: null,
  sharesStock: false,
  ...more,
});

const ticket = (id: string, more: Partial<CartTicket> = {}, price: Partial<CartTicket['price']> = {}): CartTicket => ({
  id,
  priceId: 'full',
  amount: '12.00',
  price: { productId: 'ticket', requiredMembershipId: null, freeAmount: false, wholeSeries: false, ...price },
  ...more,
});

describe('tickets that prices for members may replace', () => {
  it('are those of the product that the price stands for, at the same event', () => {
    const parts = [{ eventId: 'concert', tickets: [ticket('a'), ticket('b', {}, { productId: 'pass' })] }];
    const [group, ...others] = exchangeableTickets(parts, [memberPrice('one'), memberPrice('elsewhere', { eventId: 'talk' })]);
    expect([group!.tickets.map(({ id }) => id), group!.prices.map(({ priceId }) => priceId), others]).toEqual([['a'], ['one'], []]);
    expect(exchangeableTickets(parts, [memberPrice('unclear', { standsFor: null })])).toEqual([]);
  });

  it('are not those for members already, nor those with a chosen amount', () => {
    const tickets = [ticket('a', {}, { requiredMembershipId: 'friends' }), ticket('b', {}, { freeAmount: true })];
    expect(exchangeableTickets([{ eventId: 'concert', tickets }], [memberPrice('one')])).toEqual([]);
  });

  it('are as many as one person may have beside those in the cart', () => {
    const tickets = [ticket('a'), ticket('b'), ticket('c', { priceId: 'one' }, { requiredMembershipId: 'friends' })];
    const [group] = exchangeableTickets([{ eventId: 'concert', tickets }], [memberPrice('one', { maxPerUser: 2 })]);
    expect(group!.prices.map(({ most }) => most)).toEqual([1]);
  });

  it('count a stock of goods once for all events', () => {
    const parts = ['concert', 'talk', 'film'].map((eventId) => ({ eventId, tickets: [ticket(`${eventId} 1`), ticket(`${eventId} 2`)] }));
    const prices = parts.map(({ eventId }) => memberPrice('one', { eventId, stock: 3, sharesStock: true }));
    expect(exchangeableTickets(parts, prices).map((group) => group.prices[0]!.most)).toEqual([2, 1, 0]);
  });

  it('give the cheapest cart that trying everything finds', () => {
    const memberships = ['friends', 'patrons', 'students'];
    const euros = (most: number): fc.Arbitrary<string> => fc.integer({ min: 0, max: most }).map((amount) => `${amount}.00`);
    const few = fc.option(fc.integer({ min: 0, max: 2 }));
    const offered = fc.record({
      eventId: fc.constantFrom('concert', 'talk'),
      standsFor: fc.constantFrom('ticket', 'pass', null),
      amount: euros(8),
      membershipId: fc.constantFrom(...memberships),
      maxPerUser: few,
      stock: few,
    });
    const bought = fc.record({ amount: euros(10), productId: fc.constantFrom('ticket', 'pass'), isFor: fc.option(fc.constant('friends')) });
    const carts = fc.tuple(fc.array(bought, { maxLength: 3 }), fc.array(bought, { maxLength: 3 }));
    const costs = fc.uniqueArray(fc.record({ productId: fc.constantFrom(...memberships), amount: fc.integer({ min: 0, max: 1500 }) }), {
      selector: ({ productId }) => productId,
    });
    fc.assert(
      fc.property(carts, fc.array(offered, { maxLength: 4 }), fc.subarray(['students']), costs, (cart, rows, owned, offers) => {
        const prices = rows.map((row, index) => memberPrice(`p${index}`, row));
        const parts = cart.map((tickets, event) => ({
          eventId: ['concert', 'talk'][event]!,
          tickets: tickets.map(({ amount, productId, isFor }, index) =>
            ticket(`${event} ${index}`, { amount }, { productId, requiredMembershipId: isFor }),
          ),
        }));
        const found = cheapestMemberships(exchangeableTickets(parts, prices), owned, offers);
        expect(found?.saving ?? 0).toBe(bruteForce(parts, prices, owned, offers));
      }),
      { numRuns: 1000 },
    );
  });
});

/** The greatest saving of all sets of at most two memberships and all exchanges, in cents. */
function bruteForce(
  parts: readonly TicketsOfEvent[],
  prices: readonly OfferedMemberPrice[],
  owned: readonly string[],
  offers: readonly MembershipCost[],
): number {
  const tickets = parts.flatMap((part) => part.tickets.map((one) => ({ ...one, eventId: part.eventId })));
  /** @param used tickets by price */
  const most = (held: ReadonlySet<string>, index: number, used: ReadonlyMap<string, number>): number => {
    const one = tickets[index];
    if (!one) return 0;
    let best = most(held, index + 1, used);
    if (one.price.requiredMembershipId !== null) return best;
    for (const { priceId, eventId, standsFor, amount, membershipId, maxPerUser, stock } of prices) {
      const count = used.get(priceId) ?? 0;
      if (eventId !== one.eventId || standsFor !== one.price.productId || !held.has(membershipId)) continue;
      if (count >= (maxPerUser ?? Infinity) || count >= (stock ?? Infinity)) continue;
      best = Math.max(best, toCents(one.amount) - toCents(amount) + most(held, index + 1, new Map([...used, [priceId, count + 1]])));
    }
    return best;
  };
  let best = 0;
  for (let set = 0; set < 2 ** offers.length; set += 1) {
    const chosen = offers.filter((_, index) => (set >> index) % 2 === 1);
    if (chosen.length > 2) continue;
    const cost = chosen.filter(({ productId }) => !owned.includes(productId)).reduce((sum, { amount }) => sum + amount, 0);
    best = Math.max(best, most(new Set([...owned, ...chosen.map(({ productId }) => productId)]), 0, new Map()) - cost);
  }
  return best;
}
