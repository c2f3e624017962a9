import { lastChangeOf, type WholeEvent } from '#catalogue';
import type { MailEvent } from '#messages';
import { placeOf } from '../notices/notice-place.js';

/** What mails show of an event. @param url address of its public page */
export function mailEventOf(event: WholeEvent, url: string): MailEvent {
  const { name, subtitle, startsAt, endsAt, alteration, previousStartsAt, customConfirmationMessage } = event;
  return {
    name,
    subtitle,
    startsAt,
    endsAt,
    alteration,
    previousStartsAt,
    place: placeOf(event),
    url,
    sequence: event.sequence,
    changedAt: lastChangeOf(event),
    confirmationHtml: customConfirmationMessage,
  };
}
