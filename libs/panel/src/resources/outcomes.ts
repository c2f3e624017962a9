import type { ScanOutcome } from '#scan';
import type { PanelTone } from '../panel-source.js';

/** The colour of everything that can come of an attempt at the door. */
export const outcomeTones: Readonly<Record<ScanOutcome, PanelTone>> = {
  accepted: 'good',
  undone: 'quiet',
  fulfilled: 'good',
  already_scanned: 'bad',
  cancelled: 'bad',
  forged: 'bad',
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

export const outcomes = Object.keys(outcomeTones);

export const scanActions = {
  scan: { en: 'Scan', fr: 'Scan' },
  check: { en: 'Check only', fr: 'Contrôle seul' },
  undo: { en: 'Undo', fr: 'Annulation du scan' },
  fulfil: { en: 'Handing out', fr: 'Remise' },
  undo_fulfil: { en: 'Undo of handing out', fr: 'Annulation de la remise' },
} as const;
