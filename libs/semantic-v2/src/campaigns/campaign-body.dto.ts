import { ApiProperty } from '@nestjs/swagger';
import { amountOf, amountPattern, isAmount } from '#catalogue';
import { ApiModel } from '#http';
import { definedOf, isNothing, may, optionalText, text, whenSent } from '#kernel';
import { campaignLimits, type CampaignChange, type NewCampaign } from '#selling';
import { Allow } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { knownInstantOf } from '../shared/date-time.js';
import { amountMember, instantMember, switchMember } from '../shared/sale-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

const { title, text: longestText, amounts: mostAmounts } = campaignLimits;
const isAmounts = (value: unknown): boolean => Array.isArray(value) && value.length <= mostAmounts && value.every(isAmount);

/** Optional members of a campaign; null removes a value. */
class CampaignMembers {
  @ApiProperty({ description: 'Plain text, or HTML of which pages show few elements.' })
  @optionalText(longestText)
  description?: string | null;

  @amountMember('More than 0; pages say how far it is.')
  goal?: string | number | null;

  @may('isAmounts', isAmounts, texts.localized('campaignBody.amountsInvalid', { most: mostAmounts }), {
    type: 'array',
    maxItems: mostAmounts,
    items: { anyOf: [{ type: 'number' }, { type: 'string', pattern: amountPattern }] },
    description: 'Amounts to choose from; none: those of the venue.',
  })
  amounts?: readonly (string | number)[] | null;

  @switchMember({ default: true, description: 'Whether buyers of tickets may choose it, too.' })
  withOrders?: boolean | null;

  @switchMember({ default: false })
  published?: boolean | null;

  @instantMember('Donations are taken until then.')
  validThrough?: string | null;
}

/** Body of `POST /api/v2/campaigns/`. */
@ApiModel('NewCampaign', { example: { name: 'A new roof', goal: 5000, published: true } })
export class NewCampaignBody extends CampaignMembers {
  @text(1, title)
  name!: string;
}

/** Body of `PATCH /api/v2/campaigns/<uuid>/`, a JSON merge patch: absent members do not change. */
@ApiModel('CampaignChange', { example: { published: false } })
export class CampaignChangeBody extends CampaignMembers {
  @whenSent()
  @text(1, title)
  name?: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;

  @ApiProperty({ type: String, required: false, description: asAnswered })
  @Allow()
  url?: unknown;

  @ApiProperty({ type: String, required: false, description: asAnswered })
  @Allow()
  reached?: unknown;

  @ApiProperty({ type: 'integer', required: false, description: asAnswered })
  @Allow()
  donations?: unknown;
}

/** @param body a validated body */
export function toCampaignChange(body: CampaignChangeBody): CampaignChange {
  const { name, description, goal, amounts, withOrders, published, validThrough } = body;
  return definedOf({
    title: name,
    text: description,
    goal: isNothing(goal) ? goal : amountOf(goal),
    amounts: isNothing(amounts) ? amounts : amounts.map(amountOf).join(' '),
    withOrders: withOrders === null ? true : withOrders,
    published: published === null ? false : published,
    endsAt: isNothing(validThrough) ? validThrough : knownInstantOf(validThrough),
  });
}

/** Maps a validated body to a new campaign. */
export const toNewCampaign = (body: NewCampaignBody): NewCampaign => ({ ...toCampaignChange(body), title: body.name });

/** Members of the body by the field names of the service. */
export const campaignPointers: Readonly<Record<string, string>> = {
  title: '/name',
  text: '/description',
  goal: '/goal',
  amounts: '/amounts',
};
