import { customFormOf, CustomFormProperty, decimalAmount, paymentAddress, PersonAnswer, codeFormat } from '#tickets';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, Constant, formats, ListOfOne } from '#http';
import { describeData } from '#webhooks';
import { currency, isoInZone, type Language, languages, present } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { checkoutUrlOf } from '#payments';
import { membershipStates } from './membership.entity.js';
import type { WholeMembership } from './membership-rows.js';

class MembershipPlan {
  @Constant('Offer')
  readonly '@type'!: 'Offer';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;
}

class MembershipStatusProperty {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('status')
  readonly name!: 'status';

  @ApiProperty({ enum: Object.keys(membershipStates) })
  readonly value!: string;
}

const example: MembershipAnswer = {
  '@context': 'https://schema.org',
  '@type': 'ProgramMembership',
  identifier: '2b0d6c5e-93a3-4d0c-9b27-6f3e5a1c7d42',
  programName: 'Friends of the house',
  member: { '@type': 'Person', email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
  membershipPlan: { '@type': 'Offer', identifier: 'a9c1f0de-4b1b-4c1f-8b5a-0e3b9d7c6f21', name: 'One year' },
  validFrom: '2027-01-04T10:00:00+01:00',
  validUntil: '2028-01-04T10:00:00+01:00',
  totalPrice: '15.00',
  priceCurrency: currency,
  additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: 'active' }],
};

/** A membership as schema.org ProgramMembership. */
@ApiModel('ProgramMembership', { example })
export class MembershipAnswer {
  @Constant('https://schema.org')
  readonly '@context'!: 'https://schema.org';

  @Constant('ProgramMembership')
  readonly '@type'!: 'ProgramMembership';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly programName!: string;

  @ApiProperty({ type: PersonAnswer })
  readonly member!: PersonAnswer;

  @ApiPropertyOptional({ enum: languages, description: 'In which language the holder is written to.' })
  readonly inLanguage?: Language;

  @ApiProperty({ type: MembershipPlan })
  readonly membershipPlan!: MembershipPlan;

  @ApiProperty(formats.instant)
  readonly validFrom!: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'Absent: without end.' })
  readonly validUntil?: string;

  @ApiProperty(decimalAmount)
  readonly totalPrice!: string;

  @Constant(currency)
  readonly priceCurrency!: typeof currency;

  @ApiPropertyOptional(paymentAddress)
  readonly checkoutUrl?: string;

  @ApiPropertyOptional(codeFormat)
  readonly qrcode?: string;

  @ListOfOne([MembershipStatusProperty, CustomFormProperty])
  readonly additionalProperty!: readonly (MembershipStatusProperty | CustomFormProperty)[];
}

describeData(['membership.created', 'membership.updated'], 'MembershipData', MembershipAnswer);

/**
 * Renders a membership as schema.org ProgramMembership.
 * @param code code of its card, for a valid membership; absent: the answer contains no code
 */
export function toSchemaOrgMembership(
  membership: WholeMembership,
  { timeZone }: Pick<TenantIdentity, 'timeZone'>,
  code?: string,
): MembershipAnswer {
  const { id, email, firstName, lastName, product, price, validFrom, validUntil, status, payments, answers } = membership;
  return present({
    '@context': 'https://schema.org',
    '@type': 'ProgramMembership',
    identifier: id,
    programName: product.name,
    member: present({
      '@type': 'Person',
      // Empty after an erasure.
      email: email || undefined,
      givenName: firstName || undefined,
      familyName: lastName || undefined,
    }),
    inLanguage: membership.language ?? undefined,
    membershipPlan: { '@type': 'Offer', identifier: price.id, name: price.name },
    validFrom: isoInZone(validFrom, timeZone),
    validUntil: validUntil ? isoInZone(validUntil, timeZone) : undefined,
    totalPrice: membership.amount,
    priceCurrency: currency,
    checkoutUrl: status === 'pending' ? checkoutUrlOf(payments) : undefined,
    qrcode: status === 'active' ? code : undefined,
    additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: status }, ...customFormOf(answers)],
  });
}
