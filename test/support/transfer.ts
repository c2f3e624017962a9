import { tablesThatStay } from '#tenancy';
import type { TestApp } from './test-app.js';

/**
 * A fingerprint of every table of a tenant, computed in PostgreSQL. Leaves out encrypted values, which differ on every server, and columns
 * that are not exported.
 */
export async function tenantPrints(test: TestApp, tenantId: string): Promise<Record<string, string>> {
  const schema = `t_${tenantId.replaceAll('-', '')}`;
  const tables = await test.database.query<{ name: string; columns: string }>(
    `select c.table_name as name, string_agg(format('%I', c.column_name), ', ' order by c.ordinal_position) as columns
     from information_schema.columns c where c.table_schema = $1 and c.column_name not like 'sealed%'
     and c.table_name <> all ($2)
     group by 1 order by 1`,
    [schema, Object.keys(tablesThatStay)],
  );
  const prints: Record<string, string> = {};
  for (const { name, columns } of tables) {
    const [row] = await test.database.query<{ print: string | null }>(
      `select count(*) || ' ' || md5(string_agg(t::text, ';' order by t::text collate "C")) as print
       from (select ${columns} from "${schema}".${name}) t`,
    );
    prints[name] = row?.print ?? 'empty';
  }
  return prints;
}

/** The structure of a tenant's schema according to PostgreSQL's catalogue. */
export async function tenantShape(test: TestApp, tenantId: string): Promise<string[]> {
  const schema = `t_${tenantId.replaceAll('-', '')}`;
  const rows = await test.database.query<{ line: string }>(
    `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(column_default, '') as line
       from information_schema.columns where table_schema = $1
     union all select 'index ' || indexdef from pg_indexes where schemaname = $1
     union all select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = $1::regnamespace
     union all select 'trigger ' || tgname || ' ' || tgenabled::text from pg_trigger
     where tgrelid in (select oid from pg_class where relnamespace = $1::regnamespace) and not tgisinternal`,
    [schema],
  );
  return rows.map(({ line }) => line.replaceAll(schema, 'SCHEMA')).toSorted();
}

/**
 * At least one row in every table, also in those that neither the demo nor the requests of `fullTenant` fill. Ids are random: the first
 * order may already have the row, which is then enough.
 */
