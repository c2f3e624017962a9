import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordedTables, secretColumns, unrecordedColumns, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Tables of a tenant whose changes are not in the record of changes, and why. */
const unrecorded: Readonly<Record<string, string>> = {
  change: 'the record itself',
  orders: 'the ledger of sales, with who sold',
  order_line: 'append-only lines of the ledger, with who sold or cancelled',
  code_use: 'belongs to a line of the ledger',
  discount_use: 'belongs to a line of the ledger',
  tax_receipt: 'an append-only series of documents, which are their own record',
  payment: 'the append-only ledger of money, with who took or gave it back',
  payment_event: 'what a payment provider reported',
  gift_card_movement: 'the append-only ledger of the value of gift cards, with who moved it',
  bank_transfer: 'belongs to an order; the reference and the deadline',
  bank_statement: 'the list of uploads, with who uploaded',
  bank_entry: 'statements of a bank, with who settled them',
  bank_share: 'belongs to an entry of a statement',
  refund_order: 'the list of payment orders, with who made them',
  answer: 'belongs to a booking; deleted with the person',
  reservation_option: 'belongs to a booking',
  event_price: 'a counter',
  event_cancellation: 'the progress of a cancellation, which the record of its event has',
  event_notice: 'the list of what holders were told, with who told it',
  new_date: 'the progress of a mailing',
  follower: 'people who follow the venue themselves; deleted with the person',
  follower_mailing: 'the progress of a mailing',
  mail: 'the list of mails, which is its own record',
  email_correction: 'a record of its own, with who corrected what',
  ticket_transfer: 'a record of its own: who gave a ticket to whom',
  membership_renewal: 'the progress of a renewal that a member began',
  verified_email: 'an address that its person confirmed',
  account_session: 'links and sessions of guests',
  waiting_entry: 'people who wait, and leave by themselves',
  booking_queue: 'people who wait for minutes',
  ended_hold: 'counts of an hour',
  idempotent_request: 'answers that are kept for a day',
  image: 'stored once, never changed; the record of what it belongs to names it',
  image_variant: 'sizes of a picture',
  scan_log: 'the append-only record of the door',
  scan_line: 'journals of devices',
  quarantine_line: 'journals of devices',
  scan_conflict: 'found by comparing the journals',
  scan_conflict_decision: 'append-only, with who decided',
  door_lease: 'places that a door holds for minutes',
  device_contact: 'when a device was last heard of',
  device_key: 'which key a device has; keys are in the record',
  webhook_event: 'what was told to webhooks',
  webhook_feed: 'the position of the feed',
  webhook_delivery: 'the progress of a delivery',
  webhook_attempt: 'the list of attempts',
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

let test: TestApp;
let tenant: TenantIdentity;
let columns: readonly Column[];

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  columns = await test.database.query<Column & Record<string, unknown>>(
    `select c.table_name as "table", c.column_name as name, c.data_type as type from information_schema.columns c
     where c.table_schema = $1 order by 1, 2`,
    [tenant.schemaName],
  );
});
afterAll(() => test.close());

describe('the record of changes', () => {
  it('has each table of a tenant, or a reason against it', () => {
    const tables = [...new Set(columns.map(({ table }) => table))];
    expect(tables.toSorted()).toEqual([...Object.keys(recordedTables), ...Object.keys(unrecorded)].toSorted());
  });

  it('is written by a trigger of each of its tables', async () => {
    const triggers = await test.database.query<{ table: string; call: string }>(
      `select c.relname::text as "table", pg_get_triggerdef(t.oid) as call from pg_trigger t join pg_class c on c.oid = t.tgrelid
       join pg_proc p on p.oid = t.tgfoid where c.relnamespace = $1::text::regnamespace and p.proname = 'note_change'`,
      [tenant.schemaName],
    );
    expect([...new Set(triggers.map(({ table }) => table))].toSorted()).toEqual(Object.keys(recordedTables).toSorted());
    for (const [table, { updates }] of Object.entries(recordedTables)) {
      const calls = triggers.filter((trigger) => trigger.table === table).map(({ call }) => call);
      const events = ['INSERT', 'UPDATE', 'DELETE'].filter((event) => calls.some((call) => call.includes(event)));
      expect([table, events]).toEqual([table, updates ? ['UPDATE'] : ['INSERT', 'UPDATE', 'DELETE']]);
    }
  });

  it('has no values of secrets: bytes are never recorded', () => {
    const bytes = columns.filter(({ table, type }) => table in recordedTables && type === 'bytea').map(({ name }) => name);
    expect(bytes.length).toBeGreaterThan(3);
    expect(bytes.filter((name) => !new RegExp(secretColumns).test(name) && !unrecordedColumns.includes(name))).toEqual([]);
  });

  it('names no column in vain', () => {
    const known = new Set([...columns.map(({ name }) => name), 'last_used_at', 'tenant_id']);
    expect(unrecordedColumns.filter((name) => !known.has(name))).toEqual([]);
  });
});
