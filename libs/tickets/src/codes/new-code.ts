import { randomInt } from 'node:crypto';
import { amountOf, isAmount } from '#catalogue';
import { isPlainText, refuseUnlessWhole, RefusedInput, toCents, type Text } from '#kernel';
import { texts } from '../locales/tickets.texts.js';
import { codeKey } from './code-key.js';
import { codeEffects, codeTargets, type Code } from '../entities/code.entity.js';

/**
 * At most so many prices, products or events that a code names, characters of a tag, and codes that are made at once. A file has at most so
 * many lines with kept places, which hold the lock of their event, and different names of each kind.
 */
export const codeLimits = { targets: 50, tag: 60, generated: 500, keepingLines: 200, names: 2000 } as const;

type Writable = Omit<Code, 'id' | 'code' | 'version' | 'createdAt' | 'updatedAt'>;

/** A code to make. */
export type NewCode = Pick<Code, 'code'> & Partial<Writable>;
export type CodeChange = Partial<NewCode>;

/** What staff enter of a code. */
export const writableOf = (code: Code): NewCode & Writable => ({
  code: code.code,
  effect: code.effect,
  value: code.value,
  appliesTo: code.appliesTo,
  priceIds: code.priceIds,
  productIds: code.productIds,
  eventIds: code.eventIds,
  validFrom: code.validFrom,
  validUntil: code.validUntil,
  maxUses: code.maxUses,
  maxPerPerson: code.maxPerPerson,
  budget: code.budget,
  reserved: code.reserved,
  placeAmount: code.placeAmount,
  tellsGiven: code.tellsGiven,
  tag: code.tag,
  disabled: code.disabled,
});

/** Letters and digits that nobody takes for one another, on paper and read aloud. */
const alphabet = 'ACDEFGHJKMNPQRTUVWXY34679';
/** 46 bits: nobody finds one of some thousand codes by trying. */
const generatedLength = 10;

/** @returns a random code that is easy to read @param prefix stands before it */
export const randomCode = (prefix: string): string => prefix + readableText(generatedLength);

/** @returns random capitals and digits without look-alikes: 4.6 bits each */
export function readableText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Checks the members of a code that belong together, and brings them into the form in which they are stored.
 * @param former before the change: copies of products may have made its lists longer than staff may
 * @throws RefusedInput on the first field that does not fit
 */
export function checkedCode(given: NewCode, former?: Code): NewCode {
  const code = codeKey(given.code);
  if (code === undefined) throw refused('code', 'spelling');
  for (const name of ['maxUses', 'maxPerPerson'] as const) refuseUnlessWhole(name, given[name], 1);
  refuseUnlessWhole('reserved', given.reserved, 0);
  const { validFrom = null, validUntil = null, eventIds = [], budget = null, tag = null, reserved = 0 } = given;
  if (validFrom !== null && validUntil !== null && validUntil <= validFrom) throw refused('validUntil', 'period');
  if (reserved > 0 && eventIds.length !== 1) throw refused('reserved', 'oneEvent');
  for (const name of ['priceIds', 'productIds', 'eventIds'] as const)
    if ((given[name] ?? []).length > Math.max(codeLimits.targets, former?.[name].length ?? 0)) throw refused(name, 'tooMany');
  if (budget !== null && !isPositive(budget)) throw refused('budget', 'amount');
  const { placeAmount = null, appliesTo = 'tickets' } = given;
  if (!codeTargets.includes(appliesTo)) throw refused('appliesTo', 'appliesTo');
  if (appliesTo === 'memberships' && eventIds.length > 0) throw refused('eventIds', 'membershipsOnly');
  if (appliesTo !== 'tickets' && placeAmount !== null) throw refused('placeAmount', 'placeTickets');
  if (placeAmount !== null && !isPositive(placeAmount)) throw refused('placeAmount', 'amount');
  if (placeAmount !== null && eventIds.length !== 1) throw refused('placeAmount', 'placeEvent');
  if (placeAmount !== null && !makesFree(given)) throw refused('placeAmount', 'placeFree');
  if (tag !== null && !isPlainText(tag, 0, codeLimits.tag)) throw refused('tag', 'tag');
  return {
    ...given,
    code,
    ...effectOf(given),
    budget: budget === null ? null : amountOf(budget),
    placeAmount: placeAmount === null ? null : amountOf(placeAmount),
    tag: tag?.trim() || null,
  };
}

/** Whoever gets a place that others paid pays nothing. */
const makesFree = ({ effect, value }: NewCode): boolean =>
  value != null && isAmount(value) && toCents(amountOf(value)) === (effect === 'percent' ? 10_000 : effect === 'price' ? 0 : -1);

const isPositive = (value: string): boolean => isAmount(value) && toCents(amountOf(value)) > 0;

function effectOf({ effect = 'none', value = null }: NewCode): Pick<Code, 'effect' | 'value'> {
  if (!codeEffects.includes(effect)) throw refused('effect', 'effect');
  if (effect === 'none') return { effect, value: null };
  if (value === null || !isAmount(value)) throw refused('value', 'amount');
  const cents = toCents(amountOf(value));
  if (effect === 'percent' && (cents === 0 || cents > 10_000)) throw refused('value', 'percent');
  if (effect === 'amount' && cents === 0) throw refused('value', 'amount');
  return { effect, value: amountOf(value) };
}

const faults = {
  spelling: texts.localized('codes.spelling'),
  period: texts.localized('codes.period'),
  oneEvent: texts.localized('codes.oneEvent'),
  placeEvent: texts.localized('codes.placeEvent'),
  placeTickets: texts.localized('codes.placeTickets'),
  appliesTo: texts.localized('codes.appliesTo'),
  membershipsOnly: texts.localized('codes.membershipsOnly'),
  placeFree: texts.localized('codes.placeFree'),
  placeTaken: texts.localized('codes.placeTaken'),
  sharedPlaces: texts.localized('codes.sharedPlaces'),
  fewPlaces: texts.localized('codes.fewPlaces'),
  tooMany: texts.localized('codes.tooMany', { most: codeLimits.targets }),
  amount: texts.localized('codes.amount'),
  tag: texts.localized('codes.tag', { most: codeLimits.tag }),
  effect: texts.localized('codes.effect'),
  percent: texts.localized('codes.percent'),
  taken: texts.localized('codes.taken'),
  unknown: texts.localized('codes.unknown'),
  count: texts.localized('codes.count', { most: codeLimits.generated }),
  manyKeeping: texts.localized('codes.manyKeeping', { most: codeLimits.keepingLines }),
  manyNames: texts.localized('codes.manyNames', { most: codeLimits.names }),
} as const satisfies Readonly<Record<string, Text>>;

/** The refusal of a member of a code. */
export const refused = (field: string, fault: keyof typeof faults): RefusedInput => new RefusedInput(field, faults[fault]);