export async function fillEmptyTables(test: TestApp, tenantId: string): Promise<void> {
  const schema = `t_${tenantId.replaceAll('-', '')}`;
  await test.database.query(`
    begin;
    set local search_path to "${schema}";
    -- A version accepted longer names. New tables have no place for them.
    alter table tag alter column name set storage extended;
    insert into tag (name, key) values (E'Fête\\n\\t\\\\', 'fete');
    insert into tag (name, key) select string_agg(md5(n::text), ''), 'long' from generate_series(1, 600) n;
    insert into event_tag (event_id, tag_id) select event.id, tag.id from event, tag order by event.id, tag.key limit 1;
    insert into question (product_id, name, label, kind) select id, 'diet', 'What do you eat?', 'text' from product order by id limit 1;
    insert into answer (question_id, reservation_id, label, value)
      select question.id, reservation.id, question.label, '"Everything, \\"really\\""' from question, reservation
      order by reservation.id limit 1;
    insert into mail_text (kind, language, part, text) values ('tickets', 'fr', 'intro', E'Chère {first_name},\\n…');
    insert into membership_renewal (membership_id, amount) select id, 12.5 from membership order by id limit 1 on conflict do nothing;
    insert into code (code, effect, value, event_ids, reserved)
      select 'SPRING-20', 'percent', 20, array[id], 1 from event order by id limit 1;
    insert into code_use (line_id, reservation_id, code_id, saved) select line.id, reservation_id, code.id, 1.5
      from order_line line, code where reservation_id is not null order by line.id limit 1
      on conflict do nothing;
    insert into discount (name, kind, effect, value, parts)
      select 'Family', 'set', 'price', 30, jsonb_build_array(jsonb_build_object('priceIds', jsonb_build_array(id), 'quantity', 2))
      from price order by id limit 1;
    insert into discount_use (line_id, reservation_id, discount_id, name, saved) select line.id, reservation_id, discount.id, 'Family', 1.5
      from order_line line, discount where reservation_id is not null order by line.id limit 1
      on conflict do nothing;
    insert into campaign (title, goal) values ('A new roof', 5000);
    insert into tax_receipt (number, line_id, donor_name, donor_address, amount, paid_at, method, issuer)
      select (select coalesce(max(number), 0) + 1 from tax_receipt), id, 'Ada Martin', E'1 quai\\n44000 Nantes', 12.5,
        now(), 'online', '{"name": "Friends"}' from order_line order by id limit 1 on conflict do nothing;
    insert into gift_card (code, amount, issued_at, buyer_email) values ('ACDEFGHJKMNPQRTU', 20, now(), 'ada@example.org');
    insert into gift_card_movement (gift_card_id, kind, amount) select id, 'issue', amount from gift_card;
    insert into transfer_account (iban, holder, days) values ('DE89370400440532013000', 'Le Lieu e. V.', 10) on conflict (id) do nothing;
    insert into customer (name, address) values ('École', E'1 quai\\n44000 Nantes');
    update orders set customer_id = (select id from customer limit 1) where id = (select id from orders order by id limit 1);
    insert into card_reader (name, provider, account_id, reference)
      values ('Bar', 'stripe', '22222222-2222-4222-8222-222222222222', 'tmr_1');
    insert into bank_transfer (order_id, reference, due_on) select id, 'K7M3P9QT', '2026-12-20' from orders order by id limit 1
      on conflict do nothing;
    insert into bank_statement (id, file_name, digest) values ('11111111-1111-4111-8111-111111111111', 'Ümsätze.csv', 'ab12');
    insert into bank_entry (statement_id, account, key, booked_on, amount, currency, name, text, state, finding)
      values ('11111111-1111-4111-8111-111111111111', 'DE89370400440532013000', 'a-1', '2026-12-02', 36.5, 'EUR',
        'Zoé', E'K7M3\\tP9QT', 'matched', 'exact');
    insert into bank_share (entry_id, order_id, amount) select bank_entry.id, order_id, 36.5 from bank_entry, bank_transfer;
    insert into refund_order (reference, refunds, amount) values ('RBK7M3P9QT', 1, 36.5);
    insert into follower_mailing (day) values ('2026-11-20');
    insert into event_series (name, slug, capacity) values ('Thursdays', 'thursdays-0a1b2c3d', 5000);
    update event set series_id = (select id from event_series where slug = 'thursdays-0a1b2c3d')
      where id = (select id from event order by booked desc, id limit 1);
    insert into new_date (event_id) select id from event order by id limit 1 on conflict (event_id) do nothing;
    insert into gallery_picture (image_id, position, alternative) select id, 1, 'The hall' from image order by id limit 1
      on conflict (image_id) do nothing;
    insert into verified_email (email_key) values ('ada@example.org');
    insert into event_notice (event_id, kind, note) select id, 'changed', 'Later' from event order by id limit 1;
    insert into payment_event (provider, id, type) values ('stripe', 'evt_1', 'charge.succeeded');
    insert into reservation_option (reservation_id, option_id, name) select id, gen_random_uuid(), 'Balcony' from reservation
    order by id limit 1;
    insert into event_cancellation (event_id, finished_at) select id, now() from event
      where id not in (select event_id from event_cancellation) order by id limit 1;
    insert into scan_line (device_id, scan_id, sequence, line, line_hash, direction, verdict, mode, device_time, happened_at,
      clock_error_ms, state, result)
      select id, gen_random_uuid(), 1, '{}', '\\x00', 'entry', 'accepted', 'offline', now(), now(), 20, 'applied', '{}'
      from scanning_device order by id limit 1;
    insert into device_contact (device_id, seen_at, battery) select id, now(), 71 from scanning_device order by id limit 1;
    insert into door_lease (event_id, price_id, device_id, holder, ends_at)
      select e.id, p.id, d.id, gen_random_uuid(), now() + interval '1 hour' from event e, price p, scanning_device d
      order by e.id, p.id, d.id limit 1;
    insert into quarantine_line (device_id, line, line_hash) select id, '{}', '\\x00' from scanning_device order by id limit 1;
    insert into scan_conflict (ticket_id, event_id, line_device_id, line_scan_id, first_at, first_error_ms, later_at, later_error_ms)
      select ticket.id, ticket.event_id, gen_random_uuid(), gen_random_uuid(), now(), 20, now(), 20 from ticket order by id limit 1;
    insert into scan_conflict_decision (conflict_id, number, decision, user_id)
      select id, 1, 'let_stay', gen_random_uuid() from scan_conflict order by id limit 1;
    insert into email_correction (reservation_id, old_email, new_email) select id, 'a@b.c', email from reservation order by id limit 1;
    insert into webhook_attempt (delivery_id, attempted_at, milliseconds) select id, now(), 5 from webhook_delivery order by id limit 1;
    insert into shared.outbox (tenant_id, type, subject_id, sequence, data)
      select '${tenantId}', type, subject_id, sequence + 1, data from webhook_event order by position desc limit 1;
    commit`);
}
