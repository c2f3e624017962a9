import { mapAddress, type WholeEvent } from '#catalogue';
import type { MailPlace } from '#messages';

/** Where an event takes place, as mails show it. */
export function placeOf({ postalAddress: address }: Pick<WholeEvent, 'postalAddress'>): MailPlace | null {
  return (
    address && {
      name: address.name,
      street: address.streetAddress ?? '',
      city: [address.postalCode, address.addressLocality].filter(Boolean).join(' '),
      map: mapAddress(address),
    }
  );
}
