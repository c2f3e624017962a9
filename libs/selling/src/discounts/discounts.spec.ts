import { describe, expect, it } from '@jest/globals';
import type { OfferedDiscount } from '#tickets';
import fc from 'fast-check';
import { bestDiscounts, missingFor } from './best-discounts.js';
import { applies, savedAt, type Buying, type Piece } from './kinds/discount-rule.js';

const price = (id: string, changed: Partial<Piece['price']> = {}): Piece['price'] => ({
  id,
  productId: 'product',
  requiredMembershipId: null,
  wholeSeries: false,
  freeAmount: false,
  category: 'B',
  ...changed,
});

const piece = (id: string, euros: number, more: Partial<Piece> = {}): Piece => ({
  price: price(id),
  amount: Math.round(euros * 100),
  coded: 0,
  ...more,
});

const pieces = (id: string, euros: number, count: number, more?: Partial<Piece>): Piece[] =>
  Array.from({ length: count }, () => piece(id, euros, more));

const discount = (kind: OfferedDiscount['kind'], changed: Partial<OfferedDiscount> = {}): OfferedDiscount => ({
  id: kind,
  name: kind,
  kind,
  effect: kind === 'set' ? 'price' : 'percent',
  value: '20.00',
  least: null,
  reduced: null,
  leastAmount: null,
  membershipId: null,
  parts: [],
  priceIds: [],
  productIds: [],
  eventIds: [],
  ...changed,
});

const fourForThree = discount('n_for_m', { value: '100.00', least: 4, reduced: 1 });
const family = discount('set', {
  value: '30.00',
  parts: [
    { priceIds: ['adult'], quantity: 2 },
    { priceIds: ['child'], quantity: 2 },
  ],
});

const alone: Buying = { eventIds: ['event'], memberships: [] };

/** What each piece saves, in cents. */
const saved = (bought: readonly Piece[], discounts: readonly OfferedDiscount[], buying: Buying = alone): number[] =>
  bestDiscounts(bought, discounts, buying).map((given, index) => given?.saved ?? (bought[index] as Piece).coded);

const missing = (bought: readonly Piece[], one: OfferedDiscount, buying: Buying = alone) => missingFor(bought, [one], buying)[0]?.missing;

