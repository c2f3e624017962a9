import type { Text } from '#kernel';
import type { Scope } from '#tenancy';
import { texts } from './locales/webhooks.texts.js';

/** All event types (docs/decisions, section 10) with the name that the panel shows. */
export const webhookEvents = {
  'event.created': texts.localized('webhookEvents.eventCreated'),
  'event.updated': texts.localized('webhookEvents.eventUpdated'),
  'event.deleted': texts.localized('webhookEvents.eventDeleted'),
  'reservation.created': texts.localized('webhookEvents.reservationCreated'),
  'reservation.updated': texts.localized('webhookEvents.reservationUpdated'),
  'reservation.confirmed': texts.localized('webhookEvents.reservationConfirmed'),
  'reservation.cancelled': texts.localized('webhookEvents.reservationCancelled'),
  'ticket.scanned': texts.localized('webhookEvents.ticketScanned'),
  'ticket.scan_undone': texts.localized('webhookEvents.ticketScanUndone'),
  'ticket.cancelled': texts.localized('webhookEvents.ticketCancelled'),
  'membership.created': texts.localized('webhookEvents.membershipCreated'),
  'membership.updated': texts.localized('webhookEvents.membershipUpdated'),
} as const satisfies Record<string, Text>;

export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[];

type NounOf<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never;

/** Facts about all types of a noun. */
export interface WebhookNoun {
  /** The schema that `data` follows, for the API document. */
  readonly schema: string;
  /** The scope that a key needs beside `webhook`, because `data` has names or e-mail addresses; null: no personal data. */
  readonly personal: Scope | null;
}

/** By the first part of the type. */
export const webhookNouns: Readonly<Record<NounOf<WebhookEventType>, WebhookNoun>> = {
  event: { schema: 'an `Event`', personal: null },
  reservation: { schema: 'an `EventReservation`', personal: 'reservation:read' },
  ticket: { schema: 'a ticket as `GET /api/ticket/` answers it', personal: 'ticket:read' },
  membership: { schema: 'a `ProgramMembership`', personal: 'membership:read' },
};

/** The noun of a type; undefined for `*` and types that do not exist. */
export function nounOf(type: string): WebhookNoun | undefined {
  const [noun = ''] = type.split('.');
  return Object.hasOwn(webhookNouns, noun) ? webhookNouns[noun as NounOf<WebhookEventType>] : undefined;
}

/** Subscribes to every type, including types of later versions. */
export const everyType = '*';

/** The type of a test event from the panel or the API; it goes to one endpoint and not to the feed. */
export const pingType = 'webhook.ping';

/** Whether this program sends webhooks of this type. */
export function isWebhookEventType(type: string): type is WebhookEventType {
  return Object.hasOwn(webhookEvents, type);
}

/** `data` of an event as it is delivered: a JSON object, as the API shows it, with the `sequence` of its object. */
export type WebhookData = object;

/** An event of a change, written in the transaction of that change. */
export interface OutboxMessage {
  readonly type: WebhookEventType;
  /** The object that changed; `sequence` orders its events. */
  readonly subjectId: string;
  /** Taken from the object's row under the lock of the change: 1, 2, 3 … */
  readonly sequence: number;
  /** The object as the API shows it, or the facts from which the type's renderer builds it (see PayloadRenderers). */
  readonly data: WebhookData;
}
