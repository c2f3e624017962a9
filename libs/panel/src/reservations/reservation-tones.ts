import type { PanelTone } from '#panel-kit';
import type { ReservationStatus } from '#tickets';

/** How the states of reservations look. */
export const tones = {
  C: 'bad',
  R: 'quiet',
  U: 'waiting',
  F: 'waiting',
  FA: 'info',
  P: 'info',
  PE: 'waiting',
  PN: 'waiting',
  V: 'good',
} as const satisfies Record<ReservationStatus, PanelTone>;
