import type { Text } from '#kernel';

/** Everything that can be told to the outside (decisions 10), with the name the panel shows. */
export const webhookEvents = {
  'event.created': { en: 'Event created', fr: 'Événement créé' },
  'event.updated': { en: 'Event changed', fr: 'Événement modifié' },
  'event.deleted': { en: 'Event deleted', fr: 'Événement supprimé' },
  'reservation.created': { en: 'Reservation made', fr: 'Réservation créée' },
  'reservation.updated': { en: 'Reservation: address corrected', fr: 'Réservation : adresse corrigée' },
  'reservation.confirmed': { en: 'Reservation confirmed', fr: 'Réservation confirmée' },
  'reservation.cancelled': { en: 'Reservation cancelled', fr: 'Réservation annulée' },
  'ticket.scanned': { en: 'Ticket scanned', fr: 'Billet scanné' },
  'ticket.scan_undone': { en: 'Scan taken back', fr: 'Scan repris' },
  'ticket.cancelled': { en: 'Ticket cancelled', fr: 'Billet annulé' },
  'membership.created': { en: 'Membership created', fr: 'Adhésion créée' },
  'membership.updated': { en: 'Membership: address corrected', fr: 'Adhésion : adresse corrigée' },
} as const satisfies Record<string, Text>;

export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[];

/** Subscribes to every type, those of later versions included. */
export const everyType = '*';

/** What a test from the panel or the API sends, to one endpoint and not to the feed. */
export const pingType = 'webhook.ping';

export function isWebhookEventType(type: string): type is WebhookEventType {
  return Object.hasOwn(webhookEvents, type);
}

/** `data` of an event as it is delivered: a JSON object, as the API shows it, with the `sequence` of its object. */
export type WebhookData = Readonly<Record<string, unknown>>;

/** What a change tells, written in its own transaction. */
export interface OutboxMessage {
  readonly type: WebhookEventType;
  /** The object that changed; its events are told apart and ordered by `sequence`. */
  readonly subjectId: string;
  /** Taken from the object's row under the lock of the change: 1, 2, 3 … */
  readonly sequence: number;
  /** The object as the API shows it, or the facts from which the type's face renders it (see PayloadRenderers). */
  readonly data: WebhookData;
}
