import type { ScanOutcome } from '#scan';
import type { PanelTone } from '#panel-kit';

/** What staff read of an attempt. A check lets nobody in, so that what the log calls accepted is another outcome. */
export type ShownOutcome = ScanOutcome | 'may_enter' | 'card_valid';

/** The colour of everything that can come of an attempt at the door. */
export const outcomeTones: Readonly<Record<ShownOutcome, PanelTone>> = {
  accepted: 'good',
  may_enter: 'quiet',
  card_valid: 'quiet',
  undone: 'quiet',
  fulfilled: 'good',
  already_scanned: 'bad',
  cancelled: 'bad',
  forged: 'bad',
  revoked: 'bad',
  malformed: 'bad',
  missing: 'bad',
  unknown: 'bad',
  unknown_scan: 'bad',
  not_admission: 'waiting',
  not_paid: 'waiting',
  not_active: 'waiting',
  wrong_event: 'waiting',
  too_early: 'waiting',
  too_late: 'waiting',
  not_scanned: 'waiting',
  not_fulfilled: 'waiting',
  admission: 'waiting',
  already_fulfilled: 'bad',
  other_device: 'waiting',
  undo_expired: 'waiting',
  expired: 'bad',
  not_yet_valid: 'waiting',
  membership: 'waiting',
};

/** SQL of the outcome of a line `log` of the scan log, as staff read it. */
export const shownOutcome = `case when log.action = 'check' and log.outcome = 'accepted'
  then case when log.membership_id is null then 'may_enter' else 'card_valid' end else log.outcome end`;

export const outcomes = Object.keys(outcomeTones);

export const scanActions = {
  scan: { en: 'Scan', fr: 'Scan' },
  check: { en: 'Check only', fr: 'Contrôle seul' },
  undo: { en: 'Undo', fr: 'Annulation du scan' },
  fulfil: { en: 'Handing out', fr: 'Remise' },
  undo_fulfil: { en: 'Undo of handing out', fr: 'Annulation de la remise' },
} as const;
