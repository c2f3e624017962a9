import type { RuleName, Violation } from './rules.js';

/** A statement that may break a rule, with the reason. */
export interface Exception {
  readonly rule: RuleName;
  /** A part of the statement's text, or of the violation's detail, that identifies it. */
  readonly match: string;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    rule: 'tenant-and-shared',
    match: 'from tenant.scanning_device d join shared.api_key k on',
    reason:
      'A scan and the lists at a door ask in the same statement whether the key of the device still works, so that a revoked key never ' +
      'scans. ' +
      'On several machines this condition becomes a column of the device that revoking a key writes, too.',
  },
  {
    rule: 'tenant-and-shared',
    match: 'insert into shared.outbox',
    reason:
      'The outbox row is written by the statement that scans or takes a scan back. Only libs/webhooks knows where the outbox lies: ' +
      'it may ' +
      'move into the schema of the tenant.',
  },
  {
    rule: 'order-by-identity',
    match: 'order by ordinal',
    reason:
      'The outbox of a tenant is written and read on one node. The time of its rows is the beginning of a transaction: two changes ' +
      'of one ' +
      'record that waited for each other would be told in the wrong order.',
  },
  {
    rule: 'order-by-identity',
    match: 'FROM "postal_address"',
    reason: 'The number of an address is its public identifier and the order in which the API and the panel list addresses.',
  },
  {
    rule: 'order-by-identity',
    match: ') to stdout with (format text',
    reason:
      'An export writes the rows of a table in the order of its key, so that both sides sum them up in the same order. Any order serves.',
  },
  {
    rule: 'interval-arithmetic',
    match: `update reservation set expires_at = created_at + interval '15 minutes'`,
    reason: 'Step 9 carries reservations of older versions over. A tenant of a distributed database never had them.',
  },
  ...['scan_log_append_only', 'payment_kept', 'payment_keeps_order', 'payment_append_only', 'payment_account_kept', 'order_line_kept'].map(
    (match) => ({
      rule: 'trigger' as const,
      match,
      reason:
        'Nothing but a trigger keeps every program from rewriting the scan log and the ledger. It is made together with the tenant; a ' +
        'step for existing tenants needs an administrator on a distributed database.',
    }),
  ),
  {
    rule: 'trigger',
    match: 'payment_account_former',
    reason:
      'During an upgrade an older program changes columns whose values newer programs sealed anew: only a trigger notices. It goes with ' +
      'these columns.',
  },
  {
    rule: 'trigger',
    match: '_sale_version',
    reason:
      'Each change of what is sold raises a version, whoever makes it: also an older program, an import and SQL by hand. The triggers ' +
      'are made together with the tenant.',
  },
  ...['execute function note_change', 'shared.note_act', 'shared.note_key', 'change_kept', 'change_append_only'].map((match) => ({
    rule: 'trigger' as const,
    match,
    reason:
      'Nothing but a trigger records every change in its transaction, whoever makes it, and keeps the record from being rewritten. The ' +
      'triggers of a tenant are made together with it; those of shared tables are on tables of a node.',
  })),
  {
    rule: 'unattributed-change',
    match: 'update tenant.webhook_endpoint e set',
    reason: 'The result of a delivery. When it disables the endpoint, the record names the program.',
  },
  {
    rule: 'unattributed-change',
    match: 'update tenant.team_code set practised_at',
    reason: 'That a phone has practised is not recorded.',
  },
  {
    rule: 'trigger',
    match: 'event_series_booked',
    reason:
      'Each change of the booked places of a date counts in the series whose dates share their places, whoever makes it: also an older ' +
      'program during an upgrade. The triggers are made together with the tenant.',
  },
  ...['tenant_change_append_only', 'support_act_append_only', 'user_change_append_only'].map((match) => ({
    rule: 'trigger' as const,
    match,
    reason: 'The shared schema is not distributed: its histories are kept by triggers.',
  })),
];

/** The exception that covers a violation, if there is one. */
export function exceptionOf({ rule, detail }: Violation, text: string): Exception | undefined {
  return exceptions.find((exception) => exception.rule === rule && (text.includes(exception.match) || detail.includes(exception.match)));
}
