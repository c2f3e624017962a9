import type { Language, Text } from '#kernel';
import type { DeliveryStatus } from '#webhooks';
import { attemptFailures, everyType, pingType, webhookEvents } from '#webhooks';
import type { PanelTone } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Labels of the types of deliveries. */
export const deliveredTypes: Readonly<Record<string, Text>> = {
  ...webhookEvents,
  [pingType]: texts.localized('webhookWords.types.ping'),
};

/** Labels of the types that an endpoint can request. */
export const wantedTypes: Readonly<Record<string, Text>> = {
  [everyType]: texts.localized('webhookWords.types.every'),
  ...webhookEvents,
};

export const deliveryStates = {
  waiting: texts.localized('webhookWords.deliveryStates.waiting'),
  delivered: texts.localized('webhookWords.deliveryStates.delivered'),
  failed: texts.localized('webhookWords.deliveryStates.failed'),
} as const satisfies Record<DeliveryStatus, Text>;

export const deliveryTones = {
  waiting: 'waiting',
  delivered: 'good',
  failed: 'bad',
} as const satisfies Record<DeliveryStatus, PanelTone>;

/** Label of a type; for types that no longer exist, their code. */
export const typeName = (type: string, language: Language): string => deliveredTypes[type]?.[language] ?? type;

/** The result of the last attempt, such as `HTTP 500 · Refused by the receiver`; empty before the first one. */
export function outcomeOf(
  { status, failure }: { status: number | null; failure: keyof typeof attemptFailures | null },
  language: Language,
): string {
  return [status === null ? '' : `HTTP ${status}`, failure ? attemptFailures[failure][language] : ''].filter(Boolean).join(' · ');
}
