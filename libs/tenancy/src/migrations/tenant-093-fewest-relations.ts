import type { Migration } from './migration.js';
import { withoutToast } from './short-tables.js';

/**
 * Indexes that no statement needs: of tables that have few rows or are read once an hour, beside another index that finds the same rows, or
 * for columns that nothing looks for.
 */
const unneededIndexes = [
  'account_session_token_idx',
  'answer_membership_id_idx',
  'answer_question_id_idx',
  'email_correction_membership_id_idx',
  'email_correction_reservation_id_idx',
  'ended_hold_ended_at_idx',
  'event_product_product_id_idx',
  'event_starts_at_idx',
  'event_super_event_id_idx',
  'follower_email_key_idx',
  'follower_network_idx',
  'mail_follower_id_idx',
  'mail_mailing_idx',
  'mail_membership_id_idx',
  'mail_notice_id_idx',
  'mail_test_idx',
  'membership_created_at_idx',
  'membership_ending_idx',
  'membership_network_idx',
  'membership_price_id_idx',
  'membership_product_id_email_key_idx',
  'order_line_effective_at_idx',
  'order_line_event_id_effective_at_idx',
  'order_line_membership_id_idx',
  'orders_created_at_idx',
  'orders_open_idx',
  'payment_refund_due_idx',
  'payment_unordered_idx',
  'reservation_option_option_id_idx',
  'scan_conflict_event_id_found_at_idx',
  'scan_line_recorded_at_idx',
  'scan_line_ticket_id_idx',
  'scan_log_device_id_recorded_at_idx',
  'ticket_transfer_ticket_id_idx',
  'ticket_transfer_to_idx',
  'ticket_unlined_idx',
  'waiting_entry_email_key_idx',
  'waiting_entry_network_idx',
  'waiting_entry_reservation_id_idx',
  'webhook_delivery_event_id_idx',
];

/** Tables whose rows fit into a page with the longest texts. */
const shortTables = [
  'event_cancellation',
  'mail_text',
  'membership',
  'payment_account',
  'reservation',
  'ticket',
  'webhook_attempt',
  'webhook_endpoint',
];

export const tenantFewestRelations: Migration = {
  version: 93,
  name: 'fewest relations',
  additive: true,
  sql: `
-- Each of the two indexes does the work of two: the mails of a follower are found by it, too, and the deliveries of an event.
create unique index if not exists mail_follower_idx on mail (follower_id, mailing_id);
create unique index if not exists webhook_delivery_event_idx on webhook_delivery (event_id, endpoint_id);
alter table webhook_delivery drop constraint if exists webhook_delivery_endpoint_id_event_id_key;
-- A rule has a product or a price. The index has the name of the one of products, because older programs know it.
alter table gate_rule drop constraint if exists gate_rule_gate_id_product_id_key;
alter table gate_rule drop constraint if exists gate_rule_gate_id_price_id_key;
create unique index if not exists gate_rule_gate_id_product_id_key on gate_rule (gate_id, coalesce(product_id, price_id));
-- The hash of a random token is unique by itself.
alter table scanning_device drop constraint if exists scanning_device_pairing_token_hash_key;
drop index if exists ${unneededIndexes.join(', ')};
${withoutToast(shortTables, 'kept')}`,
};
