import { lastChangeOf, publicColumnsOf, type WholeEvent } from '#catalogue';
import type { MailEvent } from '#messages';
import { placeOf } from '../notices/notice-place.js';

/** What mails show of an event. @param url address of its public page */
export function mailEventOf(event: WholeEvent, url: string): MailEvent {
  return {
    ...publicColumnsOf(event),
    place: placeOf(event),
    url,
    changedAt: lastChangeOf(event),
    confirmationHtml: event.customConfirmationMessage,
  };
}
