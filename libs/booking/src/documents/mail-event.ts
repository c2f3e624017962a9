import { lastChangeOf, type WholeEvent } from '#catalogue';
import type { MailEvent } from '#messages';

/** What mails show of an event. @param url address of its public page */
export function mailEventOf(event: WholeEvent, url: string): MailEvent {
  const { name, subtitle, startsAt, endsAt, alteration, previousStartsAt, postalAddress: address, customConfirmationMessage } = event;
  return {
    name,
    subtitle,
    startsAt,
    endsAt,
    alteration,
    previousStartsAt,
    place: address && {
      name: address.name,
      street: address.streetAddress ?? '',
      city: [address.postalCode, address.addressLocality].filter(Boolean).join(' '),
    },
    url,
    sequence: event.sequence,
    changedAt: lastChangeOf(event),
    confirmationHtml: customConfirmationMessage,
  };
}
