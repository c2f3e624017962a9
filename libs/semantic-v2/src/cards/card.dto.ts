import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { cardStates, type KnownCard } from '#cards';
import { ApiModel, Constant, formats, ListOfOne } from '#http';
import { isoInZone, present } from '#kernel';
import type { TenantIdentity } from '#tenancy';

class CardMembership {
  @Constant('ProgramMembership')
  readonly '@type'!: 'ProgramMembership';

  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly programName!: string;

  @ApiProperty(formats.instant)
  readonly validFrom!: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'Absent: without end.' })
  readonly validUntil?: string;
}

class CardOwner {
  @Constant('Person')
  readonly '@type'!: 'Person';

  @ApiProperty({ ...formats.text, format: 'idn-email' })
  readonly email!: string;

  @ApiPropertyOptional({ type: CardMembership })
  readonly memberOf?: CardMembership;
}

class CardStatus {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('status')
  readonly name!: 'status';

  @ApiProperty({ enum: Object.keys(cardStates) })
  readonly value!: string;
}

class HasMembership {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('hasMembership')
  readonly name!: 'hasMembership';

  @ApiProperty(formats.boolean)
  readonly value!: boolean;
}

const example: CardAnswer = {
  '@context': 'https://schema.org',
  '@type': 'IndividualProduct',
  identifier: '04A22F1B445E80',
  serialNumber: '4F2A 0017',
  owner: {
    '@type': 'Person',
    email: 'ada@example.org',
    memberOf: {
      '@type': 'ProgramMembership',
      identifier: '8a0a2c7e-9c5b-4c53-8a5e-6f1f4d8c5f10',
      programName: 'Friends of the house',
      validFrom: '2026-09-01T00:00:00+02:00',
      validUntil: '2027-09-01T00:00:00+02:00',
    },
  },
  additionalProperty: [
    { '@type': 'PropertyValue', name: 'status', value: 'active' },
    { '@type': 'PropertyValue', name: 'hasMembership', value: true },
  ],
};

@ApiModel('Card', { example })
export class CardAnswer {
  @Constant('https://schema.org')
  readonly '@context'!: 'https://schema.org';

  @Constant('IndividualProduct')
  readonly '@type'!: 'IndividualProduct';

  @ApiProperty({ ...formats.text, description: 'Tag: the UID in upper-case hexadecimal digits.' })
  readonly identifier!: string;

  @ApiPropertyOptional({ ...formats.text, description: 'As printed on the card. Absent: it has none.' })
  readonly serialNumber?: string;

  @ApiPropertyOptional({
    type: CardOwner,
    description: 'Only of an owner who is a member or a buyer of this place; `memberOf` while a membership is valid.',
  })
  readonly owner?: CardOwner;

  @ListOfOne([CardStatus, HasMembership])
  readonly additionalProperty!: readonly (CardStatus | HasMembership)[];
}

/** Renders an NFC card as schema.org IndividualProduct, the type of a single item with a serial number and an owner. */
export function toSchemaOrgCard({ card, ownerEmail, membership }: KnownCard, { timeZone }: Pick<TenantIdentity, 'timeZone'>): CardAnswer {
  return present({
    '@context': 'https://schema.org',
    '@type': 'IndividualProduct',
    identifier: card.tag,
    serialNumber: card.number ?? undefined,
    owner:
      ownerEmail === null
        ? undefined
        : present({
            '@type': 'Person',
            email: ownerEmail,
            memberOf: membership
              ? present({
                  '@type': 'ProgramMembership',
                  identifier: membership.id,
                  programName: membership.product,
                  validFrom: isoInZone(membership.validFrom, timeZone),
                  validUntil: membership.validUntil ? isoInZone(membership.validUntil, timeZone) : undefined,
                })
              : undefined,
          }),
    additionalProperty: [
      { '@type': 'PropertyValue', name: 'status', value: card.state },
      { '@type': 'PropertyValue', name: 'hasMembership', value: membership !== null },
    ],
  });
}
