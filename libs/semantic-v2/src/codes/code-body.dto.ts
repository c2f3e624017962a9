import { ApiProperty } from '@nestjs/swagger';
import { amountOf } from '#catalogue';
import { ApiModel } from '#http';
import { definedOf, isNothing, may, optionalText, optionalWhole, text, whenSent } from '#kernel';
import { codeEffects, codeTargets, type CodeChange, type NewCode } from '#tickets';
import { Allow } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { knownInstantOf } from '../shared/date-time.js';
import { amountMember, idsMember, instantMember, switchMember } from '../shared/sale-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

/** Optional members of a code; null removes a value. */
class CodeMembers {
  @ApiProperty({ type: String, enum: codeEffects, default: 'none' })
  @may('isCodeEffect', (value) => codeEffects.includes(value as 'none'), texts.localized('codeBody.effectInvalid'))
  effect?: (typeof codeEffects)[number] | null;

  @ApiProperty({ type: String, enum: codeTargets, default: 'tickets', description: 'tickets: also goods.' })
  @may('isCodeTarget', (value) => codeTargets.includes(value as 'both'), texts.localized('codeBody.appliesToInvalid'))
  appliesTo?: (typeof codeTargets)[number] | null;

  @amountMember('Euros or percent, as effect says.')
  value?: string | number | null;

  @idsMember('Identifiers of offers that it is for, beside those of products; none in both: all. It opens hidden ones of them.')
  offers?: string[] | null;

  @idsMember('Identifiers of products that it is for.')
  products?: string[] | null;

  @idsMember('Identifiers of events that it is for; none: all.')
  events?: string[] | null;

  @instantMember('It is valid from then on.')
  validFrom?: string | null;

  @instantMember('It is valid until then, after validFrom.')
  validThrough?: string | null;

  @optionalWhole(1)
  @ApiProperty({ description: 'Maximum number of tickets and memberships.' })
  maxUses?: number | null;

  @optionalWhole(1)
  @ApiProperty({ description: 'Maximum number of tickets and memberships of one person.' })
  maxUsesPerPerson?: number | null;

  @amountMember('What it may save in all.')
  budget?: string | number | null;

  @optionalWhole(0)
  @ApiProperty({ default: 0, description: 'Places that are kept for it while it is valid; it is for exactly one event then.' })
  reserved?: number | null;

  @optionalText(60)
  @ApiProperty({ description: 'Finds codes that belong together.' })
  tag?: string | null;

  @switchMember({ default: false })
  disabled?: boolean | null;
}

const codeText = { description: '4 to 40 letters and digits, also with `.`, `-` and `_`. Capitals make no difference.' };

/** Body of `POST /api/v2/codes/`. */
@ApiModel('NewCode', { example: { code: 'SPRING-20', effect: 'percent', value: 20, maxUses: 100 } })
export class NewCodeBody extends CodeMembers {
  @ApiProperty(codeText)
  @text(1, 100)
  code!: string;
}

/** Body of `PATCH /api/v2/codes/<uuid>/`, a JSON merge patch: absent members do not change. */
@ApiModel('CodeChange', { example: { disabled: true } })
export class CodeChangeBody extends CodeMembers {
  @whenSent()
  @ApiProperty(codeText)
  @text(1, 100)
  code?: string;

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
const lowered = (value: string[] | null | undefined): string[] | undefined =>
  value === undefined ? undefined : (value ?? []).map((id) => id.toLowerCase());

/** @param body a validated body */
export function toCodeChange(body: CodeChangeBody): CodeChange {
  const { code, effect, appliesTo, maxUses, maxUsesPerPerson: maxPerPerson, reserved, tag, disabled } = body;
  const change = {
    code,
    effect: effect === null ? 'none' : effect,
    appliesTo: appliesTo === null ? ('tickets' as const) : appliesTo,
    // Without an effect nothing is reduced.
    value: effect === 'none' || effect === null ? null : amountText(body.value),
    priceIds: lowered(body.offers),
    productIds: lowered(body.products),
    eventIds: lowered(body.events),
    validFrom: timeOf(body.validFrom),
    validUntil: timeOf(body.validThrough),
    maxUses,
    maxPerPerson,
    budget: amountText(body.budget),
    reserved: reserved === null ? 0 : reserved,
    tag,
    disabled: disabled === null ? false : disabled,
  };
  return definedOf(change);
}

/** Maps a validated body to a new code. */
export function toNewCode(body: NewCodeBody): NewCode {
  return { ...toCodeChange(body), code: body.code };
}

/** Members of the body by the field names of the service. */
export const codePointers: Readonly<Record<string, string>> = {
  code: '/code',
  effect: '/effect',
  appliesTo: '/appliesTo',
  value: '/value',
  priceIds: '/offers',
  productIds: '/products',
  eventIds: '/events',
  validUntil: '/validThrough',
  maxUses: '/maxUses',
  maxPerPerson: '/maxUsesPerPerson',
  budget: '/budget',
  reserved: '/reserved',
  tag: '/tag',
};
