import { amountOf, isAmount, priceTexts, subscriptionTypes, vatOf } from '#catalogue';
import type { NewPrice, PriceChange, SubscriptionType } from '#catalogue';
import { isNothing, may, mayHold, must, optionalWhole, sayTheSame, text, whenSent } from '#kernel';
import { Allow } from 'class-validator';
import { mayHaveProperties, propertyOf, uncheckedProperty, type PropertyValue } from '../bookings/booking-members.dto.js';
import { referenceOf, type Reference } from '../shared/references.dto.js';
import { texts } from '../locales/semantic-v2.texts.js';

class InventoryLevelBody {
  @optionalWhole(0)
  value?: number | null;
}

class EligibleQuantityBody {
  @optionalWhole(1)
  maxValue?: number | null;
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const flagSentence = texts.localized('offerBody.flagSentence');

function isSubscriptionType(value: unknown): value is SubscriptionType {
  return typeof value === 'string' && Object.hasOwn(subscriptionTypes, value);
}

function isMembership(value: unknown): boolean {
  return referenceOf(value, '') !== undefined;
}

/** Spellings that do not fit have faults of their own. */
const fit = (values: readonly unknown[], least: number): unknown[] =>
  values.map((value) => (Number.isInteger(value) && (value as number) >= least ? value : undefined));

const stockOnce = sayTheSame('inventoryLevel', (body) => {
  const { stock, inventoryLevel } = body as OfferMembers;
  return fit([stock, inventoryLevel?.value], 0);
});
const maximumOnce = sayTheSame('eligibleQuantity', (body) => {
  const { maxPerUser, eligibleQuantity } = body as OfferMembers;
  return fit([maxPerUser, eligibleQuantity?.maxValue], 1);
});
const subscriptionOnce = sayTheSame('subscriptionType', (body) => [
  (body as OfferMembers).subscriptionType,
  uncheckedProperty(body, 'subscriptionType'),
]);
const membershipOnce = sayTheSame('membershipRequiredProduct', (body) =>
  [(body as OfferMembers).membershipRequiredProduct, uncheckedProperty(body, 'membershipRequiredProduct')].map(
    (value) => referenceOf(value, '')?.id,
  ),
);

/** The members of schema.org Offer that may be absent; null takes away what is there. */
export class OfferMembers {
  @may('isCurrency', (value) => value === 'EUR', texts.localized('offerBody.sendEurThereNoOther'))
  priceCurrency?: string | null;

  @may('isBoolean', isFlag, flagSentence)
  freePrice?: boolean | null;

  @may('isVat', (value) => vatOf(value) !== undefined, texts.localized('offerBody.sendNaDxVgHc'))
  vat?: string | number | null;

  @stockOnce
  @mayHold(InventoryLevelBody)
  inventoryLevel?: InventoryLevelBody | null;

  /** A shorter spelling of inventoryLevel.value. */
  @stockOnce
  @optionalWhole(0)
  stock?: number | null;

  @maximumOnce
  @mayHold(EligibleQuantityBody)
  eligibleQuantity?: EligibleQuantityBody | null;

  /** A shorter spelling of eligibleQuantity.maxValue. */
  @maximumOnce
  @optionalWhole(1)
  maxPerUser?: number | null;

  @subscriptionOnce
  @may('isSubscriptionType', isSubscriptionType, texts.localized('offerBody.sendYYearlyMMonthly'))
  subscriptionType?: string | null;

  @membershipOnce
  @may('isReference', isMembership, texts.localized('offerBody.sendUuidMembershipProduct'))
  membershipRequiredProduct?: unknown;

  @may('isBoolean', isFlag, flagSentence)
  published?: boolean | null;

  @subscriptionOnce
  @membershipOnce
  @mayHaveProperties({
    subscriptionType: (value) => isNothing(value) || isSubscriptionType(value),
    membershipRequiredProduct: (value) => isNothing(value) || isMembership(value),
    // Payments that repeat by themselves and sales that staff approve one by one are not offered.
    recurringPayment: (value) => isNothing(value) || value === false,
    manualValidation: (value) => isNothing(value) || value === false,
  })
  additionalProperty?: PropertyValue[] | null;
}

const amountSentence = texts.localized('offerBody.amountSentence');

/** An offer of a new product, and body of `POST /api/v2/products/<uuid>/offers/`. */
export class NewOfferBody extends OfferMembers {
  @text(1, priceTexts.name)
  name!: string;

  @must('isAmount', isAmount, amountSentence)
  price!: string | number;
}

/** Body of `PATCH /api/v2/products/<uuid>/offers/<uuid>/`, a JSON merge patch: what is absent stays. */
export class OfferChangeBody extends OfferMembers {
  @whenSent()
  @text(1, priceTexts.name)
  name?: string;

  @whenSent()
  @must('isAmount', isAmount, amountSentence)
  price?: string | number;

  /** Accepted as it was answered. */
  @Allow()
  identifier?: unknown;
}

/** @param body whose form was checked */
export function toPriceChange(body: OfferChangeBody): PriceChange {
  const { name, price, freePrice, vat, stock, maxPerUser, published } = body;
  const subscriptionType = ownOrProperty(body, 'subscriptionType') as SubscriptionType | null | undefined;
  const membership = ownOrProperty(body, 'membershipRequiredProduct');
  const changes = {
    name,
    amount: price === undefined ? undefined : amountOf(price),
    freeAmount: freePrice === null ? false : freePrice,
    vat: vat === undefined ? undefined : String(vat ?? 'NA').trim(),
    stock: inner(body.inventoryLevel, ({ value }) => value) ?? stock ?? noneOf(body.inventoryLevel, stock),
    maxPerUser: inner(body.eligibleQuantity, ({ maxValue }) => maxValue) ?? maxPerUser ?? noneOf(body.eligibleQuantity, maxPerUser),
    subscriptionType,
    requiredMembershipId: isNothing(membership) ? membership : (referenceOf(membership, '') as Reference).id,
    published: published === null ? true : published,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

export function toNewPrice(body: NewOfferBody): Omit<NewPrice, 'productId'> {
  return { ...toPriceChange(body), name: body.name, amount: amountOf(body.price) };
}

/** A member, or the property of its name. */
function ownOrProperty(body: OfferMembers, name: 'subscriptionType' | 'membershipRequiredProduct'): unknown {
  return body[name] ?? propertyOf(body, name) ?? body[name];
}

function inner<Outer>(outer: Outer | null | undefined, value: (outer: Outer) => number | null | undefined): number | undefined {
  return (outer && value(outer)) ?? undefined;
}

/** null where one of the spellings of a limit says that there is none. */
function noneOf(long: object | null | undefined, short: number | null | undefined): null | undefined {
  return short === null || long === null || (long !== undefined && Object.values(long).includes(null)) ? null : undefined;
}
