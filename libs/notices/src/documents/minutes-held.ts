import type { MailedReservation } from './mailed-reservation.js';

/** Minutes for which an order is held from its mail on; at least one. */
export function minutesHeld({ expiresAt }: MailedReservation, { createdAt }: { readonly createdAt: Date }): number {
  return Math.max(1, Math.round(((expiresAt?.getTime() ?? 0) - createdAt.getTime()) / 60_000));
}