describe('discounts without a code', () => {
  it('make the cheapest of n tickets free', () => {
    expect(saved(pieces('a', 10, 3), [fourForThree])).toEqual([0, 0, 0]);
    expect(saved(pieces('a', 10, 4), [fourForThree]).toSorted()).toEqual([0, 0, 0, 1000].toSorted());
    expect(saved([piece('a', 10), ...pieces('b', 8, 2), piece('c', 5)], [fourForThree])).toEqual([0, 0, 0, 500]);
    // Of eight, the fourth and the eighth most expensive: the buyer could as well buy twice.
    const eight = [...pieces('a', 20, 4), ...pieces('b', 10, 4)];
    expect(saved(eight, [fourForThree]).reduce((sum, one) => sum + one, 0)).toBe(3000);
    expect(missing(pieces('a', 10, 3), fourForThree)).toEqual({ what: 'tickets', count: 1 });
    expect(missing(pieces('a', 10, 4), fourForThree)).toBeUndefined();
    // Two of five, and for half the price.
    expect(saved(pieces('a', 10, 5), [discount('n_for_m', { value: '50.00', least: 5, reduced: 2 })]).toSorted()).toEqual(
      [500, 500, 0, 0, 0].toSorted(),
    );
  });

  it('begin with a number, or with an amount', () => {
    const fromThree = discount('quantity', { least: 3, effect: 'amount', value: '12.00' });
    expect(saved(pieces('a', 10, 2), [fromThree])).toEqual([0, 0]);
    // Never below zero.
    expect(saved(pieces('a', 10, 3), [fromThree])).toEqual([1000, 1000, 1000]);
    expect(missing(pieces('a', 10, 1), fromThree)).toEqual({ what: 'tickets', count: 2 });
    const fromFifty = discount('value', { leastAmount: '50.00', value: '10.00' });
    expect(saved(pieces('a', 24.99, 2), [fromFifty])).toEqual([0, 0]);
    expect(missing(pieces('a', 24.99, 2), fromFifty)).toEqual({ what: 'amount', count: 2 });
    // A part of a cent is given to the buyer.
    expect(saved(pieces('a', 25.01, 2), [fromFifty])).toEqual([251, 251]);
  });

  it('count different events, and memberships', () => {
    const threeShows = discount('events', { least: 3 });
    const order = (...eventIds: string[]): Buying => ({ ...alone, eventIds });
    expect(saved([piece('a', 10)], [threeShows], order('x', 'y'))).toEqual([0]);
    expect(saved([piece('a', 10)], [threeShows], order('x', 'y', 'z'))).toEqual([200]);
    const ofThese = { ...threeShows, eventIds: ['x', 'y', 'w'] };
    expect(saved([piece('a', 10)], [ofThese], order('x', 'y', 'z'))).toEqual([0]);
    expect(missing([piece('a', 10)], ofThese, order('x', 'y', 'z'))).toEqual({ what: 'events', count: 1 });
    const ofMembers = discount('members', { membershipId: 'club' });
    const member = { ...alone, memberships: ['club'] };
    expect(saved([piece('a', 10)], [ofMembers])).toEqual([0]);
    expect(missing([piece('a', 10)], ofMembers)).toEqual({ what: 'membership', count: 1 });
    // A price for members is not reduced twice.
    const bought = [piece('a', 10), piece('m', 8, { price: price('m', { requiredMembershipId: 'club' }) })];
    expect(saved(bought, [ofMembers], member)).toEqual([200, 0]);
  });

  it('sell a set for a fixed price', () => {
    const bought = [...pieces('adult', 12, 3), ...pieces('child', 6, 2)];
    const each = saved(bought, [family]);
    expect(each.reduce((sum, one) => sum + one, 0)).toBe(600);
    expect(each.filter((one) => one === 0)).toHaveLength(1);
    expect(missing(bought, family)).toEqual({ what: 'tickets', count: 3 });
    expect(missing(pieces('adult', 12, 2), family)).toEqual({ what: 'tickets', count: 2 });
    expect(missing([], family)).toBeUndefined();
    // Not where it would cost more.
    expect(saved([...pieces('adult', 8, 2), ...pieces('child', 5, 2)], [family])).toEqual([0, 0, 0, 0]);
  });

  it('leave alone what they are not for', () => {
    const all = discount('quantity', { least: 1 });
    const others = [{ wholeSeries: true }, { freeAmount: true }, { category: 'P' as const }].map((changed) =>
      piece('a', 10, { price: price('a', changed) }),
    );
    expect(saved(others, [all])).toEqual([0, 0, 0]);
    expect(saved([piece('a', 10), piece('b', 10)], [{ ...all, priceIds: ['b'] }])).toEqual([0, 200]);
    // Goods when they are named.
    expect(saved([others[2] as Piece], [{ ...all, productIds: ['product'] }])).toEqual([200]);
  });

  it('give each ticket the better of code and discount', () => {
    const bought = [piece('a', 10, { coded: 300 }), piece('b', 10, { coded: 100 })];
    expect(saved(bought, [discount('quantity', { least: 2 })])).toEqual([300, 200]);
  });

  it('cost least, as trying everything does', () => {
    const cents = fc.integer({ min: 1, max: 12 }).map((euros) => euros * 100);
    const ofPrice = fc.record({ amount: cents, coded: fc.integer({ min: 0, max: 1200 }) });
    const bought = fc
      .tuple(fc.record({ a: ofPrice, b: ofPrice, c: ofPrice }), fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 }))
      .map(([prices, ids]) =>
        ids.map((id): Piece => {
          const { amount, coded } = prices[id];
          return { price: price(id), amount, coded: Math.min(amount, coded) };
        }),
      );
    const some = (of: fc.Arbitrary<OfferedDiscount>, maxLength: number) => fc.array(of, { maxLength });
    const percent = fc.integer({ min: 1, max: 100 }).map((one) => `${one}.00`);
    const priceIds = fc.subarray(['a', 'b', 'c']);
    const alonePerTicket = fc.record({ least: fc.integer({ min: 1, max: 5 }), value: percent, priceIds });
    const groups = fc
      .record({ least: fc.integer({ min: 2, max: 4 }), reduced: fc.integer({ min: 1, max: 2 }), value: percent, priceIds })
      .filter(({ least, reduced }) => reduced < least);
    const part = (id: string) => fc.integer({ min: 0, max: 2 }).map((quantity) => ({ priceIds: [id], quantity }));
    const sets = fc.record({
      parts: fc.tuple(part('a'), part('b'), part('c')).map((parts) => parts.filter(({ quantity }) => quantity > 0)),
      value: fc.integer({ min: 0, max: 20 }).map((euros) => `${euros}.00`),
    });
    const numbered = (all: readonly OfferedDiscount[]) => all.map((one, index) => ({ ...one, id: String(index) }));
    const discounts = fc
      .tuple(
        some(
          alonePerTicket.map((one) => discount('quantity', one)),
          2,
        ),
        some(
          groups.map((one) => discount('n_for_m', one)),
          1,
        ),
        some(
          sets.filter(({ parts }) => parts.length > 0).map((one) => discount('set', one)),
          2,
        ),
      )
      .map((all) => numbered(all.flat()));
    fc.assert(
      fc.property(bought, discounts, (tickets, given) => {
        const found = saved(tickets, given);
        for (const [index, one] of found.entries()) {
          expect(one).toBeGreaterThanOrEqual(0);
          expect(one).toBeLessThanOrEqual((tickets[index] as Piece).amount);
        }
        expect(found.reduce((sum, one) => sum + one, 0)).toBe(mostSaved(tickets, given));
      }),
      { numRuns: 120 },
    );
  });
});

