import type { Download, ScanOutcome } from '#scan';
import type { PanelTone } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** The outcome of an attempt as staff see it. The log calls a check accepted too, but a check admits nobody, so it has its own outcomes. */
export type ShownOutcome = ScanOutcome | 'may_enter' | 'card_valid' | 'double_entry' | 'was_cancelled' | Download;

/** The tone of each outcome of a scan. */
export const outcomeTones: Readonly<Record<ShownOutcome, PanelTone>> = {
  accepted: 'good',
  readmitted: 'good',
  left: 'good',
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
  unknown_gate: 'bad',
  not_permitted: 'bad',
  not_admission: 'waiting',
  not_paid: 'waiting',
  not_active: 'waiting',
  wrong_event: 'waiting',
  too_early: 'waiting',
  too_late: 'waiting',
  wrong_gate: 'waiting',
  no_reentry: 'bad',
  not_inside: 'waiting',
  not_enough: 'waiting',
  double_entry: 'bad',
  was_cancelled: 'bad',
  not_scanned: 'waiting',
  not_fulfilled: 'waiting',
  admission: 'waiting',
  already_fulfilled: 'bad',
  other_device: 'waiting',
  undo_expired: 'waiting',
  superseded: 'waiting',
  expired: 'bad',
  not_yet_valid: 'waiting',
  membership: 'waiting',
  names_file: 'info',
  ticket_list: 'info',
  ticket_search: 'info',
};

/** SQL: the outcome that staff see, for a row `log` of the scan log. */
export const shownOutcome = `case when log.action = 'check' and log.outcome in ('accepted', 'readmitted', 'left')
  then case when log.membership_id is null then 'may_enter' else 'card_valid' end else log.outcome end`;

export const outcomes = Object.keys(outcomeTones);

export const scanActions = {
  scan: texts.localized('scanActions.scan'),
  check: texts.localized('scanActions.check'),
  undo: texts.localized('scanActions.undo'),
  fulfil: texts.localized('scanActions.fulfil'),
  undo_fulfil: texts.localized('scanActions.undoFulfil'),
  download: texts.localized('scanActions.download'),
} as const;
