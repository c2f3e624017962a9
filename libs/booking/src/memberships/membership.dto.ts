import { isoInZone, present } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { customFormOf } from '../answers/answer.dto.js';
import { checkoutUrlOf } from '#payments';
import type { WholeMembership } from './membership-rows.js';

/**
 * A membership as schema.org ProgramMembership.
 * @param code of its card, once it is valid; without it no code is shown
 */
export function toSchemaOrgMembership(
  membership: WholeMembership,
  { timeZone }: Pick<TenantIdentity, 'timeZone'>,
  code?: string,
): Readonly<Record<string, unknown>> {
  const { id, email, firstName, lastName, product, price, validFrom, validUntil, status, payments, answers } = membership;
  return present({
    '@context': 'https://schema.org',
    '@type': 'ProgramMembership',
    identifier: id,
    programName: product.name,
    member: present({
      '@type': 'Person',
      email,
      givenName: firstName || undefined,
      familyName: lastName || undefined,
    }),
    inLanguage: membership.language ?? undefined,
    membershipPlan: { '@type': 'Offer', identifier: price.id, name: price.name },
    validFrom: isoInZone(validFrom, timeZone),
    validUntil: validUntil ? isoInZone(validUntil, timeZone) : undefined,
    totalPrice: membership.amount,
    priceCurrency: 'EUR',
    checkoutUrl: status === 'pending' ? checkoutUrlOf(payments) : undefined,
    qrcode: status === 'active' ? code : undefined,
    additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: status }, ...customFormOf(answers)],
  });
}
