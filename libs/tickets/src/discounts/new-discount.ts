import { amountOf, isAmount } from '#catalogue';
import { isPlainText, RefusedInput, toCents, type Text } from '#kernel';
import { discountEffects, discountKinds, type Discount, type DiscountEffect, type DiscountKind } from '../entities/discount.entity.js';
import { texts } from '../locales/tickets.texts.js';

/** At most so many discounts of a venue, prices, products or events that one names, characters of a name, and tickets that it counts. */
export const discountLimits = { discounts: 100, targets: 50, name: 60, tickets: 100 } as const;

type Writable = Omit<Discount, 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** A discount to make. */
export type NewDiscount = Pick<Discount, 'name' | 'kind'> & Partial<Writable>;
export type DiscountChange = Partial<NewDiscount>;

/** What a kind needs beside its effect; all else of these is forgotten. */
const needs: Readonly<Record<DiscountKind, readonly (keyof typeof nothing)[]>> = {
  n_for_m: ['least', 'reduced'],
  quantity: ['least'],
  value: ['leastAmount'],
  events: ['least'],
  members: ['membershipId'],
  set: ['parts'],
};

const nothing = {
  least: null,
  reduced: null,
  leastAmount: null,
  membershipId: null,
  parts: [],
} as const;

/** What staff enter of a discount. */
export const writableDiscount = (discount: Discount): Writable => ({
  name: discount.name,
  kind: discount.kind,
  effect: discount.effect,
  value: discount.value,
  least: discount.least,
  reduced: discount.reduced,
  leastAmount: discount.leastAmount,
  membershipId: discount.membershipId,
  parts: discount.parts,
  priceIds: discount.priceIds,
  productIds: discount.productIds,
  eventIds: discount.eventIds,
  validFrom: discount.validFrom,
  validUntil: discount.validUntil,
  disabled: discount.disabled,
});

/**
 * Checks the members of a discount that belong together, and brings them into the form in which they are stored.
 * @param former before the change: copies of products may have made its lists longer than staff may
 * @throws RefusedInput on the first field that does not fit
 */
export function checkedDiscount(given: NewDiscount, former?: Discount): NewDiscount {
  const { name, kind, validFrom = null, validUntil = null } = given;
  if (!isPlainText(name, 1, discountLimits.name) || name.trim() === '') throw refusedDiscount('name', 'name');
  if (!discountKinds.includes(kind)) throw refusedDiscount('kind', 'kind');
  if (validFrom !== null && validUntil !== null && validUntil <= validFrom) throw refusedDiscount('validUntil', 'period');
  for (const list of ['priceIds', 'productIds', 'eventIds'] as const)
    if ((given[list] ?? []).length > Math.max(discountLimits.targets, former?.[list].length ?? 0)) throw refusedDiscount(list, 'tooMany');
  return { ...given, ...nothing, name: name.trim(), ...effectOf(given), ...conditionOf(given) };
}

function effectOf({ kind, effect, value }: NewDiscount): { readonly effect: DiscountEffect; readonly value: string } {
  const chosen = kind === 'set' ? 'price' : (effect ?? 'percent');
  if (!discountEffects.includes(chosen) || (chosen === 'price' && kind !== 'set')) throw refusedDiscount('effect', 'effect');
  const text = value ?? (kind === 'n_for_m' ? '100' : '');
  if (!isAmount(text)) throw refusedDiscount('value', 'amount');
  const cents = toCents(amountOf(text));
  if (chosen === 'percent' && (cents === 0 || cents > 10_000)) throw refusedDiscount('value', 'percent');
  if (chosen === 'amount' && cents === 0) throw refusedDiscount('value', 'amount');
  return { effect: chosen, value: amountOf(text) };
}

function conditionOf(given: NewDiscount): Partial<Writable> {
  const needed = needs[given.kind];
  const least = given.least ?? null;
  const reduced = given.reduced ?? null;
  if (needed.includes('least')) refuseUnlessIn('least', least, 2, discountLimits.tickets);
  if (needed.includes('reduced')) refuseUnlessIn('reduced', reduced, 1, (least ?? 2) - 1);
  if (given.kind === 'value' && !isPositive(given.leastAmount)) throw refusedDiscount('leastAmount', 'amount');
  if (given.kind === 'members' && !given.membershipId) throw refusedDiscount('membershipId', 'membership');
  if (given.kind === 'set') refuseUnfitParts(given.parts ?? []);
  return Object.fromEntries(
    needed.map((member) => [member, member === 'leastAmount' ? amountOf(given[member] ?? '') : (given[member] ?? nothing[member])]),
  );
}

function refuseUnlessIn(field: 'least' | 'reduced', value: number | null, from: number, to: number): void {
  if (value === null || !Number.isInteger(value) || value < from || value > to) throw refusedDiscount(field, field);
}

/** A set has two tickets at least, and each of its prices in one part only. */
function refuseUnfitParts(parts: Discount['parts']): void {
  const named = parts.flatMap(({ priceIds }) => priceIds);
  const size = parts.reduce((sum, { quantity }) => sum + quantity, 0);
  const isWhole = parts.every(({ priceIds, quantity }) => priceIds.length > 0 && Number.isInteger(quantity) && quantity > 0);
  if (!isWhole || size < 2 || size > discountLimits.tickets || named.length > discountLimits.targets || new Set(named).size < named.length)
    throw refusedDiscount('parts', 'parts');
}

const isPositive = (value: string | null | undefined): boolean => isAmount(value ?? '') && toCents(amountOf(value ?? '')) > 0;

const faults = {
  name: texts.localized('discounts.name', { most: discountLimits.name }),
  kind: texts.localized('discounts.kind'),
  effect: texts.localized('discounts.effect'),
  period: texts.localized('codes.period'),
  tooMany: texts.localized('codes.tooMany', { most: discountLimits.targets }),
  amount: texts.localized('codes.amount'),
  percent: texts.localized('codes.percent'),
  unknown: texts.localized('codes.unknown'),
  least: texts.localized('discounts.least', { most: discountLimits.tickets }),
  reduced: texts.localized('discounts.reduced'),
  membership: texts.localized('discounts.membership'),
  parts: texts.localized('discounts.parts'),
  full: texts.localized('discounts.full', { most: discountLimits.discounts }),
} as const satisfies Readonly<Record<string, Text>>;

/** The refusal of a member of a discount. */
export const refusedDiscount = (field: string, fault: keyof typeof faults): RefusedInput => new RefusedInput(field, faults[fault]);
