import { ApiProperty } from '@nestjs/swagger';
import { amountOf } from '#catalogue';
import { ApiModel } from '#http';
import { definedOf, isNothing, isUuid, may, must, optionalWhole, text, whenSent } from '#kernel';
import { discountEffects, discountKinds, type DiscountChange, type NewDiscount, type SetPart } from '#tickets';
import { Allow } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { knownInstantOf } from '../shared/date-time.js';
import { amountMember, idsMember, instantMember, isIds, switchMember } from '../shared/sale-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

/** A part of a set, as it is sent. */
interface SentPart {
  readonly offers: readonly string[];
  readonly quantity: number;
}

const isPart = (value: unknown): value is SentPart => {
  const { offers, quantity } = (value ?? {}) as Partial<SentPart>;
  return isIds(offers) && typeof quantity === 'number' && Number.isInteger(quantity) && quantity > 0 && quantity <= 100;
};

/** Optional members of a discount; null removes a value. */
class DiscountMembers {
  @ApiProperty({ type: String, enum: discountEffects, description: 'Default: percent; of a set: price.' })
  @may('isDiscountEffect', (value) => discountEffects.includes(value as 'percent'), texts.localized('discountBody.effectInvalid'))
  effect?: (typeof discountEffects)[number] | null;

  @amountMember('Percent or euros, as effect says; what a set costs together. Default of n_for_m: 100 percent.')
  value?: string | number | null;

  @optionalWhole(2)
  @ApiProperty({
    description: 'Tickets that it needs (quantity), of which some are reduced (n_for_m), or different events of one order (events).',
  })
  least?: number | null;

  @optionalWhole(1)
  @ApiProperty({ description: 'Of n_for_m: how many of these tickets are reduced, the cheapest ones.' })
  reduced?: number | null;

  @amountMember('Of value: what the tickets must cost together.')
  leastAmount?: string | number | null;

  @ApiProperty({ type: String, format: 'uuid', description: 'Of members: identifier of the membership that the buyer must have.' })
  @may('isUuid', isUuid, texts.localized('codeBody.idsInvalid'))
  membership?: string | null;

  @ApiProperty({ description: 'Of set: what it contains, each part with the offers that it may consist of.' })
  @may(
    'isSetParts',
    (value) => Array.isArray(value) && value.length <= 10 && value.every(isPart),
    texts.localized('discountBody.partsInvalid'),
    {
      type: 'array',
      maxItems: 10,
      items: {
        type: 'object',
        required: ['offers', 'quantity'],
        properties: {
          offers: { type: 'array', maxItems: 50, items: { type: 'string', format: 'uuid' } },
          quantity: { type: 'integer', minimum: 1, maximum: 100 },
        },
      },
    },
  )
  parts?: readonly SentPart[] | null;

  @idsMember('Identifiers of offers that it is for, beside those of products; none in both: all admission.')
  offers?: string[] | null;

  @idsMember('Identifiers of products that it is for.')
  products?: string[] | null;

  @idsMember('Identifiers of events that it is for; none: all.')
  events?: string[] | null;

  @instantMember('It is given from then on.')
  validFrom?: string | null;

  @instantMember('It is given until then, after validFrom.')
  validThrough?: string | null;

  @switchMember({ default: false })
  disabled?: boolean | null;
}

const nameText = { description: 'Buyers read it.' };
const isKind = (value: unknown): boolean => discountKinds.includes(value as 'set');

/** Body of `POST /api/v2/discounts/`. */
@ApiModel('NewDiscount', { example: { name: '4 for 3', kind: 'n_for_m', least: 4, reduced: 1 } })
export class NewDiscountBody extends DiscountMembers {
  @ApiProperty(nameText)
  @text(1, 60)
  name!: string;

  @must('isDiscountKind', isKind, texts.localized('discountBody.kindInvalid'), { type: String, enum: discountKinds })
  kind!: (typeof discountKinds)[number];
}

/** Body of `PATCH /api/v2/discounts/<uuid>/`, a JSON merge patch: absent members do not change. */
@ApiModel('DiscountChange', { example: { disabled: true } })
export class DiscountChangeBody extends DiscountMembers {
  @whenSent()
  @ApiProperty(nameText)
  @text(1, 60)
  name?: string;

  @whenSent()
  @must('isDiscountKind', isKind, texts.localized('discountBody.kindInvalid'), { type: String, enum: discountKinds })
  kind?: (typeof discountKinds)[number];

  @ApiProperty({ type: String, format: 'uuid', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;

  @ApiProperty({ type: 'integer', required: false, description: asAnswered })
  @Allow()
  uses?: unknown;

  @ApiProperty({ type: String, required: false, description: asAnswered })
  @Allow()
  spent?: unknown;
}

const amountText = (value: string | number | null | undefined): string | null | undefined => (isNothing(value) ? value : amountOf(value));
const timeOf = (value: string | null | undefined): Date | null | undefined => (isNothing(value) ? value : knownInstantOf(value));
const lowered = (value: readonly string[] | null | undefined): string[] | undefined =>
  value === undefined ? undefined : (value ?? []).map((id) => id.toLowerCase());
const partsOf = (value: readonly SentPart[] | null | undefined): SetPart[] | undefined =>
  value === undefined ? undefined : (value ?? []).map(({ offers, quantity }) => ({ priceIds: lowered(offers) ?? [], quantity }));

/** @param body a validated body */
export function toDiscountChange(body: DiscountChangeBody): DiscountChange {
  const { name, kind, effect, least, reduced, membership, disabled } = body;
  const change = {
    name,
    kind,
    effect: effect ?? undefined,
    value: amountText(body.value) ?? undefined,
    least,
    reduced,
    leastAmount: amountText(body.leastAmount),
    membershipId: membership?.toLowerCase() ?? membership,
    parts: partsOf(body.parts),
    priceIds: lowered(body.offers),
    productIds: lowered(body.products),
    eventIds: lowered(body.events),
    validFrom: timeOf(body.validFrom),
    validUntil: timeOf(body.validThrough),
    disabled: disabled === null ? false : disabled,
  };
  return definedOf(change);
}

/** Maps a validated body to a new discount. */
export function toNewDiscount(body: NewDiscountBody): NewDiscount {
  return { ...toDiscountChange(body), name: body.name, kind: body.kind };
}

/** Members of the body by the field names of the service. */
export const discountPointers: Readonly<Record<string, string>> = {
  name: '/name',
  kind: '/kind',
  effect: '/effect',
  value: '/value',
  least: '/least',
  reduced: '/reduced',
  leastAmount: '/leastAmount',
  membershipId: '/membership',
  parts: '/parts',
  priceIds: '/offers',
  productIds: '/products',
  eventIds: '/events',
  validUntil: '/validThrough',
};
