import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats, PageQuery } from '#http';
import { optionalText, present } from '#kernel';
import { codeEffects, codeTargets, type Code, type CountedCode } from '#tickets';
import { positiveDecimal, uuidList, SavingAnswer, savingMembers } from '../shared/saving.dto.js';

/** Query of `GET /api/v2/codes/`. */
export class CodesQuery extends PageQuery {
  @ApiProperty({ description: 'One code, in any spelling.' })
  @optionalText(100)
  code?: string;

  @ApiProperty({ description: 'The tag of codes that belong together.' })
  @optionalText(60)
  tag?: string;
}

/** A discount code. */
@ApiModel('Code', {
  example: {
    identifier: '5b8e3f0a-1c55-4f0e-9a3e-7f1f6f0f2d11',
    code: 'PRESS-ACDEF34679',
    effect: 'percent',
    appliesTo: 'tickets',
    value: '20.00',
    offers: [],
    products: [],
    events: [],
    maxUses: 1,
    reserved: 0,
    tag: 'press',
    disabled: false,
    uses: 0,
    spent: '0.00',
  },
})
export class CodeAnswer extends SavingAnswer {
  @ApiProperty({ ...formats.text, description: 'In capitals. Buyers may enter it in any spelling.' })
  readonly code!: string;

  @ApiProperty({
    enum: codeEffects,
    description: 'What a ticket or a membership costs with it, or how much or how many percent less; none only opens.',
  })
  readonly effect!: Code['effect'];

  @ApiProperty({ enum: codeTargets, description: 'tickets: also goods.' })
  readonly appliesTo!: Code['appliesTo'];

  @ApiPropertyOptional({ ...positiveDecimal, description: 'Euros or percent; absent for none.' })
  readonly value?: string;

  @ApiProperty({
    ...uuidList,
    description: 'Offers that it is for, beside those of products; none in both: all. It opens hidden ones of them.',
  })
  readonly offers!: readonly string[];

  @ApiPropertyOptional({ ...formats.count, description: 'Maximum number of tickets and memberships.' })
  readonly maxUses?: number;

  @ApiPropertyOptional({ ...formats.count, description: 'Maximum number of tickets and memberships of one person.' })
  readonly maxUsesPerPerson?: number;

  @ApiPropertyOptional({ ...positiveDecimal, description: 'What it may save in all.' })
  readonly budget?: string;

  @ApiProperty({ ...formats.count, description: 'Places of its only event that are kept for it while it is valid.' })
  readonly reserved!: number;

  @ApiPropertyOptional(formats.text)
  readonly tag?: string;

  @ApiProperty({ ...formats.count, description: 'Tickets and memberships that use it, also those that are only held.' })
  readonly uses!: number;

  @ApiProperty({ ...positiveDecimal, description: 'What it saved at these.' })
  readonly spent!: string;
}

export class CodeList {
  @ApiProperty({ type: [CodeAnswer] })
  readonly results!: readonly CodeAnswer[];
}

/** Renders a code. */
export function toCode(code: CountedCode): CodeAnswer {
  return present({
    ...savingMembers(code),
    code: code.code,
    effect: code.effect,
    appliesTo: code.appliesTo,
    value: code.value,
    offers: code.priceIds,
    maxUses: code.maxUses,
    maxUsesPerPerson: code.maxPerPerson,
    budget: code.budget,
    reserved: code.reserved,
    tag: code.tag,
    uses: code.uses,
    spent: code.spent,
  });
}
