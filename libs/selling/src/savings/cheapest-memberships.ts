/** Tickets of one product for one event at prices for everybody, and the prices for members that could replace them. */
export interface Exchangeable {
  /** In cents, by ticket. */
  readonly amounts: readonly number[];
  readonly prices: readonly MemberPrice[];
}

export interface MemberPrice {
  readonly priceId: string;
  /** Product of the membership that it requires. */
  readonly membershipId: string;
  /** In cents. */
  readonly amount: number;
  /** Maximum number of tickets: by stock, and for one person. */
  readonly most: number;
}

export interface MembershipCost {
  readonly productId: string;
  /** In cents. */
  readonly amount: number;
}

/** The cheapest way to buy the same tickets. */
export interface Cheapest {
  /** Products of the memberships to buy. */
  readonly memberships: readonly string[];
  /** Of each group: the price for members of each ticket, in the order of its amounts; undefined: it stays as it is. */
  readonly exchanges: readonly (readonly (MemberPrice | undefined)[])[];
  /** In cents, after the costs of the memberships; greater than 0. */
  readonly saving: number;
}

/** Maximum number of memberships that are compared. */
const mostCompared = 20;

/**
 * Finds the memberships with which the tickets cost least: none, one or two of those offered, beside those that the buyer has anyway. With
 * the memberships given, the exchange of tickets is the best one. Two are enough in practice, and bound the work to 211 combinations.
 * @param owned products of the memberships that cost nothing more
 * @param offered at most the first 20 that some price requires are compared
 * @returns undefined when nothing is saved; of equal savings the one with the fewest memberships
 */
export function cheapestMemberships(
  groups: readonly Exchangeable[],
  owned: readonly string[],
  offered: readonly MembershipCost[],
): Cheapest | undefined {
  const required = new Set(groups.flatMap(({ prices }) => prices.map(({ membershipId }) => membershipId)));
  const useful = offered.filter(({ productId }) => required.has(productId) && !owned.includes(productId)).slice(0, mostCompared);
  const singles = useful.map((one) => [one]);
  const pairs = useful.flatMap((one, index) => useful.slice(index + 1).map((other) => [one, other]));
  let best: Cheapest | undefined;
  for (const bought of [[], ...singles, ...pairs]) {
    const memberships = bought.map(({ productId }) => productId);
    const held = new Set([...owned, ...memberships]);
    const exchanged = groups.map((group) => exchange(group, held));
    const saving = sum(exchanged.map((one) => one.saving)) - sum(bought.map(({ amount }) => amount));
    if (saving > (best?.saving ?? 0)) best = { memberships, exchanges: exchanged.map(({ prices }) => prices), saving };
  }
  return best;
}

/**
 * Exchanges the tickets of a group for prices of these memberships. What is saved is the sum of the amounts of the exchanged tickets less
 * the sum of their new prices, so the most expensive tickets get the cheapest prices, as long as each of these saves something.
 */
function exchange({ amounts, prices }: Exchangeable, held: ReadonlySet<string>): { prices: (MemberPrice | undefined)[]; saving: number } {
  const cheapestFirst = prices.filter(({ membershipId }) => held.has(membershipId)).toSorted((one, other) => one.amount - other.amount);
  const places = cheapestFirst.flatMap((price) => Array.from({ length: Math.min(Math.max(0, price.most), amounts.length) }, () => price));
  const dearestFirst = amounts.map((amount, index) => ({ amount, index })).toSorted((one, other) => other.amount - one.amount);
  const exchanged: (MemberPrice | undefined)[] = amounts.map(() => undefined);
  let saving = 0;
  for (const [place, { amount, index }] of dearestFirst.entries()) {
    const price = places[place];
    if (!price || price.amount >= amount) break;
    exchanged[index] = price;
    saving += amount - price.amount;
  }
  return { prices: exchanged, saving };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
