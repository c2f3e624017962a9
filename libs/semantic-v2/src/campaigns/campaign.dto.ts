import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { isoInZone, present } from '#kernel';
import { currentTenant } from '#tenancy';
import type { CountedCampaign } from '#selling';
import { positiveDecimal } from '../shared/saving.dto.js';

/** What a venue collects donations for. */
@ApiModel('Campaign', {
  example: {
    identifier: '7c5e0f0a-4c55-4f0e-9a3e-7f1f6f0f2d33',
    name: 'A new roof',
    url: 'https://laboo.example.org/donate/7c5e0f0a-4c55-4f0e-9a3e-7f1f6f0f2d33',
    goal: '5000.00',
    reached: '1250.00',
    donations: 31,
    amounts: ['10.00', '50.00'],
    withOrders: true,
    published: true,
  },
})
export class CampaignAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Plain text or HTML, as it was written; pages show few elements of it.' })
  readonly description?: string;

  @ApiPropertyOptional({ ...formats.url, description: 'Its page; absent: it is not published.' })
  readonly url?: string;

  @ApiPropertyOptional(positiveDecimal)
  readonly goal?: string;

  @ApiProperty({ ...positiveDecimal, description: 'What was given for it, without what was given back.' })
  readonly reached!: string;

  @ApiProperty({ ...formats.count, description: 'How many donations that sum has.' })
  readonly donations!: number;

  @ApiProperty({ type: 'array', items: positiveDecimal, description: 'Amounts to choose from; none: those of the venue.' })
  readonly amounts!: readonly string[];

  @ApiProperty({ ...formats.boolean, description: 'Whether buyers of tickets may choose it, too.' })
  readonly withOrders!: boolean;

  @ApiProperty(formats.boolean)
  readonly published!: boolean;

  @ApiPropertyOptional({ ...formats.instant, description: 'Donations are taken until then.' })
  readonly validThrough?: string;
}

export class CampaignList {
  @ApiProperty({ type: [CampaignAnswer] })
  readonly results!: readonly CampaignAnswer[];
}

/** Renders a campaign. @param addressOf returns the absolute URL of a path on the tenant's host */
export function toCampaign(campaign: CountedCampaign, addressOf: (path: string) => string): CampaignAnswer {
  const { id, title, text, goal, reached, given, amounts, withOrders, published, endsAt } = campaign;
  return present({
    identifier: id,
    name: title,
    description: text,
    url: published ? addressOf(`/donate/${id}`) : undefined,
    goal,
    reached,
    donations: given,
    amounts: amounts?.split(' ') ?? [],
    withOrders,
    published,
    validThrough: endsAt === null ? undefined : isoInZone(endsAt, currentTenant().timeZone),
  });
}
