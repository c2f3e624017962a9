import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { cheapestMemberships, type Exchangeable, type MemberPrice, type MembershipCost } from './cheapest-memberships.js';

const price = (membershipId: string, amount: number, most = 100): MemberPrice => ({
  priceId: `${membershipId} ${amount}`,
  membershipId,
  amount,
  most,
});

describe('the cheapest memberships', () => {
  it('buys a membership when the prices for members save more than it costs', () => {
    const groups = [{ amounts: [2000, 2000, 2200], prices: [price('friends', 1000)] }];
    expect(cheapestMemberships(groups, [], [{ productId: 'friends', amount: 2000 }])).toMatchObject({
      memberships: ['friends'],
      saving: 1200,
    });
    expect(cheapestMemberships(groups, [], [{ productId: 'friends', amount: 3200 }])).toBeUndefined();
  });

  it('adds up what several events save', () => {
    const event = { amounts: [2000], prices: [price('friends', 1000)] };
    const friends = [{ productId: 'friends', amount: 1500 }];
    expect(cheapestMemberships([event], [], friends)).toBeUndefined();
    expect(cheapestMemberships([event, event], [], friends)).toMatchObject({ saving: 500 });
  });

  it('exchanges as many tickets as one person may have, the most expensive ones', () => {
    const groups = [{ amounts: [1200, 3000, 2000], prices: [price('friends', 1000, 1)] }];
    const found = cheapestMemberships(groups, [], [{ productId: 'friends', amount: 500 }]);
    expect(found).toMatchObject({ saving: 1500 });
    expect(found!.exchanges[0]!.map((one) => one?.amount)).toEqual([undefined, 1000, undefined]);
  });

  it('uses memberships that are in the cart without buying another one', () => {
    const groups = [{ amounts: [2000], prices: [price('friends', 1000), price('patrons', 900)] }];
    const found = cheapestMemberships(groups, ['friends'], [{ productId: 'patrons', amount: 500 }]);
    expect(found).toMatchObject({ memberships: [], saving: 1000 });
  });

  it('never exchanges a ticket for a more expensive one, or without a place', () => {
    const groups = [{ amounts: [500], prices: [price('friends', 600), price('friends', 100, 0)] }];
    expect(cheapestMemberships(groups, ['friends'], [])).toBeUndefined();
  });

  it('finds what trying everything finds', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd');
    const euros = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most }).map((amount) => amount * 100);
    const prices = fc.array(
      fc
        .record({ membershipId: ids, amount: euros(10), most: fc.integer({ min: 0, max: 3 }) })
        .map((one) => price(one.membershipId, one.amount, one.most)),
      { maxLength: 3 },
    );
    const group = fc.record({ amounts: fc.array(euros(12), { minLength: 1, maxLength: 4 }), prices });
    const memberships = fc.uniqueArray(fc.record({ productId: ids, amount: euros(15) }), { selector: ({ productId }) => productId });
    fc.assert(
      fc.property(fc.array(group, { maxLength: 2 }), fc.subarray(['c', 'd']), memberships, (groups, owned, offered) => {
        const found = cheapestMemberships(groups, owned, offered);
        expect(found?.saving ?? 0).toBe(bruteForce(groups, owned, offered));
        if (found) expectConsistent(found, groups, owned, offered);
      }),
      { numRuns: 1000 },
    );
  });
});

/** The greatest saving of all sets of at most two memberships and all exchanges. */
function bruteForce(groups: readonly Exchangeable[], owned: readonly string[], offered: readonly MembershipCost[]): number {
  let best = 0;
  for (let set = 0; set < 2 ** offered.length; set += 1) {
    const bought = offered.filter((_, index) => (set >> index) % 2 === 1);
    if (bought.length > 2) continue;
    const held = new Set([...owned, ...bought.map(({ productId }) => productId)]);
    const cost = bought.filter(({ productId }) => !owned.includes(productId)).reduce((total, { amount }) => total + amount, 0);
    best = Math.max(best, groups.reduce((total, group) => total + most(group, held, 0, new Map()), 0) - cost);
  }
  return best;
}

/** The greatest saving of the tickets from `index` on. @param used places by position of the price */
function most(group: Exchangeable, held: ReadonlySet<string>, index: number, used: ReadonlyMap<number, number>): number {
  const amount = group.amounts[index];
  if (amount === undefined) return 0;
  let best = most(group, held, index + 1, used);
  for (const [position, one] of group.prices.entries()) {
    const count = used.get(position) ?? 0;
    if (!held.has(one.membershipId) || count >= one.most) continue;
    best = Math.max(best, amount - one.amount + most(group, held, index + 1, new Map([...used, [position, count + 1]])));
  }
  return best;
}

/** The exchanges keep to memberships and places, and save what is said. */
function expectConsistent(
  { memberships, exchanges, saving }: NonNullable<ReturnType<typeof cheapestMemberships>>,
  groups: readonly Exchangeable[],
  owned: readonly string[],
  offered: readonly MembershipCost[],
): void {
  let sum = 0;
  for (const [index, { amounts, prices }] of groups.entries()) {
    for (const one of prices) expect(exchanges[index]!.filter((price) => price === one).length).toBeLessThanOrEqual(one.most);
    for (const [ticket, one] of exchanges[index]!.entries()) {
      if (!one) continue;
      expect([...owned, ...memberships]).toContain(one.membershipId);
      sum += amounts[ticket]! - one.amount;
    }
  }
  for (const { productId, amount } of offered) if (memberships.includes(productId)) sum -= amount;
  expect(sum).toBe(saving);
}
