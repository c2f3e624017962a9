import type { Text } from '#kernel';
import { texts } from '../locales/transfers.texts.js';

/** What became of an entry. */
export const entryStates = {
  open: texts.localized('entries.states.open'),
  matched: texts.localized('entries.states.matched'),
  ignored: texts.localized('entries.states.ignored'),
  refund_due: texts.localized('entries.states.refundDue'),
  refund_ordered: texts.localized('entries.states.refundOrdered'),
  refunded: texts.localized('entries.states.refunded'),
} as const satisfies Record<string, Text>;
export type EntryState = keyof typeof entryStates;

/** What the comparison with the orders said. */
export const entryFindings = {
  exact: texts.localized('entries.findings.exact'),
  under: texts.localized('entries.findings.under'),
  over: texts.localized('entries.findings.over'),
  several: texts.localized('entries.findings.several'),
  sum: texts.localized('entries.findings.sum'),
  almost: texts.localized('entries.findings.almost'),
  name: texts.localized('entries.findings.name'),
  none: texts.localized('entries.findings.none'),
  paid: texts.localized('entries.findings.paid'),
  late: texts.localized('entries.findings.late'),
  twin: texts.localized('entries.findings.twin'),
  account: texts.localized('entries.findings.account'),
  currency: texts.localized('entries.findings.currency'),
  debit: texts.localized('entries.findings.debit'),
  refund: texts.localized('entries.findings.refund'),
} as const satisfies Record<string, Text>;
export type EntryFinding = keyof typeof entryFindings;