/** The most that any choice of one saving for each ticket saves, by trying all of them. */
function mostSaved(bought: readonly Piece[], discounts: readonly OfferedDiscount[]): number {
  const choices = bought.map(() => 0);
  let most = 0;
  for (;;) {
    const total = savedBy(bought, discounts, choices);
    if (total !== undefined) most = Math.max(most, total);
    const next = choices.findIndex((choice) => choice < discounts.length);
    if (next < 0) return most;
    choices[next] = (choices[next] ?? 0) + 1;
    choices.fill(0, 0, next);
  }
}

/** @param choices by ticket: 0 its code, else a discount @returns undefined when that is not allowed */
function savedBy(bought: readonly Piece[], discounts: readonly OfferedDiscount[], choices: readonly number[]): number | undefined {
  const of = (index: number): Piece[] => bought.filter((_, place) => choices[place] === index + 1);
  const outside = bought.filter((_, place) => discounts[(choices[place] ?? 0) - 1]?.kind !== 'set');
  let total = bought.reduce((sum, { coded }, place) => (choices[place] === 0 ? sum + coded : sum), 0);
  for (const [index, one] of discounts.entries()) {
    const chosen = of(index);
    if (chosen.length === 0) continue;
    const counted = outside.filter((ticket) => applies(one, ticket));
    if (one.kind === 'set') {
      const times = one.parts.map(
        ({ priceIds, quantity }) => chosen.filter((ticket) => priceIds.includes(ticket.price.id)).length / quantity,
      );
      const [sets = 0] = times;
      const inParts = one.parts.reduce((sum, { quantity }) => sum + quantity * sets, 0);
      if (!Number.isInteger(sets) || times.some((time) => time !== sets) || inParts !== chosen.length) return undefined;
      total += chosen.reduce((sum, { amount }) => sum + amount, 0) - sets * Number(one.value) * 100;
      continue;
    }
    if (chosen.some((ticket) => !counted.includes(ticket))) return undefined;
    if (one.kind === 'quantity' && counted.length < (one.least ?? 1)) return undefined;
    if (one.kind === 'n_for_m' && !canBeReduced(counted, chosen, one)) return undefined;
    total += chosen.reduce((sum, ticket) => sum + savedAt(one, ticket), 0);
  }
  return total;
}

/** Whether the chosen tickets are among the reduced ones of groups. A cheaper one that is reduced may keep what it saves otherwise. */
function canBeReduced(all: readonly Piece[], chosen: readonly Piece[], one: OfferedDiscount): boolean {
  const dearest = Math.max(...chosen.map(({ amount }) => amount));
  const cheaper = all.filter((ticket) => !chosen.includes(ticket) && ticket.amount < dearest);
  const most = (one.reduced ?? 1) * Math.floor(all.length / (one.least ?? 1)) - chosen.length;
  for (let more = 0; more <= Math.min(most, cheaper.length); more += 1)
    for (const kept of subsets(cheaper, more)) if (inGroups(all, [...chosen, ...kept], one)) return true;
  return false;
}

/** Whether tickets can be put into groups in which the chosen ones are the cheapest. */
function inGroups(all: readonly Piece[], chosen: readonly Piece[], one: OfferedDiscount): boolean {
  const [first, ...others] = chosen.toSorted((a, b) => b.amount - a.amount);
  if (!first) return true;
  const payers = all.filter((ticket) => !chosen.includes(ticket) && ticket.amount >= first.amount);
  for (let free = 1; free <= Math.min(chosen.length, one.reduced ?? 1); free += 1) {
    const needed = (one.least ?? 1) - free;
    if (payers.length < needed) continue;
    // The group's other chosen tickets are any; payers that cost most are as good as others for what is left.
    for (const together of subsets(others, free - 1)) {
      const rest = chosen.filter((ticket) => ticket !== first && !together.includes(ticket));
      const paying = new Set(payers.slice(0, needed));
      if (
        inGroups(
          all.filter((ticket) => ticket !== first && !together.includes(ticket) && !paying.has(ticket)),
          rest,
          one,
        )
      )
        return true;
    }
  }
  return false;
}

function subsets<One>(from: readonly One[], size: number): One[][] {
  const [first, ...others] = from;
  if (size === 0) return [[]];
  if (first === undefined) return [];
  return [...subsets(others, size - 1).map((rest) => [first, ...rest]), ...subsets(others, size)];
}
