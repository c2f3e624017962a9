import { ApiProperty } from '@nestjs/swagger';
import { amountOf, amountPattern, isAmount, priceTexts, subscriptionTypes, vatOf, vatRates } from '#catalogue';
import { ApiModel } from '#http';
import type { NewPrice, PriceChange, SubscriptionType } from '#catalogue';
import { definedOf, currency, isNothing, may, mayHold, must, optionalWhole, sayTheSame, text, whenSent } from '#kernel';
import { Allow } from 'class-validator';
import { mayHaveProperties, propertyOf, uncheckedProperty, type PropertyValue } from '../bookings/booking-members.dto.js';
import { asAnswered } from '../shared/answered-members.js';
import { dateTimePattern, instantOf, knownInstantOf } from '../shared/date-time.js';
import { IsReference } from '../shared/reference-models.dto.js';
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

const isInstant = (value: unknown): boolean => instantOf(value) !== undefined;
const instant = (description: string): object => ({ type: String, pattern: dateTimePattern, description });
const instantSentence = texts.localized('eventBody.startInvalid');
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const flagSentence = texts.localized('offerBody.notBoolean');

function isSubscriptionType(value: unknown): value is SubscriptionType {
  return typeof value === 'string' && Object.hasOwn(subscriptionTypes, value);
}

function isMembership(value: unknown): boolean {
  return referenceOf(value, '') !== undefined;
}

/** Ignores invalid spellings, because these have their own errors. */
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

const vatDescription = `${Object.keys(vatRates).join(', ')} or a rate in percent.`;
const amount = {
  anyOf: [
    { type: 'number', minimum: 0, maximum: 99_999_999.99 },
    { type: 'string', pattern: amountPattern },
  ],
  description: 'At most two decimals.',
};

/** Optional members of schema.org Offer; null removes a value. */
export class OfferMembers {
  @ApiProperty({ type: String, enum: [currency] })
  @may('isCurrency', (value) => value === currency, texts.localized('offerBody.currencyInvalid'))
  priceCurrency?: string | null;

  @ApiProperty({ type: Boolean, default: false, description: 'The buyer chooses the amount; price is the least.' })
  @may('isBoolean', isFlag, flagSentence)
  freePrice?: boolean | null;

  @ApiProperty({ anyOf: [{ type: 'string' }, { type: 'number' }], default: 'NA', description: vatDescription })
  @may('isVat', (value) => vatOf(value) !== undefined, texts.localized('offerBody.vatInvalid'))
  vat?: string | number | null;

  @stockOnce
  @mayHold(InventoryLevelBody)
  inventoryLevel?: InventoryLevelBody | null;

  @ApiProperty({ description: 'A shorter spelling of inventoryLevel.value; sent beside it, it must be the same.' })
  @stockOnce
  @optionalWhole(0)
  stock?: number | null;

  @maximumOnce
  @mayHold(EligibleQuantityBody)
  eligibleQuantity?: EligibleQuantityBody | null;

  @ApiProperty({ description: 'A shorter spelling of eligibleQuantity.maxValue; sent beside it, it must be the same.' })
  @maximumOnce
  @optionalWhole(1)
  maxPerUser?: number | null;

  @subscriptionOnce
  @ApiProperty({ type: String, enum: Object.keys(subscriptionTypes) })
  @may('isSubscriptionType', isSubscriptionType, texts.localized('offerBody.subscriptionTypeInvalid'))
  subscriptionType?: string | null;

  @membershipOnce
  @may('isReference', isMembership, texts.localized('offerBody.membershipInvalid'))
  @IsReference()
  membershipRequiredProduct?: unknown;

  @may('isDateTime', isInstant, instantSentence, instant('Buyers can choose it from then on.'))
  availabilityStarts?: string | null;

  @may('isDateTime', isInstant, instantSentence, instant('End of the sale, after availabilityStarts.'))
  availabilityEnds?: string | null;

  @ApiProperty({ type: Boolean, default: true })
  @may('isBoolean', isFlag, flagSentence)
  published?: boolean | null;

  @ApiProperty({ type: Boolean, default: false, description: 'Only a code that names it, or its product, opens it to buyers.' })
  @may('isBoolean', isFlag, flagSentence)
  hidden?: boolean | null;

  @subscriptionOnce
  @membershipOnce
  @mayHaveProperties({
    subscriptionType: (value) => isNothing(value) || isSubscriptionType(value),
    membershipRequiredProduct: (value) => isNothing(value) || isMembership(value),
    // Recurring payments and manual approval are not supported.
    recurringPayment: (value) => isNothing(value) || value === false,
    manualValidation: (value) => isNothing(value) || value === false,
  })
  additionalProperty?: PropertyValue[] | null;
}

const amountSentence = texts.localized('offerBody.amountInvalid');

/** An offer of a new product, and body of `POST /api/v2/products/<uuid>/offers/`. */
@ApiModel('NewOffer', { example: { name: 'Full price', price: '12.50' } })
export class NewOfferBody extends OfferMembers {
  @text(1, priceTexts.name)
  name!: string;

  @must('isAmount', isAmount, amountSentence)
  @ApiProperty(amount)
  price!: string | number;
}

/** Body of `PATCH /api/v2/products/<uuid>/offers/<uuid>/`, a JSON merge patch: absent members do not change. */
@ApiModel('OfferChange', { example: { price: '15.00' } })
export class OfferChangeBody extends OfferMembers {
  @whenSent()
  @text(1, priceTexts.name)
  name?: string;

  @whenSent()
  @must('isAmount', isAmount, amountSentence)
  @ApiProperty(amount)
  price?: string | number;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;
}

/** @param body a validated body */
export function toPriceChange(body: OfferChangeBody): PriceChange {
  const { name, price, freePrice, vat, stock, maxPerUser, published, hidden, availabilityStarts: starts, availabilityEnds: ends } = body;
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
    salesFrom: isNothing(starts) ? starts : knownInstantOf(starts),
    salesUntil: isNothing(ends) ? ends : knownInstantOf(ends),
    requiredMembershipId: isNothing(membership) ? membership : (referenceOf(membership, '') as Reference).id,
    published: published === null ? true : published,
    hidden: hidden === null ? false : hidden,
  };
  return definedOf(changes);
}

/** Maps a validated body to a new price. */
export function toNewPrice(body: NewOfferBody): Omit<NewPrice, 'productId'> {
  return { ...toPriceChange(body), name: body.name, amount: amountOf(body.price) };
}

/** The value of the member, else of the property with this name. */
function ownOrProperty(body: OfferMembers, name: 'subscriptionType' | 'membershipRequiredProduct'): unknown {
  return body[name] ?? propertyOf(body, name) ?? body[name];
}

function inner<Outer>(outer: Outer | null | undefined, value: (outer: Outer) => number | null | undefined): number | undefined {
  return (outer && value(outer)) ?? undefined;
}

/** null when one of the spellings of a limit is null. */
function noneOf(long: object | null | undefined, short: number | null | undefined): null | undefined {
  return short === null || long === null || (long !== undefined && Object.values(long).includes(null)) ? null : undefined;
}
