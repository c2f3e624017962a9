import type { Migration } from './migration.js';
import { withoutToast } from './short-tables.js';

/** Indexes of tables that have few rows, and one whose column another index begins with. */
const unneededIndexes = [
  'account_session_created_at_idx',
  'account_session_email_key_idx',
  'device_key_device_id_idx',
  'door_lease_price_id_idx',
  'event_notice_event_id_idx',
  'event_postal_address_id_idx',
  'event_price_price_id_idx',
  'event_tag_tag_id_idx',
  'gallery_picture_event_id_idx',
  'gate_event_id_idx',
  'gate_rule_price_id_idx',
  'gate_rule_product_id_idx',
  'membership_renewal_open_idx',
  'new_date_told_on_idx',
  'price_required_membership_id_idx',
  'quarantine_line_received_at_idx',
  'question_product_id_idx',
  'reservation_event_id_idx',
  'scan_conflict_ticket_id_idx',
  'scanning_device_event_id_idx',
  'scanning_device_gate_id_idx',
  'team_code_event_id_idx',
  'team_code_gate_id_idx',
  'team_code_selector_idx',
  'waiting_entry_event_id_idx',
  'waiting_entry_price_id_idx',
];

/** Tables whose rows fit into a page (8 kB) with the longest texts that the program accepts, four bytes a character. */
const shortTables = [
  'account_session',
  'device_contact',
  'device_key',
  'email_correction',
  'ended_hold',
  'event_option',
  'event_series',
  'follower',
  'gallery_picture',
  'gate',
  'image',
  'membership_renewal',
  'order_line',
  'orders',
  'payment_event',
  'postal_address',
  'quarantine_line',
  'reservation_option',
  'scan_conflict',
  'scan_conflict_decision',
  'scanning_device',
  'signing_key',
  'tag',
  'team_code',
  'ticket_transfer',
  'verified_email',
  'waiting_entry',
  'webhook_delivery',
];

export const tenantFewerRelations: Migration = {
  version: 92,
  name: 'fewer relations',
  additive: true,
  sql: `
drop index if exists ${unneededIndexes.join(', ')};
-- Its rows became lines of orders.
drop table if exists cart_membership;

${withoutToast(shortTables, 'plain')}`,
};
