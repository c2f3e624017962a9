import { cardStates, type KnownCard } from '#cards';
import { isoInZone, present } from '#kernel';
import type { TenantIdentity } from '#tenancy';

/** An NFC card as schema.org IndividualProduct: a single thing with a serial number, that somebody owns. */
export function toSchemaOrgCard(
  { card, ownerEmail, membership }: KnownCard,
  { timeZone }: Pick<TenantIdentity, 'timeZone'>,
): Readonly<Record<string, unknown>> {
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

/** Values of the property `status`. */
export const cardStatuses = Object.keys(cardStates);
