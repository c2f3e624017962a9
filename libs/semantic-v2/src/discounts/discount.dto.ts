import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { present } from '#kernel';
import { discountEffects, discountKinds, type CountedDiscount, type Discount } from '#tickets';
import { positiveDecimal, uuidList, SavingAnswer, savingMembers } from '../shared/saving.dto.js';

/** Tickets of a set. */
class SetPartAnswer {
  @ApiProperty({ ...uuidList, description: 'Any of these offers.' })
  readonly offers!: readonly string[];

  @ApiProperty(formats.count)
  readonly quantity!: number;
}

/** A discount that needs no code. */
@ApiModel('Discount', {
  example: {
    identifier: '0b1f2a57-9c0e-4a53-8d21-0a7c8c1f4a10',
    name: '4 for 3',
    kind: 'n_for_m',
    effect: 'percent',
    value: '100.00',
    least: 4,
    reduced: 1,
    parts: [],
    offers: [],
    products: [],
    events: [],
    disabled: false,
    uses: 0,
    spent: '0.00',
  },
})
export class DiscountAnswer extends SavingAnswer {
  @ApiProperty({ ...formats.text, description: 'Buyers read it.' })
  readonly name!: string;

  @ApiProperty({ enum: discountKinds, description: 'When it is given.' })
  readonly kind!: Discount['kind'];

  @ApiProperty({
    enum: discountEffects,
    description: 'What value is: percent or euros less for each ticket; price: what a set costs together.',
  })
  readonly effect!: Discount['effect'];

  @ApiProperty(positiveDecimal)
  readonly value!: string;

  @ApiPropertyOptional({
    ...formats.count,
    description: 'Tickets (quantity, n_for_m) or different events of one order (events) that it needs.',
  })
  readonly least?: number;

  @ApiPropertyOptional({ ...formats.count, description: 'Of n_for_m: how many of these tickets are reduced, the cheapest ones.' })
  readonly reduced?: number;

  @ApiPropertyOptional({ ...positiveDecimal, description: 'Of value: what the tickets must cost together.' })
  readonly leastAmount?: string;

  @ApiPropertyOptional({ ...formats.uuid, description: 'Of members: the membership that the buyer must have.' })
  readonly membership?: string;

  @ApiProperty({ type: [SetPartAnswer], description: 'Of set: what it contains.' })
  readonly parts!: readonly SetPartAnswer[];

  @ApiProperty({ ...uuidList, description: 'Offers that it is for, beside those of products; none in both: all admission.' })
  readonly offers!: readonly string[];

  @ApiProperty({ ...formats.count, description: 'Tickets that it reduces, also those that are only held.' })
  readonly uses!: number;

  @ApiProperty({ ...positiveDecimal, description: 'What it saved at these tickets.' })
  readonly spent!: string;
}

export class DiscountList {
  @ApiProperty({ type: [DiscountAnswer] })
  readonly results!: readonly DiscountAnswer[];
}

/** Renders a discount. */
export function toDiscount(discount: CountedDiscount): DiscountAnswer {
  return present({
    ...savingMembers(discount),
    name: discount.name,
    kind: discount.kind,
    effect: discount.effect,
    value: discount.value,
    least: discount.least,
    reduced: discount.reduced,
    leastAmount: discount.leastAmount,
    membership: discount.membershipId,
    parts: discount.parts.map(({ priceIds, quantity }) => ({ offers: priceIds, quantity })),
    offers: discount.priceIds,
    uses: discount.uses,
    spent: discount.spent,
  });
}
